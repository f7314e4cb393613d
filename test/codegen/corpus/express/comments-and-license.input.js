/*
 * Copyright 2024 Example Ltd.
 */

// eslint-disable-next-line no-unused-vars
const http = require('http');
const express = require('express'); // the web

const app = express(); /* one app */

// Everything below is public.

// -------------------------------------------------
// GET /facts/:topic
// -------------------------------------------------
app.get('/facts/:topic', (req, res) => {
  // A fact a day.
  res.json({ topic: req.params.topic, fact: `About ${req.params.topic}` });
}); // end of facts
