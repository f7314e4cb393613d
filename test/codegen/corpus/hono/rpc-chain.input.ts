import { Hono } from 'hono';

const app = new Hono()
  .get('/books', (c) => c.json([{ isbn: '12' }]))
  // Adds a book.
  .post('/books', (c) => c.json({ added: true }))
  .get('/books/:isbn', (c) => c.json({ isbn: c.req.param('isbn') }));

export type AppType = typeof app;
export default app;
