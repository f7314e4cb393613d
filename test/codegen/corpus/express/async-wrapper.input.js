const express = require('express');
const asyncHandler = require('express-async-handler');
const app = express();

app.get(
  '/slow',
  asyncHandler(async (req, res) => {
    res.json({ done: true });
  })
);
