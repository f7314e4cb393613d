import express = require('express');

const app = express();

app.get('/legacy', (req, res) => {
  res.json({ ok: true });
});

export = app;
