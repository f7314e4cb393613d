const express = require('express');
const app = express();

app.get('/pages/:page?', (req, res) => res.json({ page: req.params.page }));
