import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Claim, claimOf } from './claim.ts';
import { BUYER, type Delivered, judgeAnswers, type LedgerFacts } from './judge.ts';

const HASH = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);
const AMOUNT = 100n;
const MOVED: LedgerFacts = { payment: 'p', moved: [{ hash: HASH, ledger: 7, arrived: AMOUNT }] };
const EMPTY: LedgerFacts = { payment: 'p', moved: [{ hash: HASH, ledger: 7, arrived: 0n }] };
const STILL: LedgerFacts = { payment: 'p', moved: [] };
const ASKED = [{ payment: 'p', at: 10 }];

function answer(body: object, rest: Partial<Delivered> = {}): Delivered {
  const claim = claimOf(body);
  assert.ok(claim);
  const text = JSON.stringify(body);
  return {
    ...{ payment: 'p', to: 'seller', from: 'i0', at: 100, seen: 9, claim, text, named: false },
    ...rest,
  };
}
const sold = { success: true, transaction: HASH };
const denied = { success: false, transaction: '', extra: { moneyMoved: 'no' } };
const open = {
  success: false,
  errorMessage: 'nothing was paid so far; the authorization can still pay until ledger 8',
  extra: { moneyMoved: 'not_yet' },
};
const pending = { success: false, transaction: HASH, extra: { moneyMoved: 'unknown' } };
const replayed = { success: false, extra: { moneyMoved: 'yes', transaction: HASH, ledger: 7 } };

const kinds = (
  facts: LedgerFacts,
  answers: readonly Delivered[],
  rest: { readonly asked?: readonly { payment: string; at: number }[] } = {},
) => judgeAnswers([facts], answers, rest.asked ?? ASKED, []).contradictions.map(({ kind }) => kind);

