import { Router } from 'express';

export const routes = Router().get('/x', (_req, res) => {
  res.json({ x: 1 });
});
