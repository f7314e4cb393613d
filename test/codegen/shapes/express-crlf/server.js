const express = require('express');

const app = express();

// Routes

app.get('/quotes', (req, res) => {
  res.json({ quotes: [] });
});


app.post('/quotes', (req, res) => {
  res.status(201).json({ id: 1 });
});
   
app.delete('/quotes/:id', (req, res) => res.sendStatus(204));

app.listen(3000);
