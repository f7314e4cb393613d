import {Router} from 'express'
import {HTTPFacilitatorClient} from '@x402/core/server'
import {paymentMiddleware, x402ResourceServer} from '@x402/express'
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from '@x402/extensions/bazaar'
import {ExactStellarScheme} from '@x402/stellar/exact/server'
const r = Router()
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

r.use(
  paymentMiddleware(
    {
      'GET /tight': {
        accepts: {
          scheme: 'exact',
          price: '$0.01',
          network: 'stellar:testnet',
          payTo: PAYMENT_CONFIG.payToAddress,
          maxTimeoutSeconds: 60,
        },
        // TODO: say what a buyer gets
        description: 'GET /tight',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['tight'],
        extensions: declareDiscoveryExtension({
          output: {example: {tight: true}},
        }),
      },
    },
    paymentServer,
  ),
)
// HEAD asks for no payment, so it is answered without the handler.
r.head('/tight', (_req, res) => {
  res.status(200).end()
})
// svc-x402: end of payments

r.get('/tight', (req, res) => { res.json({tight: true}) })
export default r
