export function routes(app) {
  app.get('/both', (req, res) => {});
}
