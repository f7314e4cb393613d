import express from 'express';
import { decodePaymentResponseHeader } from '@x402/core/http';
import { type RoutesConfig } from '@x402/core/server';
import {
  setSettlementOverrides,
} from '@x402/express';

const app = express();
export type Routes = RoutesConfig;
export { decodePaymentResponseHeader, setSettlementOverrides };

app.get('/x', (_req, res) => {
  res.json({ x: 1 });
});
