import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Requirements, SupportedKind } from './schemeTypes.ts';
import { withFeeCeiling } from './withFeeCeiling.ts';

const requirements: Requirements = {
  scheme: 'exact',
  network: 'stellar:testnet',
  asset: 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA',
  amount: '10000000',
  payTo: 'GABC',
  maxTimeoutSeconds: 300,
  extra: { own: 1 },
};
const kind = (extra: Record<string, unknown>): SupportedKind => ({
  x402Version: 2,
  scheme: 'exact',
  network: 'stellar:testnet',
  extra,
});

/** A scheme like those of the published packages: a class with a private field. */
class Scheme {
  readonly scheme = 'exact';
  readonly #decimals = 7;

  async enhancePaymentRequirements(
    { extra, ...terms }: Requirements,
    supported: SupportedKind,
    _extensions: string[],
  ): Promise<Requirements> {
    const areFeesSponsored = supported.extra?.['areFeesSponsored'];
    return { ...terms, extra: { ...extra, areFeesSponsored } };
  }

  getAssetDecimals(): number {
    return this.#decimals;
  }
}

describe('M9: the fee ceiling is in the challenge (upstream #3515)', () => {
  const scheme = withFeeCeiling(new Scheme());

  it('a scheme repeats the facilitator’s ceiling', async () => {
    const { extra } = await scheme.enhancePaymentRequirements(
      requirements,
      kind({ areFeesSponsored: true, maxTransactionFeeStroops: '500000' }),
      [],
    );
    assert.deepEqual(extra, {
      own: 1,
      areFeesSponsored: true,
      maxTransactionFeeStroops: '500000',
    });
  });

  it('and adds nothing if the facilitator names no ceiling', async () => {
    const supported = kind({ areFeesSponsored: true });
    const { extra } = await scheme.enhancePaymentRequirements(requirements, supported, []);
    assert.deepEqual(extra, { own: 1, areFeesSponsored: true });
  });

  it('otherwise the scheme is unchanged', () => {
    assert.equal(scheme.scheme, 'exact');
    assert.equal(scheme.getAssetDecimals(), 7);
  });
});
