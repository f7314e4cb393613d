const express = require('express');
const app = express();

if (process.env.BETA) app.get('/beta', (req, res) => res.json({ beta: true }));
