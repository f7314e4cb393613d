import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { testKey } from '../../../test/support/payer.ts';
import { ConfigError } from '../configError.ts';
import { deriveChannelSecrets } from './channelSecrets.ts';
import { openSigners } from './openSigners.ts';
import { openSigner } from './signer.ts';

const sponsorSecret = testKey('sponsor').secret;
const fifty = deriveChannelSecrets('a seed that is long enough');

function problems(secrets: readonly string[], sponsor = sponsorSecret): readonly string[] {
  try {
    openSigners({ sponsorSecret: sponsor, channels: { secrets } });
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
}

describe('The channel pool has exactly 50 accounts, enforced at boot', () => {
  it('[spec: Limits/Channel pool] 50 different accounts are taken', () => {
    const { channels, addresses } = openSigners({ sponsorSecret, channels: { secrets: fifty } });
    assert.equal(channels.length, 50);
    assert.equal(addresses.size, 51);
  });

  it('[spec: Limits/Channel pool] 49 refuse to start, and say how many to add', () => {
    assert.match(problems(fifty.slice(1))[0] ?? '', /has 49 accounts.*exactly 50: add 1\./);
  });

  it('[spec: Limits/Channel pool] 51 refuse to start: extra keys are rejected', () => {
    const extra = testKey('one more').secret;
    assert.match(problems([...fifty, extra])[0] ?? '', /has 51 accounts.*exactly 50: remove 1\./);
  });

  it('[spec: Limits/Channel pool] the sponsor account is never in the pool', () => {
    const secrets = [...fifty.slice(0, 49), sponsorSecret];
    assert.match(problems(secrets)[0] ?? '', /Channel 50 is the sponsor \(G/);
  });

  it('an account that occurs twice is named with both positions', () => {
    const [first = ''] = fifty;
    assert.match(
      problems([...fifty.slice(0, 49), first])[0] ?? '',
      /Channel 50 repeats channel 1 /,
    );
  });

  it('malformed secrets are named by position, all at once', () => {
    const found = problems(['SABC', ...fifty.slice(2), 'GABC'], 'x');
    assert.equal(found.length, 3);
    assert.match(found.join('\n'), /sponsor secret is malformed.*Channel 1 is.*Channel 50 is/s);
  });

  it('no problem contains a secret', () => {
    const all = problems([...fifty, fifty[0] ?? '', sponsorSecret, 'SSECRETBUTWRONG']).join('\n');
    for (const secret of [...fifty, sponsorSecret, 'SSECRETBUTWRONG']) {
      assert.equal(all.includes(secret), false);
    }
  });
});

describe('The 50 derive from one seed', () => {
  it('the same ones each time, others for another seed', () => {
    assert.deepEqual(deriveChannelSecrets('a seed that is long enough'), fifty);
    const others = new Set(deriveChannelSecrets('another seed of that length'));
    assert.equal(others.size, 50);
    for (const secret of fifty) assert.equal(others.has(secret), false);
  });
});

describe('A signer', () => {
  it('signs as the Stellar SDK does', () => {
    const keypair = Keypair.fromSecret(sponsorSecret);
    const signer = openSigner(sponsorSecret);
    assert.equal(signer?.address, keypair.publicKey());
    const hash = Buffer.alloc(32, 3);
    assert.deepEqual(Buffer.from(signer?.sign(hash) ?? []), Buffer.from(keypair.sign(hash)));
  });

  it('does not give its secret away', () => {
    assert.equal(JSON.stringify(openSigner(sponsorSecret)).includes(sponsorSecret), false);
  });
});
