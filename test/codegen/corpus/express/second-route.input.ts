import express from 'express';

const app = express();

app.get('/first', (_req, res) => {
  res.json({ n: 1 });
});

app.get('/second/:id', (req, res) => {
  res.json({ n: 2, id: req.params.id });
});
