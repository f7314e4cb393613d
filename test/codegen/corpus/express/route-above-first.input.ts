import express from 'express';

const app = express();

app.get('/upper', (_req, res) => {
  res.json({ n: 1 });
});

app.get('/lower', (_req, res) => {
  res.json({ n: 2 });
});