describe('An answer’s claim about money', () => {
  const nothing = { hash: undefined, ledger: undefined, amount: undefined, until: undefined };
  const cases: readonly (readonly [string, object, Claim | undefined])[] = [
    ['a success', sold, { ...nothing, money: 'yes', denies: false, hash: HASH, sale: true }],
    [
      'a replay',
      replayed,
      { ...nothing, money: 'yes', denies: false, hash: HASH, ledger: 7, sale: false },
    ],
    ['a refusal', denied, { ...nothing, money: 'no', denies: true, sale: false }],
    ['an open one', open, { ...nothing, money: 'not_yet', denies: false, until: 8, sale: false }],
    [
      'advice to sign again',
      { errorMessage: 'Sign a new payment.', extra: { moneyMoved: 'unknown' } },
      { ...nothing, money: 'unknown', denies: true, sale: false },
    ],
    [
      'advice not to sign again',
      { errorMessage: 'Do not sign a new payment.', extra: { moneyMoved: 'unknown' } },
      { ...nothing, money: 'unknown', denies: false, sale: false },
    ],
    [
      'a state',
      { state: 'settled', moneyMoved: 'yes', transaction: HASH, ledger: 7, amount: '100' },
      {
        ...{ ...nothing, money: 'yes', denies: false, hash: HASH },
        ...{ ledger: 7, amount: 100n, sale: false },
      },
    ],
    ['a valid /verify', { isValid: true }, undefined],
    ['no object', [], undefined],
  ];
  for (const [money, text, denies] of [
    ['unknown', 'Sign another payment.', true],
    ['not_yet', 'Present it again, or sign another one.', true],
    ['yes', 'Sign a new payment for the same purchase.', true],
    ['unknown', 'Do not sign another payment for this request before ledger 8 has closed.', false],
    ['unknown', 'Ask again before you sign another payment for this purchase.', false],
    ['unknown', 'Sign another one for the same purchase only if it did not.', false],
    [
      'not_yet',
      'Present it again; sign another one only once this one can no longer settle.',
      false,
    ],
    ['yes', 'Sign another payment only for another purchase.', false],
    ['yes', 'It has paid, so sign a new one only for a new purchase.', false],
    // What a request submitted says nothing of its authorization, so each answer has to say that as well.
    ['unknown', 'Nothing was submitted.', true],
    [
      'unknown',
      'It was never submitted. Sign another one only once this one can no longer settle.',
      true,
    ],
    ['unknown', 'It was never submitted. It can still pay until ledger 8.', true],
    [
      'not_yet',
      'It was never submitted. Whether the payment was made is not known: it was not read.',
      true,
    ],
    ['yes', 'Nothing was submitted.', true],
    [
      'yes',
      'Nothing was submitted. Whether the payment was made is not known: it was not read.',
      true,
    ],
    [
      'unknown',
      'It was never submitted. Whether the payment was made is not known: it was not read.',
      false,
    ],
    [
      'not_yet',
      'It was never submitted. Nothing was paid so far; the authorization can still pay until ledger 8.',
      false,
    ],
    ['yes', 'Nothing was submitted. The payment is made: a transaction in ledger 7.', false],
  ] as const) {
    it(`“${text}” beside ${money}: it ${denies ? 'says' : 'does not say'} that this one will never pay`, () => {
      assert.equal(claimOf({ errorMessage: text, extra: { moneyMoved: money } })?.denies, denies);
    });
  }
  it('the last ledger is the member of the answer, whatever its words say', () => {
    const extra = { moneyMoved: 'not_yet', payableUntil: 9 };
    assert.equal(claimOf({ errorMessage: 'it can pay until ledger 8', extra })?.until, 9);
  });
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

  it('"no money moved" for a payment that moves later, whatever was asked in between', () => {
    const later = { ...MOVED, moved: [{ hash: HASH, ledger: 20, arrived: AMOUNT }] };
    const asked = [...ASKED, { payment: 'p', at: 400 }];
    assert.deepEqual(kinds(later, [answer(denied)], { asked }), ['reported that no money moved']);
  });

  it('"no money moved" after another signature with the same nonce had paid', () => {
    const kin = { ...STILL, kin: MOVED.moved };
    assert.deepEqual(kinds(kin, [answer(denied)]), ['reported that no money moved']);
    assert.deepEqual(kinds(kin, [answer(denied, { seen: 6 })]), []);
    assert.deepEqual(kinds(kin, [answer(replayed)]), []);
  });

  it('"not yet" for a payment that had moved, or that moves after the end that was named', () => {
    const told = (seen: number) => [answer(open, { seen }), answer(sold, { at: 200 })];
    assert.deepEqual(kinds(MOVED, told(6)), []);
    assert.deepEqual(kinds(MOVED, told(7)), ['reported that nothing moved so far']);
    const late = { ...MOVED, moved: [{ hash: HASH, ledger: 9, arrived: AMOUNT }] };
    assert.deepEqual(kinds(late, told(6)), ['moved after its reported end']);
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

  it('an amount that did not arrive, and a success that brought nothing', () => {
    const amount = (units: string) => [answer({ ...sold, amount: units })];
    assert.deepEqual(kinds(MOVED, amount('100')), []);
    assert.deepEqual(kinds(MOVED, amount('101')), ['wrong amount']);
    assert.deepEqual(kinds(EMPTY, amount('100')), ['wrong amount']);
    assert.deepEqual(kinds(EMPTY, amount('0')), ['reported that money moved']);
    assert.deepEqual(kinds(EMPTY, [answer(replayed)]), ['reported that money moved']);
    assert.deepEqual(kinds(EMPTY, [answer(denied)]), []);
  });

  it('money that a token reported and did not move is what the ledger shows: “yes” agrees with it, and “no” contradicts what moved', () => {
    const reported = { hash: HASH, ledger: 7, arrived: 0n, shown: AMOUNT };
    assert.deepEqual(kinds({ payment: 'p', moved: [reported] }, [answer(sold)]), []);
    const silent = { hash: HASH, ledger: 7, arrived: AMOUNT, shown: 0n };
    const facts = { payment: 'p', moved: [silent] };
    assert.deepEqual(kinds(facts, [answer(sold)]), ['reported that money moved']);
    assert.deepEqual(kinds(facts, [answer(denied)]), ['reported that no money moved']);
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
    const both = { ...MOVED, moved: [...MOVED.moved, { hash: OTHER, ledger: 9, arrived: AMOUNT }] };
    assert.deepEqual(kinds(both, [answer(sold)]), ['moved twice']);
  });

  it('one sale that two authorizations paid', () => {
    const sale = (payment: string) => ({ ...MOVED, payment, sale: 's' });
    const judge = (facts: readonly LedgerFacts[]) =>
      judgeAnswers(facts, [], [], []).contradictions.map(({ kind }) => kind);
    assert.deepEqual(judge([sale('p'), sale('q')]), ['sale paid twice']);
    assert.deepEqual(judge([sale('p'), { ...STILL, payment: 'q', sale: 's' }]), []);
    assert.deepEqual(judge([MOVED, { ...MOVED, payment: 'q' }]), []);
  });

  it('a payment whose outcome is never reported', () => {
    assert.deepEqual(kinds(MOVED, [answer(pending)]), ['never reported']);
    assert.deepEqual(kinds(STILL, []), ['never reported']);
    assert.deepEqual(kinds(STILL, [], { asked: [] }), []);
    const unknownToBuyer = answer(pending, { to: BUYER, at: 900 });
    assert.deepEqual(kinds(MOVED, [answer(sold), unknownToBuyer]), []);
    // The end was reported once; a caller that names only the nonce cannot get it again.
    assert.deepEqual(kinds(STILL, [answer(denied), answer(pending, { at: 900 })]), []);
  });
});
