import express from 'express';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

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

const weatherCityTerms = {
  scheme: 'exact',
  price: '$0.01',
  network: 'stellar:testnet',
  payTo: PAYMENT_CONFIG.payToAddress,
  maxTimeoutSeconds: 60,
} as const;
app.get(
  '/weather/:city',
  paymentMiddleware(
    {
      'GET /weather/:city': {
        accepts: weatherCityTerms,
        // TODO: say what a buyer gets
        description: 'GET /weather/:city',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['weather'],
        extensions: declareDiscoveryExtension({
          pathParamsSchema: {
            properties: {
              city: { type: 'string' },
            },
          },
          // TODO: real values for what is known at run time only
          output: { example: { city: 'city', tempC: 19 } },
        }),
      },
      // For paths that the router takes and the key above does not match.
      'GET **': { accepts: weatherCityTerms },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
app.head('/weather/:city', (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

app.get('/weather/:city', (req, res) => {
  res.json({ city: req.params.city, tempC: 19 });
});

app.listen(3000, () => console.log('listening'));
