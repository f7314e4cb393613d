import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigError } from './configError.ts';
import { configFromEnvironment } from './configFromEnvironment.ts';

const MINIMUM = {
  STELLAR_RPC_URL: 'http://127.0.0.1:8000/rpc',
  SPONSOR_SECRET: 'SSPONSOR',
  CHANNEL_SEED: 'a seed that is long enough',
};

function problems(environment: Record<string, string | undefined>): readonly string[] {
  try {
    configFromEnvironment(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
}

describe('The configuration from the environment', () => {
  it('needs the network, the sponsor and the channels, and has defaults for the rest', () => {
    const config = configFromEnvironment(MINIMUM);
    assert.equal(config.port, 4_021);
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.expiryToleranceLedgers, 6);
    assert.deepEqual(config.channels, { seed: MINIMUM.CHANNEL_SEED });
  });

  it('[spec: Limits/Fee ceiling] 500,000 stroops by default, raisable via MAX_TX_FEE_STROOPS', () => {
    assert.equal(configFromEnvironment(MINIMUM).maxTxFeeStroops, 500_000n);
    const raised = configFromEnvironment({ ...MINIMUM, MAX_TX_FEE_STROOPS: '750000' });
    assert.equal(raised.maxTxFeeStroops, 750_000n);
  });

  it('accepts the channels as a list of secrets, however it is separated', () => {
    const environment = { ...MINIMUM, CHANNEL_SEED: undefined, CHANNEL_SECRETS: 'SA, SB\nSC' };
    assert.deepEqual(configFromEnvironment(environment).channels, { secrets: ['SA', 'SB', 'SC'] });
  });

  it('reads the floor in XLM', () => {
    const config = configFromEnvironment({ ...MINIMUM, SPONSOR_FLOOR_XLM: '2.5' });
    assert.equal(config.sponsorFloorStroops, 25_000_000n);
  });

  it('names every problem at once', () => {
    const found = problems({});
    assert.equal(found.length, 3);
    for (const name of ['STELLAR_RPC_URL', 'SPONSOR_SECRET', 'CHANNEL_SEED']) {
      assert.ok(found.some((problem) => problem.includes(name)));
    }
  });

  it('says for each variable what it must be', () => {
    const wrong: Record<string, string> = {
      STELLAR_RPC_URL: 'ftp://x',
      HORIZON_URL: 'x',
      PORT: '70000',
      MAX_TX_FEE_STROOPS: '-5',
      INCLUSION_FEE_STROOPS: '1.5',
      SPONSOR_FLOOR_XLM: '1e3',
      EXPIRY_TOLERANCE_LEDGERS: 'many',
      CHANNEL_SEED: 'short',
      BUSY_PORT: 'perhaps',
    };
    for (const [name, value] of Object.entries(wrong)) {
      const found = problems({ ...MINIMUM, [name]: value });
      assert.equal(found.length, 1, name);
      assert.ok(found[0]?.startsWith(name), found[0]);
    }
  });

  it('refuses two definitions of the channels', () => {
    assert.match(problems({ ...MINIMUM, CHANNEL_SECRETS: 'SA' })[0] ?? '', /keep one/);
  });

  it('reveals no secret', () => {
    const text = problems({ ...MINIMUM, PORT: 'x', CHANNEL_SECRETS: 'SA' }).join();
    for (const secret of [MINIMUM.SPONSOR_SECRET, MINIMUM.CHANNEL_SEED]) {
      assert.equal(text.includes(secret), false);
    }
  });
});
