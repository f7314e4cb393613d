import express from 'express';

const VERSION = 'v1';
const app = express();

app.get(`/api/${VERSION}/ping`, (_req, res) => {
  res.json({ pong: true });
});
