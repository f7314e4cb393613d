import { Hono } from 'hono';

const app = new Hono();

const routes = app
  .get('/one', (c) => c.json({ n: 1 }))
  .post('/two', (c) => c.json({ n: 2 }));

export type AppType = typeof routes;
