const express = require('express');
const app = express();

app.get('/quote', (req, res) => {
  res.json({ symbol: 'XLM', price: 0.12 });
});

app.listen(3000);
