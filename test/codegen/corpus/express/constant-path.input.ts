import express from 'express';

const PATHS = { search: '/search', health: '/health' } as const;
const app = express();

app.get(PATHS.health, (_req, res) => res.sendStatus(204));
app.get(PATHS.search, (req, res) => {
  const { q, limit = 10 } = req.query;
  res.json({ results: [{ title: 'one', score: 0.9 }], q, limit });
});
