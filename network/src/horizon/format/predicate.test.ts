import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { predicateText } from './predicate.ts';

const P = xdr.ClaimPredicate;

describe('Claim predicates are written as Horizon writes them', () => {
  it('one inside the other', () => {
    const predicate = P.claimPredicateOr([
      P.claimPredicateAnd([
        P.claimPredicateNot(P.claimPredicateBeforeRelativeTime(60n)),
        P.claimPredicateUnconditional(),
      ]),
      P.claimPredicateBeforeAbsoluteTime(1_600_000_000n),
    ]);
    assert.deepEqual(predicateText(predicate), {
      or: [
        { and: [{ not: { rel_before: '60' } }, { unconditional: true }] },
        { abs_before: '2020-09-13T12:26:40Z', abs_before_epoch: '1600000000' },
      ],
    });
  });

  it('with times beyond what calendars of four digits know', () => {
    const textOf = (seconds: bigint): unknown =>
      predicateText(P.claimPredicateBeforeAbsoluteTime(seconds))['abs_before'];
    assert.equal(textOf(0n), '1970-01-01T00:00:00Z');
    assert.equal(textOf(253_402_300_799n), '9999-12-31T23:59:59Z');
    assert.equal(textOf(253_402_300_800n), '+10000-01-01T00:00:00Z');
    assert.equal(textOf(2n ** 63n - 1n), '+292277026596-12-04T15:30:07Z');
  });
});
