import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { scValToNative, xdr } from '@stellar/stellar-sdk';
import { totalLumens } from '../../../test/helpers/testInvariants.ts';
import { TestMarket } from '../../../test/helpers/testMarket.ts';
import { beginOp, changeTrustOp, endOp, paymentOp } from '../../../test/helpers/testOperations.ts';
import {
  allowTrustOp,
  balanceIdIn,
  claimant,
  claimOp,
  clawbackBalanceOp,
  createBalanceOp,
  when,
} from '../../../test/helpers/testTrustOperations.ts';
import { credit, RESERVE, TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import { accountKeyId, claimableBalanceKeyId } from '../../state/index.ts';
import { ACCOUNT_FLAGS, assetLineKeyId, INT64_MAX, numSponsoring } from '../balances/index.ts';
import { entrySponsor } from '../sponsorship/index.ts';
import { holdsPredicate, resolvePredicate } from './claimableBalance/claimPredicate.ts';

const NATIVE = xdr.Asset.assetTypeNative();
const CLOSE_TIME = 5000n;

function world() {
  const ledger = new TestWorld({ closeTime: CLOSE_TIME });
  const issuer = ledger.account('issuer', 100n * XLM, {
    flags: ACCOUNT_FLAGS.authRevocable | ACCOUNT_FLAGS.clawbackEnabled,
  });
  const alice = ledger.account('alice', 100n * XLM);
  const bob = ledger.account('bob', 100n * XLM);
  return { ledger, issuer, alice, bob, usd: credit('USD', issuer) };
}

type World = ReturnType<typeof world>;

function withLines({ ledger, issuer, alice, bob, usd }: World): void {
  ledger.apply([alice, changeTrustOp(usd, 1000n)], [bob, changeTrustOp(usd, 1000n)]);
  ledger.apply([issuer, paymentOp(alice, usd, 500n)]);
}

function create(
  { ledger }: World,
  source: xdr.PublicKey,
  body: xdr.OperationBody,
): xdr.ClaimableBalanceId {
  return balanceIdIn(ledger.apply([source, body]).raw[0]);
}

const balanceEntry = ({ ledger }: World, id: xdr.ClaimableBalanceId) =>
  ledger.state.peek(claimableBalanceKeyId(id));

const topics = (events: readonly xdr.ContractEvent[]) =>
  events.map(({ body }) => body.v0.topics.map((topic) => scValToNative(topic)));

describe('A claimable balance holds what its creator paid until a claimant takes it', () => {
  it('takes the amount from the creator, and sponsors one reserve per claimant', () => {
    const w = world();
    const total = totalLumens(w.ledger.entries());
    const id = create(w, w.alice, createBalanceOp(NATIVE, XLM, w.bob, w.issuer));
    assert.equal(w.ledger.get(w.alice).balance, 99n * XLM);
    assert.equal(w.ledger.get(w.alice).numSubEntries, 0);
    assert.equal(numSponsoring(w.ledger.get(w.alice)), 2);
    const entry = balanceEntry(w, id);
    assert.deepEqual(entry && entrySponsor(entry), w.alice);
    assert.equal(totalLumens(w.ledger.entries()), total);
  });

  it('pays the claimant, returns the reserve and is deleted', () => {
    const w = world();
    const id = create(w, w.alice, createBalanceOp(NATIVE, XLM, w.bob, w.issuer));
    assert.equal(w.ledger.one(w.bob, claimOp(id)), 'success');
    assert.equal(w.ledger.get(w.bob).balance, 101n * XLM);
    assert.equal(numSponsoring(w.ledger.get(w.alice)), 0);
    assert.equal(balanceEntry(w, id), undefined);
    assert.equal(w.ledger.one(w.bob, claimOp(id)), 'doesNotExist');
  });

  it('is named by the source, sequence and position of its operation', () => {
    const w = world();
    const { raw } = w.ledger.apply(
      [w.alice, createBalanceOp(NATIVE, 1n, w.bob)],
      [w.alice, createBalanceOp(NATIVE, 1n, w.bob)],
    );
    const preimage = xdr.HashIdPreimage.envelopeTypeOpId(
      new xdr.HashIdPreimageOperationId({ sourceAccount: w.alice, seqNum: 1n, opNum: 1 }),
    );
    assert.deepEqual(
      Buffer.from(balanceIdIn(raw[1]).v0.value),
      createHash('sha256').update(preimage.toXdr()).digest(),
    );
    assert.notDeepEqual(balanceIdIn(raw[0]), balanceIdIn(raw[1]));
  });

  it('can be created and claimed by one account in one transaction', () => {
    const w = world();
    const id = create(w, w.alice, createBalanceOp(NATIVE, XLM, w.alice));
    assert.equal(w.ledger.one(w.alice, claimOp(id)), 'success');
    assert.equal(w.ledger.get(w.alice).balance, 100n * XLM);
  });

  it('is charged to its creator’s sponsor', () => {
    const w = world();
    const outcome = w.ledger.apply(
      [w.issuer, beginOp(w.alice)],
      [w.alice, createBalanceOp(NATIVE, XLM, w.bob)],
      [w.alice, endOp()],
    );
    assert.equal(outcome.code, 'txSuccess');
    const entry = balanceEntry(w, balanceIdIn(outcome.raw[1]));
    assert.deepEqual(entry && entrySponsor(entry), w.issuer);
    assert.equal(numSponsoring(w.ledger.get(w.issuer)), 1);
  });

  it('reports both movements as transfers with the address of the balance', () => {
    const w = world();
    const created = w.ledger.apply([w.alice, createBalanceOp(NATIVE, XLM, w.bob)]);
    const id = balanceIdIn(created.raw[0]);
    const claimed = w.ledger.apply([w.bob, claimOp(id)]);
    const [out] = topics(created.events);
    const [back] = topics(claimed.events);
    assert.equal(out?.[0], 'transfer');
    assert.match(String(out?.[2]), /^B/);
    assert.equal(back?.[1], out?.[2]);
  });
});

describe('Creating a claimable balance is refused', () => {
  it('without amount, claimants, or with a claimant twice', () => {
    const { ledger, alice, bob } = world();
    assert.equal(ledger.one(alice, createBalanceOp(NATIVE, 0n, bob)), 'malformed');
    assert.equal(ledger.one(alice, createBalanceOp(NATIVE, 1n)), 'malformed');
    assert.equal(ledger.one(alice, createBalanceOp(NATIVE, 1n, bob, bob)), 'malformed');
    assert.equal(ledger.one(alice, createBalanceOp(credit('?', bob), 1n, bob)), 'malformed');
  });

  it('with a predicate that is deeper than four or lacks a part', () => {
    const { ledger, alice, bob } = world();
    const of = (predicate: xdr.ClaimPredicate): string =>
      ledger.one(alice, createBalanceOp(NATIVE, 1n, claimant(bob, predicate)));
    const deep = when.not(when.not(when.not(when.always())));
    assert.equal(of(deep), 'success');
    assert.equal(of(when.not(deep)), 'malformed');
    assert.equal(of(when.or(when.always(), deep)), 'malformed');
    assert.equal(of(when.not(null)), 'malformed');
    assert.equal(of(when.and(when.always())), 'malformed');
    assert.equal(of(when.or()), 'malformed');
    assert.equal(of(when.before(-1n)), 'malformed');
    assert.equal(of(when.within(-1n)), 'malformed');
  });

  it('beyond what the creator can spend, and then beyond its reserve', () => {
    const { ledger, alice, bob } = world();
    const spendable = 100n * XLM - 2n * RESERVE;
    assert.equal(ledger.one(alice, createBalanceOp(NATIVE, spendable + 1n, bob)), 'underfunded');
    assert.equal(ledger.one(alice, createBalanceOp(NATIVE, spendable, bob)), 'lowReserve');
    assert.equal(ledger.one(alice, createBalanceOp(NATIVE, spendable - RESERVE, bob)), 'success');
  });

  it('without an authorized trustline that covers it', () => {
    const w = world();
    const { ledger, issuer, alice, bob, usd } = w;
    assert.equal(ledger.one(alice, createBalanceOp(usd, 1n, bob)), 'noTrust');
    withLines(w);
    assert.equal(ledger.one(alice, createBalanceOp(usd, 501n, bob)), 'underfunded');
    ledger.apply([issuer, allowTrustOp(alice, 'USD', 2)]);
    assert.equal(ledger.one(alice, createBalanceOp(usd, 1n, bob)), 'notAuthorized');
  });
});

describe('Claiming is refused', () => {
  it('to an account that is not a claimant', () => {
    const w = world();
    const id = create(w, w.alice, createBalanceOp(NATIVE, XLM, w.bob));
    assert.equal(w.ledger.one(w.alice, claimOp(id)), 'cannotClaim');
  });

  it('without an authorized trustline that has room', () => {
    const w = world();
    const { ledger, issuer, alice, bob, usd } = w;
    const id = create(w, issuer, createBalanceOp(usd, 600n, alice, bob));
    assert.equal(ledger.one(alice, claimOp(id)), 'noTrust');
    withLines(w);
    assert.equal(ledger.one(alice, claimOp(id)), 'lineFull');
    ledger.apply([issuer, allowTrustOp(bob, 'USD', 2)]);
    assert.equal(ledger.one(bob, claimOp(id)), 'notAuthorized');
    ledger.apply([issuer, allowTrustOp(bob, 'USD', 1)]);
    assert.equal(ledger.one(bob, claimOp(id)), 'success');
    assert.equal(ledger.line(bob, usd)?.balance, 600n);
  });

  it('if the native balance would overflow', () => {
    const w = world();
    const rich = w.ledger.account('rich', INT64_MAX);
    const id = create(w, w.alice, createBalanceOp(NATIVE, XLM, rich));
    assert.equal(w.ledger.one(rich, claimOp(id)), 'lineFull');
  });
});

describe('Frozen entries cannot receive a claim (CAP-77)', () => {
  it('refuses lumens to a frozen account, and an asset to a frozen trustline', () => {
    const market = new TestMarket();
    const { issuer, usd } = market;
    const bob = market.trader('bob');
    const { raw } = market.apply(
      [issuer, createBalanceOp(NATIVE, 1n, bob)],
      [issuer, createBalanceOp(usd, 1n, bob)],
    );
    const [lumens, dollars] = [balanceIdIn(raw[0]), balanceIdIn(raw[1])];
    const [account, line] = [accountKeyId(bob), assetLineKeyId(bob, usd)];
    const claim = (id: xdr.ClaimableBalanceId, frozen: typeof line): string => {
      const result = market.whileFrozen([frozen], bob, claimOp(id));
      assert.equal(result.type, 'opInner');
      assert.equal(result.tr.type, 'claimClaimableBalance');
      return result.tr.claimClaimableBalanceResult.type;
    };
    assert.equal(claim(lumens, account), 'claimClaimableBalanceTrustlineFrozen');
    assert.equal(claim(dollars, line), 'claimClaimableBalanceTrustlineFrozen');
    assert.equal(claim(lumens, line), 'claimClaimableBalanceSuccess');
    assert.equal(claim(dollars, account), 'claimClaimableBalanceSuccess');
  });
});

describe('A predicate is judged by close times', () => {
  const judge = (predicate: xdr.ClaimPredicate, closeTime: bigint): boolean =>
    holdsPredicate(resolvePredicate(predicate, CLOSE_TIME), closeTime);

  it('counts relative times from the ledger that stores them, as absolute ones', () => {
    const w = world();
    const id = create(
      w,
      w.alice,
      createBalanceOp(NATIVE, 1n, claimant(w.bob, when.not(when.within(60n)))),
    );
    const data = balanceEntry(w, id)?.data;
    assert.equal(data?.type, 'claimableBalance');
    const stored = data.claimableBalance.claimants[0]?.v0.predicate;
    assert.deepEqual(stored, when.not(when.before(CLOSE_TIME + 60n)));
    assert.equal(w.ledger.one(w.bob, claimOp(id)), 'cannotClaim');
  });

  it('stops relative times at the end of time', () => {
    assert.deepEqual(resolvePredicate(when.within(INT64_MAX), 1n), when.before(INT64_MAX));
    assert.deepEqual(resolvePredicate(when.within(INT64_MAX), 0n), when.before(INT64_MAX));
    assert.deepEqual(resolvePredicate(when.within(5n), 1n), when.before(6n));
  });

  it('holds strictly before the time', () => {
    assert.equal(judge(when.before(10n), 9n), true);
    assert.equal(judge(when.before(10n), 10n), false);
    assert.equal(judge(when.within(60n), CLOSE_TIME + 59n), true);
    assert.equal(judge(when.within(60n), CLOSE_TIME + 60n), false);
  });

  it('combines by and, or, not', () => {
    const from = when.not(when.before(10n));
    const until = when.before(20n);
    const both = when.and(from, until);
    assert.deepEqual(
      [9n, 10n, 19n, 20n].map((time) => judge(both, time)),
      [false, true, true, false],
    );
    const either = when.or(when.before(10n), when.not(until));
    assert.deepEqual(
      [9n, 10n, 19n, 20n].map((time) => judge(either, time)),
      [true, false, false, true],
    );
    assert.equal(judge(when.always(), 0n), true);
    assert.equal(judge(when.not(when.always()), 0n), false);
  });
});

describe('The issuer can claw a claimable balance back if clawback is enabled', () => {
  it('inherits that from the trustline of the creator, or from the issuer', () => {
    for (const from of ['issuer', 'alice'] as const) {
      const w = world();
      withLines(w);
      const id = create(w, w[from], createBalanceOp(w.usd, 5n, w.bob));
      assert.equal(w.ledger.one(w.bob, clawbackBalanceOp(id)), 'notIssuer');
      const outcome = w.ledger.apply([w.issuer, clawbackBalanceOp(id)]);
      assert.deepEqual(outcome.results, ['success']);
      assert.deepEqual(
        topics(outcome.events).map(([name]) => name),
        ['clawback'],
      );
      assert.equal(balanceEntry(w, id), undefined);
      assert.equal(numSponsoring(w.ledger.get(w[from])), 0);
      assert.equal(w.ledger.one(w.issuer, clawbackBalanceOp(id)), 'doesNotExist');
    }
  });

  it('is refused for balances created without it, and for lumens', () => {
    const w = world();
    const plain = w.ledger.account('plain', 100n * XLM);
    const eur = credit('EUR', plain);
    const ofPlain = create(w, plain, createBalanceOp(eur, 5n, w.bob));
    assert.equal(w.ledger.one(plain, clawbackBalanceOp(ofPlain)), 'notClawbackEnabled');
    const lumens = create(w, w.alice, createBalanceOp(NATIVE, 5n, w.bob));
    assert.equal(w.ledger.one(w.alice, clawbackBalanceOp(lumens)), 'notIssuer');
  });
});
