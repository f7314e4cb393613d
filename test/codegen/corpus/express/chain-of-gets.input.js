const express = require('express');
const app = express();

app
  .get('/one', (req, res) => res.json({ n: 1 }))
  .get('/two', (req, res) => res.json({ n: 2 }))
  .listen(3000);
