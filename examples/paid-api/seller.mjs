// An API that charges for one of its routes.

import { createServer } from 'node:http';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import { bazaarResourceServerExtension, declareDiscoveryExtension } from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';
import express from 'express';
import { openAccount } from './account.mjs';
import * as settings from './settings.mjs';
import { fail, report } from './steps.mjs';

if (!settings.facilitatorUrl) fail('Set FACILITATOR_URL to the address of an x402 facilitator.');

const payTo = settings.payTo ?? (await openAccount('seller').catch(fail)).publicKey();

const x402 = new x402ResourceServer(new HTTPFacilitatorClient({ url: settings.facilitatorUrl }))
  .register(settings.network, new ExactStellarScheme())
  .registerExtension(bazaarResourceServerExtension);

const terms = {
  scheme: 'exact',
  network: settings.network,
  payTo,
  price: settings.price,
  maxTimeoutSeconds: 60,
};
const paidRoutes = {
  'GET /weather/:city': {
    accepts: terms,
    description: 'Weather by city',
    mimeType: 'application/json',
    serviceName: 'Demo Weather',
    tags: ['weather', 'demo'],
    extensions: declareDiscoveryExtension({
      input: { units: 'metric' },
      inputSchema: {
        properties: { units: { type: 'string', description: 'metric or imperial' } },
      },
      output: { example: { city: 'Lima', tempC: 19 } },
    }),
  },
  // For paths that the router takes and the key above does not match.
  'GET **': { accepts: terms },
};

const app = express();
// HEAD asks for no payment, so it is answered without the handler.
app.head('/weather/:city', (_request, response) => {
  response.status(200).end();
});
// The payment belongs to the route: every path that the router accepts for it requires payment.
app.get('/weather/:city', paymentMiddleware(paidRoutes, x402), (request, response) => {
  response.json({ city: request.params.city, tempC: 19 });
});

const listener = createServer(app);
listener.on('listening', () => {
  const { port } = listener.address();
  report('listening', {
    url: `http://${settings.host}:${port}/weather/Lima`,
    payTo,
    price: settings.price,
  });
});
listener.on('error', (error) => {
  if (error.code !== 'EADDRINUSE' || settings.port === 0) fail(error);
  console.error(`Port ${settings.port} is busy; taking a free one.`);
  listener.listen(0, settings.host);
});
listener.listen(settings.port, settings.host);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => process.exit(0));
}
