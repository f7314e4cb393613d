import express from 'express';
const app = express();
for (const size of ['small', 'large']) {
  app.get(`/shirts/${size}`, (req, res) => res.json({ size }));
}
app.get('/shirts', (req, res) => res.json([]));
export default app;
