import express, { type Express } from 'express';

const app = express();
setUp(app);
app.listen(3000);

function setUp(target: Express): void {
  routes(target);
}

function routes(target: Express): void {
  target.get('/deep', (_req, res) => {
    res.json({ deep: true });
  });
}
