const express = require('express');
const { PATH } = require('./paths');
const app = express();

app.get(PATH, (req, res) => res.json({}));
