// @ts-check
import express from 'express';

const app = express();

app.get('/checked', (req, res) => {
  res.json({ checked: true });
});
