/*
 * Copyright 2024 Example Ltd.
 */

// eslint-disable-next-line no-unused-vars
const http = require('http');
const express = require('express'); // the web
const { HTTPFacilitatorClient } = require('@x402/core/server');
const { paymentMiddleware, x402ResourceServer } = require('@x402/express');
const {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} = require('@x402/extensions/bazaar');
const { ExactStellarScheme } = require('@x402/stellar/exact/server');

const app = express(); /* one app */

// Everything below is public.

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

const factsTopicTerms = /** @type {const} */ ({
  scheme: 'exact',
  price: '$0.01',
  network: 'stellar:testnet',
  payTo: PAYMENT_CONFIG.payToAddress,
  maxTimeoutSeconds: 60,
});
app.get(
  '/facts/:topic',
  paymentMiddleware(
    {
      'GET /facts/:topic': {
        accepts: factsTopicTerms,
        // TODO: say what a buyer gets
        description: 'GET /facts/:topic',
        mimeType: 'application/json',
        serviceName: 'demo-api',
        tags: ['facts'],
        extensions: declareDiscoveryExtension({
          pathParamsSchema: {
            properties: {
              topic: { type: 'string' },
            },
          },
          // TODO: real values for what is known at run time only
          output: { example: { topic: 'topic', fact: 'About topic' } },
        }),
      },
      // For paths that the router takes and the key above does not match.
      'GET **': { accepts: factsTopicTerms },
    },
    paymentServer,
  ),
);
// HEAD asks for no payment, so it is answered without the handler.
app.head('/facts/:topic', (_req, res) => {
  res.status(200).end();
});
// svc-x402: end of payments

// -------------------------------------------------
// GET /facts/:topic
// -------------------------------------------------
app.get('/facts/:topic', (req, res) => {
  // A fact a day.
  res.json({ topic: req.params.topic, fact: `About ${req.params.topic}` });
}); // end of facts
