import express from 'express';
import { z } from 'zod';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

const Order = z.object({
  sku: z.string().min(3).max(12).describe('What to order'),
  quantity: z.number().int().positive().default(1),
  express: z.boolean().optional(),
  tags: z.array(z.string()).max(5).optional(),
  email: z.string().email(),
});

const app = express();
app.use(express.json());

// svc-x402: payments
const PAYMENT_CONFIG = {
  // The account that is paid. To be paid elsewhere, change it here.
  payToAddress: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
};
const facilitatorClient = new HTTPFacilitatorClient({
  url: process.env.FACILITATOR_URL ?? 'http://127.0.0.1:4021',
});
const paymentServer = new x402ResourceServer(facilitatorClient)
  .register('stellar:testnet', new ExactStellarScheme())
  .registerExtension(bazaarResourceServerExtension);

app.use(
  paymentMiddleware(
    {
      'POST /orders': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'POST /orders',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['orders'],
        extensions: declareDiscoveryExtension({
          // TODO: real values
          input: {
            sku: 'sku',
            quantity: 1,
            express: true,
            tags: ['tags'],
            email: 'ada@example.com',
          },
          inputSchema: {
            properties: {
              sku: {
                type: 'string',
                minLength: 3,
                maxLength: 12,
                description: 'What to order',
              },
              quantity: { type: 'integer', exclusiveMinimum: 0, default: 1 },
              express: { type: 'boolean' },
              tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
              email: { type: 'string', format: 'email' },
            },
            required: ['sku', 'email'],
          },
          bodyType: 'json',
          // TODO: real values for what is known at run time only
          output: { example: { id: 'o-1' } },
        }),
      },
    },
    paymentServer,
  ),
);
// svc-x402: end of payments

app.post('/orders', (req, res) => {
  const order = Order.safeParse(req.body);
  if (!order.success) {
    return res.status(400).json({ error: order.error.message });
  }
  res.status(201).json({ id: 'o-1', ...order.data });
});
