import express from 'express';

const app = express();

app.head('/file', (_req, res) => {
  res.set('Content-Length', '12').end();
});
app.get('/file', (_req, res) => {
  res.send('twelve bytes');
});
