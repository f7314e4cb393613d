export function routes(app) {
  app.get('/api', (req, res) => res.json({ from: 'express' }));
}
