import express from 'express';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';

const app = express();
declare const server: x402ResourceServer;

app.use(paymentMiddleware({ 'GET /paid/*': { accepts: [] } }, server));
app.get('/paid/report', (_req, res) => {
  res.json({ report: 1 });
});
