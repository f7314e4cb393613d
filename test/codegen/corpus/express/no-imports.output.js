'use strict';

const { HTTPFacilitatorClient } = require('@x402/core/server');
const { paymentMiddleware, x402ResourceServer } = require('@x402/express');
const {
    bazaarResourceServerExtension,
    declareDiscoveryExtension,
} = require('@x402/extensions/bazaar');
const { ExactStellarScheme } = require('@x402/stellar/exact/server');

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

// Handed an app by the server.
exports.register = function register(app) {
    // svc-x402: payments
    const cacheKeyTerms = /** @type {const} */ ({
        scheme: 'exact',
        price: '$0.01',
        network: 'stellar:testnet',
        payTo: PAYMENT_CONFIG.payToAddress,
        maxTimeoutSeconds: 60,
    });
    app.delete(
        '/cache/:key',
        paymentMiddleware(
            {
                'DELETE /cache/:key': {
                    accepts: cacheKeyTerms,
                    // TODO: say what a buyer gets
                    description: 'DELETE /cache/:key',
                    mimeType: 'application/json',
                    serviceName: 'demo-api',
                    tags: ['cache'],
                    extensions: declareDiscoveryExtension({
                        pathParamsSchema: {
                            properties: {
                                key: { type: 'string' },
                            },
                        },
                        // TODO: real values for what is known at run time only
                        output: { example: { removed: 'key' } },
                    }),
                },
                // For paths that the router takes and the key above does not match.
                'DELETE **': { accepts: cacheKeyTerms },
            },
            paymentServer,
        ),
    );
    // svc-x402: end of payments

    app.delete('/cache/:key', function (req, res) {
        res.json({ removed: req.params.key });
    });
};
