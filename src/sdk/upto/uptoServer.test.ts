import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Price, Requirements, SupportedKind } from '../seller/index.ts';
import { UptoStellarServer } from './uptoServer.ts';

const CONTRACT = 'CDPETPFJXCBHIMGQERUKCWER6ISYW565DQQT3GER7VSLOUHG5IMGUVZ6';
const OTHER = 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA';
const kind = (extra?: Record<string, unknown>): SupportedKind => ({
  x402Version: 2,
  scheme: 'upto',
  network: 'stellar:testnet',
  ...(extra === undefined ? {} : { extra }),
});
const requirements: Requirements = {
  scheme: 'upto',
  network: 'stellar:testnet',
  asset: OTHER,
  amount: '10000000',
  payTo: 'GABC',
  maxTimeoutSeconds: 300,
  extra: { own: 1 },
};

describe("A seller's side of scheme upto", () => {
  const server = new UptoStellarServer();
  const parse = (price: Price) => server.parsePrice(price, 'stellar:testnet');

  it('[spec: Upto wire shape/Seller] [spec: paymentRequirements/Price] declares the price as the ceiling, dollars in testnet USDC', async () => {
    for (const price of ['$1.00', '1.00', '1 USD', '1 USDC', 1]) {
      assert.deepEqual(await parse(price), { asset: OTHER, amount: '10000000', extra: {} });
    }
    assert.equal((await parse('$0.0000001')).amount, '1');
  });

  it('[spec: paymentRequirements/Price] takes an amount of an asset unchanged', async () => {
    const price = { asset: CONTRACT, amount: '5', extra: { a: 1 } };
    assert.deepEqual(await parse(price), price);
  });

  it('refuses a price that it would have to round', async () => {
    for (const price of ['$0.00000001', 'a dollar', '-1', '', Number.NaN]) {
      await assert.rejects(parse(price), RangeError);
    }
  });

  it('[spec: Versioning/uptoContract] passes the facilitator’s data on to the buyer: who pays fees, up to what, and which contract settles', async () => {
    const maxTransactionFeeStroops = '500000';
    const fees = { areFeesSponsored: true, maxTransactionFeeStroops };
    const supported = kind({ ...fees, uptoContract: CONTRACT, other: 1 });
    const enhanced = await server.enhancePaymentRequirements(requirements, supported, []);
    assert.deepEqual(enhanced, {
      ...requirements,
      extra: { own: 1, ...fees, uptoContract: CONTRACT },
    });
  });

  it('refuses a facilitator without a contract, or with another one than configured', async () => {
    const configured = new UptoStellarServer({ contract: OTHER });
    for (const [one, supported] of [
      [server, kind()],
      [server, kind({ areFeesSponsored: true })],
      [configured, kind({ areFeesSponsored: true, uptoContract: CONTRACT })],
    ] as const) {
      assert.ok(one.validateFacilitatorSupport('stellar:testnet', supported));
      await assert.rejects(one.enhancePaymentRequirements(requirements, supported, []));
    }
  });

  it('has seven decimal places, with which a settlement override in dollars is read', () => {
    assert.equal(server.getAssetDecimals(OTHER, 'stellar:testnet'), 7);
  });
});
