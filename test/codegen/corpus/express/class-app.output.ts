import express, { type Express } from 'express';
import { HTTPFacilitatorClient } from '@x402/core/server';
import { paymentMiddleware, x402ResourceServer } from '@x402/express';
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar';
import { ExactStellarScheme } from '@x402/stellar/exact/server';

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
// svc-x402: end of payments

export class Server {
  private readonly app: Express = express();

  start(port: number): void {
    this.routes();
    this.app.listen(port);
  }

  private routes(): void {
    // svc-x402: payments
    const statusServiceTerms = {
      scheme: 'exact',
      price: '$0.01',
      network: 'stellar:testnet',
      payTo: PAYMENT_CONFIG.payToAddress,
      maxTimeoutSeconds: 60,
    } as const;
    this.app.get(
      '/status/:service',
      paymentMiddleware(
        {
          'GET /status/:service': {
            accepts: statusServiceTerms,
            // TODO: say what a buyer gets
            description: 'GET /status/:service',
            mimeType: 'application/json',
            serviceName: 'demo-api',
            tags: ['status'],
            extensions: declareDiscoveryExtension({
              pathParamsSchema: {
                properties: {
                  service: { type: 'string' },
                },
              },
              // TODO: real values for what is known at run time only
              output: { example: { service: 'service', up: true } },
            }),
          },
          // For paths that the router takes and the key above does not match.
          'GET **': { accepts: statusServiceTerms },
        },
        paymentServer,
      ),
    );
    // HEAD asks for no payment, so it is answered without the handler.
    this.app.head('/status/:service', (_req, res) => {
      res.status(200).end();
    });
    // svc-x402: end of payments

    this.app.get('/status/:service', (req, res) => {
      res.json({ service: req.params.service, up: true });
    });
  }
}
