import express from 'express';

const app = express();

app.get('/files/*path', (req, res) => {
  res.json({ path: req.params.path });
});
