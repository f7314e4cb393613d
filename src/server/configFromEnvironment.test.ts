import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testKey } from '../../test/support/payer.ts';
import { ConfigError } from './configError.ts';
import { configFromEnvironment } from './configFromEnvironment.ts';
import { deriveChannelSecrets } from './settlement/index.ts';

const MINIMUM = {
  STELLAR_RPC_URL: 'http://127.0.0.1:8000/rpc',
  SPONSOR_SECRET: testKey('sponsor of the configuration').secret,
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
    const secrets = deriveChannelSecrets('the fifty of this test');
    const [first, second, ...others] = secrets;
    const text = `${first}, ${second}\n${others.join(' ')}`;
    const environment = { ...MINIMUM, CHANNEL_SEED: undefined, CHANNEL_SECRETS: text };
    assert.deepEqual(configFromEnvironment(environment).channels, { secrets });
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

  it('[finding: O8] names a malformed secret beside the other problems', () => {
    const found = problems({ STELLAR_RPC_URL: 'ftp://x', SPONSOR_SECRET: 'abc', PORT: '70000' });
    assert.equal(found.length, 4, found.join('\n'));
    for (const name of ['STELLAR_RPC_URL', 'SPONSOR_SECRET', 'CHANNEL_SEED', 'PORT']) {
      assert.ok(
        found.some((problem) => problem.includes(name)),
        name,
      );
    }
    const few = problems({ ...MINIMUM, CHANNEL_SEED: undefined, CHANNEL_SECRETS: 'SA SB' });
    assert.match(few.join('\n'), /has 2 accounts[\s\S]*Channel 1 is malformed[\s\S]*Channel 2 is/);
  });

  it('[finding: D3] refuses the examples of the pages by name, and shows how to make a seed', () => {
    for (const seed of ['a long random text', 'A long random text.', '"a-long-random-text"']) {
      const [problem = ''] = problems({ ...MINIMUM, CHANNEL_SEED: seed });
      assert.match(problem, /published example .*openssl rand -hex 32/);
    }
    assert.match(problems({ ...MINIMUM, CHANNEL_SEED: 'aaaaaaaabbbbbbbb' })[0] ?? '', /guessed/);
    const secrets = deriveChannelSecrets('a long random text').join(' ');
    const listed = { ...MINIMUM, CHANNEL_SEED: undefined, CHANNEL_SECRETS: secrets };
    assert.match(problems(listed)[0] ?? '', /CHANNEL_SECRETS .*published example/);
  });

  it('[finding: D3] refuses sponsors whose secrets were published', () => {
    const known = 'SCZANGBA5YHTNYVVV4C3U252E2B6P6F5T3U6MM63WBSBZATAQI3EBTQ4';
    const root = 'SDHOAMBNLGCE2MV5ZKIVZAQD3VCLGP53P3OBSBI6UN5L5XZI5TKHFQL4';
    for (const secret of [known, root]) {
      const [problem = ''] = problems({ ...MINIMUM, SPONSOR_SECRET: secret });
      assert.match(problem, /^SPONSOR_SECRET is a published example \(.*account G/);
      assert.ok(!problem.includes(secret));
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
      TRUSTED_PROXIES: '10.0.0.0/33, proxy.example',
      OPERATOR_PORT: 'x',
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
