import express from 'express';
const app = express();

app.get('/haiku', (_req, res) => {
  res.type('text/plain').send('old pond');
});
