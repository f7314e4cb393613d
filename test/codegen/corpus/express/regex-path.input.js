const express = require('express');
const app = express();

app.get(/^\/v(\d+)$/, (req, res) => res.json({ v: req.params[0] }));
