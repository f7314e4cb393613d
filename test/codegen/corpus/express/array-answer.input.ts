import express from 'express';
const app = express();

app.get('/primes', (_req, res) => {
  res.json([2, 3, 5, 7]);
});
