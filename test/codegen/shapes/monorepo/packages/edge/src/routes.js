export function routes(app) {
  app.get('/edge', (c) => c.json({ from: 'hono' }));
}
