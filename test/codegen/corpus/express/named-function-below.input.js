var express = require('express');
var app = express();

app.get('/lookup', lookup);

function lookup(req, res) {
  var id = req.query.id;
  res.json({ id: id, name: 'none' });
}

app.listen(process.env.PORT || 8080);
