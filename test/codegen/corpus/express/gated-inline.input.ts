import express from 'express';
import { paymentMiddleware, type x402ResourceServer } from '@x402/express';

const app = express();
declare const server: x402ResourceServer;
const gate = paymentMiddleware({ 'GET /paid': { accepts: [] } }, server);

app.get('/paid', gate, (_req, res) => {
  res.json({ report: 1 });
});
