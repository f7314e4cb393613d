import express from 'express'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar'
import { ExactStellarScheme } from '@x402/stellar/exact/server'

// svc-x402: payments
const PAYMENT_CONFIG = {
  // The account that is paid. To be paid elsewhere, change it here.
  payToAddress: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
}
const facilitatorClient = new HTTPFacilitatorClient({
  url: process.env.FACILITATOR_URL ?? 'http://127.0.0.1:4021',
})
const paymentServer = new x402ResourceServer(facilitatorClient)
  .register('stellar:testnet', new ExactStellarScheme())
  .registerExtension(bazaarResourceServerExtension)
// svc-x402: end of payments

export function build ({ beta }) {
  const app = express()
  if (beta) {
    // svc-x402: payments
    const betaFeatureTerms = /** @type {const} */ ({
      scheme: 'exact',
      price: '$0.01',
      network: 'stellar:testnet',
      payTo: PAYMENT_CONFIG.payToAddress,
      maxTimeoutSeconds: 60,
    })
    app.get(
      '/beta/:feature',
      paymentMiddleware(
        {
          'GET /beta/:feature': {
            accepts: betaFeatureTerms,
            description: 'New, and paid.',
            mimeType: 'application/json',
            serviceName: 'demo-api',
            tags: ['beta'],
            extensions: declareDiscoveryExtension({
              // TODO: real values
              input: { verbose: 'verbose' },
              inputSchema: {
                properties: {
                  verbose: { type: 'string' },
                },
              },
              pathParamsSchema: {
                properties: {
                  feature: { type: 'string' },
                },
              },
              // TODO: real values for what is known at run time only
              output: { example: { feature: 'feature', verbose: 'verbose' } },
            }),
          },
          // For paths that the router takes and the key above does not match.
          'GET **': { accepts: betaFeatureTerms },
        },
        paymentServer,
      ),
    )
    // HEAD asks for no payment, so it is answered without the handler.
    app.head('/beta/:feature', (_req, res) => {
      res.status(200).end()
    })
    // svc-x402: end of payments

    // New, and paid.
    app.get('/beta/:feature', async (req, res) => {
      const { verbose } = req.query
      res.json({ feature: req.params.feature, verbose })
    })
  }
  return app
}
