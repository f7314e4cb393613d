const express = require('express');
const app = express();

app.get('/mixed', (req, res) => {
  res.json({ ends: 'mixed' });
});
module.exports = app;
