import { Router as makeRouter } from 'express';

const api = makeRouter();

/**
 * Finds the cheapest flight between two airports.
 *
 * @openapi ...
 */
api.get('/flights', (req, res) => {
  const from = String(req.query.from);
  const to = String(req.query['to']);
  const max = Number(req.query.max ?? 100);
  res.json({ from, to, price: max });
});

export default api;
