import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { accountNamed, credit, TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import { LedgerTxn } from '../../state/index.ts';
import {
  addBalance,
  addBuyingLiabilities,
  addSellingLiabilities,
  addTrustlineBalance,
  addTrustlineBalanceUnauthorized,
  availableBalance,
  buyingLiabilities,
  holdingBalance,
  INT64_MAX,
  isClawbackEnabled,
  isHoldingAuthorized,
  LedgerFault,
  loadHolding,
  maxAmountReceive,
  mayMaintainLiabilities,
  peekHolding,
  sellingLiabilities,
  TRUSTLINE_FLAGS,
  trustLineAssetOf,
  trustlineLiabilities,
  trustlineMinimumLimit,
  updateHolding,
} from './index.ts';

const world = new TestWorld();
const { header } = world.state;
const issuer = world.account('issuer', 10n * XLM);
const alice = world.account('alice', 10n * XLM);
const usd = credit('USD', issuer);

function line(balance: bigint, limit: bigint, flags: number = TRUSTLINE_FLAGS.authorized) {
  return new xdr.TrustLineEntry({
    accountId: alice,
    asset: trustLineAssetOf(usd),
    balance,
    limit,
    flags,
    ext: xdr.TrustLineEntryExt.v0(),
  });
}

describe('an issuer holds its own asset without bound', () => {
  const holding = peekHolding(world.state, issuer, usd) ?? assert.fail();

  it('can always send and take', () => {
    assert.equal(availableBalance(header, holding), INT64_MAX);
    assert.equal(maxAmountReceive(holding), INT64_MAX);
    assert.equal(holdingBalance(holding), INT64_MAX);
    assert.equal(addBalance(header, holding, -INT64_MAX), holding);
    assert.equal(addBuyingLiabilities(holding, INT64_MAX), holding);
    assert.equal(addSellingLiabilities(header, holding, INT64_MAX), holding);
    assert.equal(buyingLiabilities(holding) + sellingLiabilities(holding), 0n);
    assert.equal(isHoldingAuthorized(holding) && mayMaintainLiabilities(holding), true);
    assert.equal(isClawbackEnabled(holding), false);
  });
});

describe('a holding is the account for lumens and the trustline for the rest', () => {
  it('is missing if there is no such account or line', () => {
    assert.equal(peekHolding(world.state, alice, usd), undefined);
    const nobody = accountNamed('nobody');
    assert.equal(peekHolding(world.state, nobody, xdr.Asset.assetTypeNative()), undefined);
  });

  it('is recorded when loaded and not when peeked', () => {
    const ltx = new LedgerTxn(world.state);
    peekHolding(ltx, alice, xdr.Asset.assetTypeNative());
    assert.equal(ltx.changes().length, 0);
    const holding = loadHolding(ltx, alice, xdr.Asset.assetTypeNative()) ?? assert.fail();
    assert.equal(ltx.changes().length, 2);
    updateHolding(ltx, addBalance(header, holding, -XLM) ?? assert.fail());
    const after = peekHolding(ltx, alice, xdr.Asset.assetTypeNative()) ?? assert.fail();
    assert.equal(holdingBalance(after), 9n * XLM);
  });
});

describe('a trustline holds between zero and its limit, minus what offers have bound', () => {
  it('keeps balance and liabilities within their bounds, whatever is added', () => {
    const limits = fc.bigInt({ min: 1n, max: INT64_MAX });
    const delta = fc.bigInt({ min: -INT64_MAX, max: INT64_MAX });
    const kinds = fc.constantFrom('balance', 'buying', 'selling');
    const steps = fc.array(fc.tuple(kinds, delta), { maxLength: 8 });
    fc.assert(
      fc.property(limits, steps, (limit, changes) => {
        let now = line(0n, limit);
        for (const [kind, by] of changes) {
          const holding = { kind: 'line', line: now } as const;
          const small = by % (limit + 1n);
          const next =
            kind === 'balance'
              ? addBalance(header, holding, small)
              : kind === 'buying'
                ? addBuyingLiabilities(holding, small)
                : addSellingLiabilities(header, holding, small);
          if (next?.kind === 'line') now = next.line;
        }
        const { buying, selling } = trustlineLiabilities(now);
        assert.ok(buying >= 0n && selling >= 0n);
        assert.ok(now.balance >= selling && now.balance + buying <= limit);
        assert.equal(trustlineMinimumLimit(now), now.balance + buying);
      }),
    );
  });
});

describe('a line without any authorization must not be used', () => {
  const unauthorized = line(5n, 10n, 0);

  it('is a contradiction for every rule but clawback', () => {
    assert.throws(() => addTrustlineBalance(unauthorized, 1n), LedgerFault);
    const holding = { kind: 'line', line: unauthorized } as const;
    assert.throws(() => availableBalance(header, holding), LedgerFault);
    assert.throws(() => maxAmountReceive(holding), LedgerFault);
    assert.throws(() => addBuyingLiabilities(holding, 1n), LedgerFault);
    assert.equal(addTrustlineBalance(unauthorized, 0n), unauthorized);
    assert.equal(addTrustlineBalanceUnauthorized(unauthorized, -5n)?.balance, 0n);
  });
});
