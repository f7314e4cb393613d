import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PAYER } from '../../../test/support/payment.ts';
import { authorizationKey } from '../../protocol/stellar/index.ts';
import { createReplayGuard } from './replayGuard.ts';

const key = (nonce: bigint) => authorizationKey(PAYER.address, nonce);

describe('The replay guard', () => {
  it('[spec: Errors/authorization_replayed] lets the same authorization in once', () => {
    const guard = createReplayGuard();
    assert.ok(guard.claim(key(1n), 100) !== undefined);
    assert.equal(guard.claim(key(1n), 100), undefined);
    assert.equal(guard.isKnown(key(1n)), true);
    assert.ok(guard.claim(key(2n), 100) !== undefined);
  });

  it('lets it in again when it was certainly never submitted', () => {
    const guard = createReplayGuard();
    guard.claim(key(1n), 100)?.release();
    assert.equal(guard.isKnown(key(1n)), false);
    assert.ok(guard.claim(key(1n), 100) !== undefined);
  });

  it('forgets what no ledger would take any more, and nothing before', () => {
    const guard = createReplayGuard();
    guard.claim(key(1n), 1_000);
    guard.claim(key(2n), 2_000);
    guard.forgetExpired(1_100);
    assert.equal(guard.size, 2);
    guard.forgetExpired(1_121);
    assert.equal(guard.isKnown(key(1n)), false);
    assert.equal(guard.isKnown(key(2n)), true);
  });
});
