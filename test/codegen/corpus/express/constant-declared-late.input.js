const express = require('express');
const app = express();

app.get('/a', (req, res) => res.json({ a: 1 }));

const LATE = '/late/:id';
app.get(LATE, (req, res) => res.json({ id: req.params.id }));
