const express = require('express');
const app = express();

app.all('/everything', (req, res) => res.json({ method: req.method }));
