// The facilitator classes of @x402/core and @x402/stellar behind the smallest HTTP server, for bench/facilitator. The class
// asks public Horizon, at a fixed URL, how fast ledgers close; that request is redirected to the Horizon of the network under
// test. Nothing else in the packages is changed.
//
// usage: node referenceFacilitator.mjs, with settings as JSON in SETTINGS; prints its port

import http from 'node:http';
import { Horizon } from '@stellar/stellar-sdk';
import { x402Facilitator } from '@x402/core/facilitator';
import { createEd25519Signer } from '@x402/stellar';
import { ExactStellarScheme } from '@x402/stellar/exact/facilitator';

const { rpcUrl, horizonUrl, sponsorSecret, channelSecrets, pooled } = JSON.parse(
  process.env.SETTINGS,
);

const local = new Horizon.Server(horizonUrl, { allowHttp: true });
const ledgers = Horizon.Server.prototype.ledgers;
Horizon.Server.prototype.ledgers = () => ledgers.call(local);

const sponsor = createEd25519Signer(sponsorSecret);
// With a pool, the sponsor pays for the channel accounts with fee bumps; without one, it signs and pays itself.
const scheme = new ExactStellarScheme(
  pooled ? channelSecrets.map((secret) => createEd25519Signer(secret)) : [sponsor],
  {
    rpcConfig: { url: rpcUrl },
    maxTransactionFeeStroops: 500_000,
    ...(pooled ? { feeBumpSigner: sponsor } : {}),
  },
);
const facilitator = new x402Facilitator().register('stellar:testnet', scheme);

// The class logs every refusal to the console.
console.error = () => {};

async function answer(path, text) {
  if (path === '/health') return { status: 'ok' };
  const { paymentPayload, paymentRequirements } = JSON.parse(text);
  return path === '/verify'
    ? await facilitator.verify(paymentPayload, paymentRequirements)
    : await facilitator.settle(paymentPayload, paymentRequirements);
}

const server = http.createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', async () => {
    try {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(await answer(request.url, text)));
    } catch (error) {
      response.statusCode = 500;
      response.end(JSON.stringify({ error: String(error) }));
    }
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`);
});
