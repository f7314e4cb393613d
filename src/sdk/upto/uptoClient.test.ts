import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testKey } from '../../../test/support/payer.ts';
import { resources } from '../../../test/support/resources.ts';
import { type ContractAddress, USDC_CONTRACT } from '../../protocol/index.ts';
import { decodePaymentEnvelope, readUptoCall } from '../../protocol/stellar/index.ts';
import { accountSigner } from '../exact/index.ts';
import type { Requirements } from '../seller/index.ts';
import { type UptoClientOptions, UptoStellarClient } from './uptoClient.ts';

const CONTRACT = 'CDPETPFJXCBHIMGQERUKCWER6ISYW565DQQT3GER7VSLOUHG5IMGUVZ6';
const PAYER = testKey('payer');
const SELLER = testKey('seller');
const LEDGER = 1_000;
const requirements: Requirements = {
  scheme: 'upto',
  network: 'stellar:testnet',
  asset: USDC_CONTRACT,
  amount: '10000000',
  payTo: SELLER.address,
  maxTimeoutSeconds: 300,
  extra: { areFeesSponsored: true, uptoContract: CONTRACT },
};

/** An RPC that stays at one ledger and simulates everything. */
function rpc(calls: string[]): typeof fetch {
  return async (_url, init) => {
    const { id, method } = JSON.parse(String(init?.body)) as { id: number; method: string };
    calls.push(method);
    const result =
      method === 'getLatestLedger'
        ? { sequence: LEDGER }
        : {
            latestLedger: LEDGER,
            minResourceFee: '50000',
            transactionData: resources(50_000n).toXdr('base64'),
          };
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
}

describe("A buyer's side of scheme upto", () => {
  const signer = accountSigner(PAYER.address, (hash) => PAYER.sign(hash));

  async function pay(options: Partial<UptoClientOptions> = {}, terms: Partial<Requirements> = {}) {
    const calls: string[] = [];
    const client = new UptoStellarClient(signer, {
      rpcUrl: 'http://127.0.0.1:1/rpc',
      fetch: rpc(calls),
      ...options,
    });
    const { x402Version, payload } = await client.createPaymentPayload(2, {
      ...requirements,
      ...terms,
    });
    assert.equal(x402Version, 2);
    const decoded = decodePaymentEnvelope(payload['transaction']);
    assert.ok(decoded.ok);
    const read = readUptoCall(CONTRACT as ContractAddress, decoded.envelope.invocation);
    assert.ok(read.ok);
    return { call: read.call, envelope: decoded.envelope, calls };
  }

  it('[spec: Upto wire shape/Envelope] sends an unsigned envelope of settle at the ceiling, with the signed entry', async () => {
    const { call, envelope, calls } = await pay();
    assert.deepEqual(calls, ['getLatestLedger', 'simulateTransaction']);
    assert.equal(call.maxAmount, 10_000_000n);
    assert.equal(call.actualAmount, 10_000_000n);
    assert.deepEqual([call.from, call.to], [PAYER.address, SELLER.address]);
    assert.equal(envelope.authorizations.length, 1);
    assert.equal(envelope.fee, 50_100n);
  });

  it('[spec: Limits/Upto expiration] signs for the seller’s timeout, at most 17,280 ledgers', async () => {
    assert.equal((await pay()).call.expirationLedger, LEDGER + 60 + 12);
    const longest = await pay({}, { maxTimeoutSeconds: 86_400 });
    assert.equal(longest.call.expirationLedger, LEDGER + 17_279);
  });

  it('uses a nonce once', async () => {
    const [one, two] = [await pay(), await pay()];
    assert.notDeepEqual(one.call.nonce, two.call.nonce);
  });

  it('signs no ceiling above its own', async () => {
    await assert.rejects(pay({ maxAmount: 9_999_999n }), { code: 'max_amount_exceeded' });
    await pay({ maxAmount: 10_000_000n });
  });

  it('signs only for trusted contracts, if it has a list of them', async () => {
    await assert.rejects(pay({ contracts: [USDC_CONTRACT] }), { code: 'invalid_requirements' });
    await pay({ contracts: [CONTRACT] });
  });

  const extra = requirements.extra;
  const cases: [string, string, Partial<Requirements>][] = [
    ['another scheme', 'no_usable_payment_option', { scheme: 'exact' }],
    ['another network', 'no_usable_payment_option', { network: 'stellar:pubnet' }],
    [
      'fees that nobody sponsors',
      'no_usable_payment_option',
      { extra: { uptoContract: CONTRACT } },
    ],
    ['no contract', 'invalid_requirements', { extra: { areFeesSponsored: true } }],
    ['an invalid contract', 'invalid_requirements', { extra: { ...extra, uptoContract: 'C' } }],
    ['an asset that is not a contract', 'invalid_requirements', { asset: SELLER.address }],
    ['a recipient that is not an address', 'invalid_requirements', { payTo: 'GABC' }],
    ['a ceiling of zero', 'invalid_requirements', { amount: '0' }],
    ['a ceiling that is not an integer', 'invalid_requirements', { amount: '1.5' }],
    ['no time', 'invalid_requirements', { maxTimeoutSeconds: 0 }],
  ];
  for (const [what, code, terms] of cases) {
    it(`refuses ${what}: ${code}`, () => assert.rejects(pay({}, terms), { code }));
  }

  it('accepts a wallet that signs preimages, but only for classic accounts', async () => {
    const signAuthEntry = async () => ({ signedAuthEntry: '' });
    assert.throws(
      () => new UptoStellarClient({ address: CONTRACT, signAuthEntry }, { rpcUrl: 'http://x' }),
      { name: 'X402NotConfiguredError', code: 'not_configured' },
    );
    const error = { message: 'the user said no' };
    const refusing = {
      address: PAYER.address,
      signAuthEntry: async () => ({ signedAuthEntry: '', error }),
    };
    const client = new UptoStellarClient(refusing, { rpcUrl: 'http://x', fetch: rpc([]) });
    await assert.rejects(client.createPaymentPayload(2, requirements), /the user said no/);
  });

  it('reports to the client the asset in which its dollar limits count', () => {
    const client = new UptoStellarClient(signer, { rpcUrl: 'http://x' });
    assert.equal(client.findDefaultAsset(USDC_CONTRACT, 'stellar:testnet')?.decimals, 7);
    assert.equal(client.findDefaultAsset(CONTRACT, 'stellar:testnet'), undefined);
    assert.equal(client.findDefaultAsset(USDC_CONTRACT, 'stellar:pubnet'), undefined);
  });

  it('refuses an invalid rpcUrl when it is created', () => {
    assert.throws(() => new UptoStellarClient(signer, { rpcUrl: 'not a URL' }), TypeError);
  });
});
