export function register(app) {
  app.get('/given', (c) => c.json({ given: true }));
}
