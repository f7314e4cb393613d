import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Claim, claimOf } from './claim.ts';
import { BUYER, type Delivered, judgeAnswers, type LedgerFacts } from './judge.ts';

const HASH = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);
const MOVED: LedgerFacts = {
  payment: 'p',
  moved: [{ hash: HASH, ledger: 7, leftAt: 50 }],
};
const STILL: LedgerFacts = { payment: 'p', moved: [] };
const ASKED = [{ payment: 'p', at: 10 }];

function answer(body: object, rest: Partial<Delivered> = {}): Delivered {
  const claim = claimOf(body);
  assert.ok(claim);
  return {
    ...{ payment: 'p', to: 'seller', from: 'i0', at: 100, claim, text: JSON.stringify(body) },
    ...{ named: false, untilAskedAgain: true, ...rest },
  };
}
const sold = { success: true, transaction: HASH };
const denied = { success: false, transaction: '', extra: { moneyMoved: 'no' } };
const pending = { success: false, transaction: HASH, extra: { moneyMoved: 'unknown' } };
const replayed = { success: false, extra: { moneyMoved: 'yes', transaction: HASH, ledger: 7 } };

const kinds = (
  facts: LedgerFacts,
  answers: readonly Delivered[],
  rest: { readonly asked?: readonly { payment: string; at: number }[] } = {},
) => judgeAnswers([facts], answers, rest.asked ?? ASKED, []).contradictions.map(({ kind }) => kind);

describe('An answer’s claim about money', () => {
  const cases: readonly (readonly [string, object, Claim | undefined])[] = [
    ['a success', sold, { money: 'yes', hash: HASH, ledger: undefined, sale: true }],
    ['a replay', replayed, { money: 'yes', hash: HASH, ledger: 7, sale: false }],
    ['a refusal', denied, { money: 'no', hash: undefined, ledger: undefined, sale: false }],
    [
      'a state',
      { state: 'settled', moneyMoved: 'yes', transaction: HASH, ledger: 7 },
      { money: 'yes', hash: HASH, ledger: 7, sale: false },
    ],
    ['a valid /verify', { isValid: true }, undefined],
    ['no object', [], undefined],
  ];
  for (const [what, body, claim] of cases) {
    it(`${what} is read`, () => assert.deepEqual(claimOf(body), claim));
  }
});

describe('The oracle finds each false answer', () => {
  it('answers that agree with the ledger are not false', () => {
    assert.deepEqual(kinds(MOVED, [answer(pending), answer(sold, { at: 200 })]), []);
    assert.deepEqual(kinds(MOVED, [answer(sold), answer(replayed, { at: 200 })]), []);
    assert.deepEqual(kinds(STILL, [answer(denied)]), []);
  });

  it('"no money moved" for a payment that moved', () => {
    assert.deepEqual(kinds(MOVED, [answer(denied)]), ['reported that no money moved']);
  });

  it('"only fees" for a payment that moved', () => {
    const failed = { success: false, transaction: HASH, extra: { moneyMoved: 'fees' } };
    assert.deepEqual(kinds(MOVED, [answer(failed)]), ['reported that no money moved']);
  });

  it('"no money moved" for a payment that moves later, without another request', () => {
    const later = { ...MOVED, moved: [{ hash: HASH, ledger: 7, leftAt: 500 }] };
    assert.deepEqual(kinds(later, [answer(denied)]), ['reported that no money moved']);
  });

  it('… but not if it was requested again before it was sent', () => {
    const later = { ...MOVED, moved: [{ hash: HASH, ledger: 7, leftAt: 500 }] };
    const asked = [...ASKED, { payment: 'p', at: 400 }];
    const told = [answer(denied), answer(sold, { at: 600 })];
    assert.deepEqual(kinds(later, told, { asked }), []);
    const never = [answer(denied, { untilAskedAgain: false }), answer(sold, { at: 600 })];
    assert.deepEqual(kinds(later, never, { asked }), ['reported that no money moved']);
    const afterIt = [...ASKED, { payment: 'p', at: 550 }];
    assert.deepEqual(kinds(later, told, { asked: afterIt }), ['reported that no money moved']);
  });

  it('"money moved" for a payment that did not', () => {
    assert.deepEqual(kinds(STILL, [answer(sold)]), ['reported that money moved']);
    assert.deepEqual(kinds(STILL, [answer(replayed)]), ['reported that money moved']);
  });

  it('a wrong hash, and a wrong ledger', () => {
    assert.deepEqual(kinds(MOVED, [answer({ ...sold, transaction: OTHER })]), ['wrong hash']);
    const body = { state: 'settled', moneyMoved: 'yes', transaction: HASH, ledger: 8 };
    assert.deepEqual(kinds(MOVED, [answer(body)]), ['wrong ledger']);
  });

  it('one payment sold twice', () => {
    const twice = [answer(sold), answer(sold, { at: 9_000 })];
    assert.deepEqual(kinds(MOVED, twice), ['sold twice']);
    const named = twice.map((one) => ({ ...one, named: true }));
    assert.deepEqual(kinds(MOVED, named), []);
  });

  it('a second sale is counted separately if the process was interrupted right after the first', () => {
    const twice = [answer(sold), answer(sold, { at: 9_000 })];
    const kill = { from: 'i0', kind: 'kill', begun: 150, ended: 150 };
    const judged = judgeAnswers([MOVED], twice, ASKED, [kill]);
    assert.deepEqual([judged.contradictions.length, judged.soldAgainAfterInterruption], [0, 1]);
    const elsewhere = judgeAnswers([MOVED], twice, ASKED, [{ ...kill, from: 'i1' }]);
    assert.equal(elsewhere.contradictions.length, 1);
    const before = judgeAnswers([MOVED], twice, ASKED, [{ ...kill, begun: 20, ended: 20 }]);
    assert.equal(before.contradictions.length, 1);
  });

  it('one payment that moved twice', () => {
    const both = { ...MOVED, moved: [...MOVED.moved, { hash: OTHER, ledger: 9, leftAt: 60 }] };
    assert.deepEqual(kinds(both, [answer(sold)]), ['moved twice']);
  });

  it('a payment whose outcome is never reported', () => {
    assert.deepEqual(kinds(MOVED, [answer(pending)]), ['never reported']);
    assert.deepEqual(kinds(STILL, []), ['never reported']);
    assert.deepEqual(kinds(STILL, [], { asked: [] }), []);
    const unknownToBuyer = answer(pending, { to: BUYER, at: 900 });
    assert.deepEqual(kinds(MOVED, [answer(sold), unknownToBuyer]), []);
  });
});
