import express from 'express';
import { paymentMiddleware } from './stripe';

const PAYMENT_CONFIG = { currency: 'eur' };
const paymentServer = 'pay.example.com';

const app = express();
app.use(paymentMiddleware(PAYMENT_CONFIG, paymentServer));

app.get('/invoice', (_req, res) => {
  res.json({ total: 12 });
});
