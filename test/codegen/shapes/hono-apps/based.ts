import { Hono } from 'hono';

export const api = new Hono().basePath('/api');

api.get('/based', (c) => c.json({ based: true }));
