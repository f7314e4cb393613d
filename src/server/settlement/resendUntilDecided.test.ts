import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testKey } from '../../../test/support/payer.ts';
import { testClock } from '../../../test/support/testClock.ts';
import type { SettlementHash } from '../../protocol/index.ts';
import type { StellarNetwork } from '../network/index.ts';
import { resendUntilDecided } from './resendUntilDecided.ts';

const TRANSACTION = {
  hash: 'ab'.repeat(32) as SettlementHash,
  envelope: 'AAAA',
  channel: testKey('channel').address,
  sequence: 5n,
  lastLedger: 1_000,
  sentAfter: 10,
};

describe('A transaction that no ledger shows is submitted again', () => {
  it('even if the wall clock is set back by days meanwhile', async () => {
    const clock = testClock();
    let looks = 0;
    let sends = 0;
    const network = {
      lookUp: async () => {
        looks++;
        return { status: 'NOT_FOUND' as const, latestLedger: 20, oldestLedger: 1 };
      },
      send: async () => {
        sends++;
        return { status: 'PENDING' as const, latestLedger: 20, resultCode: undefined };
      },
    } as unknown as StellarNetwork;
    const setBack = { ...clock, now: () => clock.now() - (looks > 2 ? 9 * 86_400_000 : 0) };
    const fate = await resendUntilDecided(TRANSACTION, undefined, {
      network,
      clock: setBack,
      sponsor: testKey('sponsor'),
      running: () => sends < 3 && looks < 1_000,
    });
    assert.equal(fate, undefined);
    assert.equal(sends, 3);
  });
});
