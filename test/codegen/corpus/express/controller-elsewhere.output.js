import express from 'express'
import { getPrice } from './controllers/price.js'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar'
import { ExactStellarScheme } from '@x402/stellar/exact/server'

const router = express.Router()

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

const priceSymbolTerms = /** @type {const} */ ({
  scheme: 'exact',
  price: '$0.01',
  network: 'stellar:testnet',
  payTo: PAYMENT_CONFIG.payToAddress,
  maxTimeoutSeconds: 60,
})
router.get(
  '/price/:symbol',
  paymentMiddleware(
    {
      'GET /price/:symbol': {
        accepts: priceSymbolTerms,
        // TODO: say what a buyer gets
        description: 'GET /price/:symbol',
        serviceName: 'demo-api',
        tags: ['price'],
        extensions: declareDiscoveryExtension({
          // TODO: examples of the query parameters, and their types; remove both if there are none
          input: {},
          inputSchema: { properties: {} },
          pathParamsSchema: {
            properties: {
              symbol: { type: 'string' },
            },
          },
          // TODO: an example of the answer
          output: { example: {} },
        }),
      },
      // For paths that the router takes and the key above does not match.
      'GET **': { accepts: priceSymbolTerms },
    },
    paymentServer,
  ),
)
// HEAD asks for no payment, so it is answered without the handler.
router.head('/price/:symbol', (_req, res) => {
  res.status(200).end()
})
// svc-x402: end of payments

router.get('/price/:symbol', getPrice)

export default router
