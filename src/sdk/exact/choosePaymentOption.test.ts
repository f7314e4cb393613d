import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { USDC_CONTRACT } from '../../protocol/index.ts';
import { type Challenge, type OfferedOption, readChallenge } from './challenge.ts';
import { choosePaymentOption, type PaymentLimits } from './choosePaymentOption.ts';

const PAY_TO = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

const good: OfferedOption = {
  scheme: 'exact',
  network: 'stellar:testnet',
  asset: USDC_CONTRACT,
  amount: '100000',
  payTo: PAY_TO,
  maxTimeoutSeconds: 60,
  extra: { areFeesSponsored: true },
};

const challenge = (...options: OfferedOption[]): Challenge => ({
  options,
  malformed: 0,
  resource: undefined,
  extensions: undefined,
  error: undefined,
});

const choose = (offered: OfferedOption[], limits: Partial<PaymentLimits> = {}) =>
  choosePaymentOption(challenge(...offered), { network: 'stellar:testnet', ...limits });

const refuses = (offered: OfferedOption[], code: string, limits: Partial<PaymentLimits> = {}) =>
  assert.throws(() => choose(offered, limits), { code, moneyMoved: 'no' });

describe('[spec: SDK wallet handle/Option selection] the paid option', () => {
  it('[spec: SDK errors/NoUsablePaymentOptionError] matches scheme and network, and has sponsored fees', () => {
    const others = [
      { ...good, network: 'eip155:8453', asset: '0x0' },
      { ...good, scheme: 'upto' },
      { ...good, extra: { areFeesSponsored: false } },
      { ...good, extra: null },
    ];
    assert.equal(choose([...others, good]).offered, good);
    for (const other of others) refuses([other], 'no_usable_payment_option');
    refuses([], 'no_usable_payment_option');
  });

  it('[spec: SDK wallet handle/allowedAssets] is in an allowed asset', () => {
    assert.equal(choose([good], { allowedAssets: [USDC_CONTRACT] }).asset, USDC_CONTRACT);
    refuses([good], 'disallowed_asset', { allowedAssets: [] });
  });

  it('[spec: SDK wallet handle/maxAmount] costs at most the maximum; a cheaper offer after an expensive one is used', () => {
    const dear = { ...good, amount: '100001' };
    assert.equal(choose([dear, good], { maxAmount: 100_000n }).amount, 100_000n);
    assert.equal(choose([dear, good]).amount, 100_001n);
    assert.throws(() => choose([dear, good], { maxAmount: 5n }), { asked: 100_000n });
  });

  it('[spec: SDK errors/InvalidRequirementsError] is well formed', () => {
    for (const wrong of [
      { amount: '0.01' },
      { amount: '-1' },
      { amount: '1e5' },
      { amount: '0' },
      { asset: PAY_TO },
      { payTo: 'GBHEGW3KXX' },
      { maxTimeoutSeconds: 0 },
      { maxTimeoutSeconds: Number.NaN },
    ]) {
      refuses([{ ...good, ...wrong }], 'invalid_requirements');
      assert.equal(choose([{ ...good, ...wrong }, good]).offered, good);
    }
  });
});

describe('M10: a seller with a timeout of more than a day', () => {
  it('is paid with a signature that is valid for a day', () => {
    const patient = { ...good, maxTimeoutSeconds: 172_800 };
    const { maxTimeoutSeconds, offered } = choose([patient]);
    assert.equal(maxTimeoutSeconds, 86_400);
    assert.equal(offered, patient);
  });
});

describe('the terms of a 402', () => {
  const response = (header: string | null) => ({
    status: 402,
    headers: { get: () => header },
    text: () => Promise.resolve(''),
  });
  const header = (message: unknown) => Buffer.from(JSON.stringify(message)).toString('base64');

  it('keep offers of the known form and count the others', () => {
    const offered = { ...good, later: 1 };
    const read = readChallenge(response(header({ x402Version: 2, accepts: [offered, {}, 5] })));
    assert.deepEqual(read.options, [offered]);
    assert.equal(read.malformed, 2);
  });

  it('are refused when missing, too long, or of another version', () => {
    for (const text of [
      null,
      '',
      'not base64!',
      header({ x402Version: 1, accepts: [] }),
      header({ x402Version: 2 }),
      header({ x402Version: 2, accepts: [], error: 'x'.repeat(70_000) }),
    ]) {
      assert.throws(() => readChallenge(response(text)), { code: 'invalid_requirements' });
    }
  });
});
