// Makes the data folder of this folder with the code of 0.3.0. README.md says how to run it.
// usage: node --import tsx make.mjs CHECKOUT OUT   (in CHECKOUT: a built checkout of 0.3.0)

import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [checkout, out] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(checkout, path)).href);
const { openPayer, openSeller } = await load('test/support/accounts.ts');
const { freshPayment } = await load('test/support/freshPayment.ts');
const { discoverable } = await load('test/support/discoverable.ts');
const { Chain } = await load('test/policies/support/chain.ts');
const { AgentWallet } = await load('test/policies/support/agentWallet.ts');
const { freshUpto } = await load('test/upto/uptoPayment.ts');
const { USDC } = await load('test/support/payment.ts');
const { connectNetwork } = await load('src/server/network/index.ts');
const { systemClock } = await load('src/server/index.ts');
const USDC_ISSUER = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
const { toI128, toScAddress } = await load('src/protocol/stellar/index.ts');
const { xdr } = await load('node_modules/@stellar/stellar-sdk/lib/esm/index.js').catch(
  () => import('@stellar/stellar-sdk'),
);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const folder = join(out, 'data');
const dev = spawn(
  process.execPath,
  [
    ...[join(checkout, 'dist/cli.js'), 'dev', '--no-demo', '--json', '--data-dir', folder],
    ...['--ledger-port', '0', '--facilitator-port', '0'],
  ],
  { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, LOG_LEVEL: 'warn' } },
);
const ended = new Promise((resolve) => dev.once('close', resolve));
process.once('exit', () => dev.kill());
const serving = await new Promise((resolve, reject) => {
  createInterface({ input: dev.stdout }).on('line', (line) => {
    const event = JSON.parse(line);
    if (event.event === 'serving') resolve(event);
  });
  ended.then(() => reject(new Error('svc-x402 dev ended')));
});
const { facilitatorUrl, network: urls } = serving;
const network = connectNetwork({ url: urls.rpcUrl, certificateAuthority: null }, systemClock);
const json = async (path, body) => {
  const response = await fetch(
    facilitatorUrl + path,
    body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
  );
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
};
const control = async (method, params) => {
  const response = await fetch(`${new URL(urls.rpcUrl).origin}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params ? { params } : {}) }),
  });
  const { result, error } = await response.json();
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
};
const supported = await json('/supported');
const upto = supported.kinds.find(({ scheme }) => scheme === 'upto')?.extra?.uptoContract;
const local = {
  ledger: {
    passphrase: urls.passphrase,
    accounts: { usdcIssuer: USDC_ISSUER },
    contracts: { upto },
    control,
  },
  rpcUrl: urls.rpcUrl,
  friendbotUrl: urls.friendbotUrl,
  network,
};

const settlements = [];
async function settle(request, url) {
  const asked = url === undefined ? request : discoverable(request, url);
  const answer = await json('/settle', asked);
  if (!answer.success) throw new Error(JSON.stringify(answer));
  const { payer, transaction } = answer;
  const { payTo, scheme } = request.paymentRequirements;
  settlements.push({ transaction, payer, payTo, scheme, request: asked, answer });
}

const [alice, bob] = [await openPayer(local), await openPayer(local)];
const [weather, maps] = [await openSeller(local), await openSeller(local)];
const WEATHER = 'http://127.0.0.1:4022/weather/Lima';
const MAPS = 'http://127.0.0.1:4023/maps';
await settle(await freshPayment(local, alice, weather), WEATHER);
await settle(await freshPayment(local, alice, weather), WEATHER);
await settle(await freshPayment(local, bob, weather), WEATHER);
await settle(await freshPayment(local, bob, maps), MAPS);
await settle(await freshPayment(local, bob, maps));
await settle(await freshUpto(local, alice, maps));

// A wallet with an agent's key under a spending limit: generated, deployed, attached, recorded, used.
const chain = new Chain(local, alice);
const wallet = await AgentWallet.open(chain, 'upgrade');
const definition = {
  version: '1',
  type: 'spending_limit',
  owners: [wallet.id],
  spendingLimits: { daily: [{ asset: USDC, amount: '0.5' }] },
};
const policy = await json('/policies/generate', definition);
await json(`/policies/${policy.id}/deploy-instance`, {});
const { hash: attachTxHash } = await wallet.attach(policy.contract.contractId);
await wallet.grant(policy.grantOn, [policy.contract.contractId]);
const recorded = await json('/policies/deploy', { id: policy.id, attachTxHash });
const address = (value) => xdr.ScVal.scvAddress(toScAddress(value));
await chain.call(USDC, 'transfer', [
  address(alice.address),
  address(wallet.id),
  toI128(5_000_000n),
]);
await settle(await wallet.exactPayment(weather.address, 1_000_000n), WEATHER);

// The catalog is written behind the settlements.
let listed = await json('/discovery/resources');
for (let round = 0; round < 100 && listed.items.length < 2; round += 1) {
  await new Promise((resolve) => setTimeout(resolve, 100));
  listed = await json('/discovery/resources');
}
await new Promise((resolve) => setTimeout(resolve, 2_000));
listed = await json('/discovery/resources');
const holdings = {};
for (const { transaction } of settlements) {
  const response = await fetch(urls.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getTransaction',
      params: { hash: transaction },
    }),
  });
  const { result } = await response.json();
  holdings[transaction] = result.ledger;
}
const state = await control('svc_dumpState');
network.close();
dev.kill('SIGINT');
await ended;

const write = (name, value) =>
  writeFileSync(join(out, name), `${JSON.stringify(value, null, 2)}\n`);
write('expected.json', {
  settlements: settlements.map((each) => ({ ...each, ledger: holdings[each.transaction] })),
  catalog: listed,
  policy: { ...policy, definition, state: recorded.state, attachTxHash, wallet: wallet.id },
  agent: wallet.agent.address,
});
write('state.json', state);
