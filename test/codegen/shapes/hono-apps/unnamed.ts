import { Hono } from 'hono';

export default new Hono().get('/unnamed', (c) => c.text('unnamed'));
