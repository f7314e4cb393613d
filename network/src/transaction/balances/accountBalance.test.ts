import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { xdr } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { accountEntry, RESERVE, TestWorld, XLM } from '../../../test/helpers/testWorld.ts';
import {
  accountAvailableBalance,
  accountExtension,
  accountMaxReceive,
  addAccountBalance,
  addAccountBuyingLiabilities,
  addAccountSellingLiabilities,
  INT64_MAX,
  LedgerFault,
  minBalance,
  withAccountExtensionV2,
  withAccountLiabilities,
} from './index.ts';

const { header } = new TestWorld().state;

function account(balance: bigint, change: Partial<xdr.AccountEntry> = {}): xdr.AccountEntry {
  return accountEntry('a', balance, change);
}

describe('the minimum balance counts two reserves, sub-entries and sponsorships (CAP-33)', () => {
  it('adds what the account sponsors and takes off what others sponsor', () => {
    const base = account(0n, { numSubEntries: 3 });
    assert.equal(minBalance(header, base), 5n * RESERVE);
    const sponsoring = withAccountExtensionV2(base, { numSponsoring: 4 });
    assert.equal(minBalance(header, sponsoring), 9n * RESERVE);
    const sponsored = withAccountExtensionV2(sponsoring, { numSponsored: 5 });
    assert.equal(minBalance(header, sponsored), 4n * RESERVE);
  });

  it('is a contradiction if more is sponsored than exists', () => {
    const impossible = withAccountExtensionV2(account(0n), { numSponsored: 3 });
    assert.throws(() => minBalance(header, impossible), LedgerFault);
  });
});

describe('lumens bound by offers can be neither spent nor displaced', () => {
  const bound = withAccountLiabilities(account(10n * XLM), { selling: XLM, buying: 7n });

  it('leaves what is above reserve and selling liabilities', () => {
    assert.equal(accountAvailableBalance(header, bound), 9n * XLM - 2n * RESERVE);
    assert.equal(accountMaxReceive(bound), INT64_MAX - 10n * XLM - 7n);
  });

  it('lets an account below its reserve receive, but not pay', () => {
    const poor = account(RESERVE);
    assert.equal(addAccountBalance(header, poor, -1n), undefined);
    assert.equal(addAccountBalance(header, poor, 1n)?.balance, RESERVE + 1n);
  });

  it('does not release selling liabilities below the reserve', () => {
    const poor = withAccountLiabilities(account(2n * RESERVE - 1n), { selling: 5n });
    assert.equal(addAccountSellingLiabilities(header, poor, -5n), undefined);
    assert.equal(addAccountSellingLiabilities(header, poor, 0n), poor);
  });

  it('keeps balance and liabilities within their bounds, whatever is added', () => {
    const amount = fc.bigInt({ min: 0n, max: INT64_MAX });
    const delta = fc.bigInt({ min: -INT64_MAX, max: INT64_MAX });
    const kinds = fc.constantFrom('balance', 'buying', 'selling');
    const steps = fc.array(fc.tuple(kinds, delta), { maxLength: 8 });
    fc.assert(
      fc.property(amount, steps, (balance, changes) => {
        const start = account(balance);
        const end = changes.reduce((now, [kind, by]) => change(now, kind, by) ?? now, start);
        const { buying, selling } = accountExtension(end).liabilities;
        assert.ok(end.balance >= 0n && end.balance <= INT64_MAX - buying);
        assert.ok(buying >= 0n && selling >= 0n);
        if (selling > 0n) assert.ok(end.balance - minBalance(header, end) >= selling);
      }),
    );
  });
});

describe('an extension comes with the first value that needs it', () => {
  it('adds v1 for liabilities and v2 for sponsorship, with a place for each signer', () => {
    const plain = account(XLM);
    assert.equal(addAccountBuyingLiabilities(plain, 0n), plain);
    const v1 = addAccountBuyingLiabilities(plain, 1n) ?? assert.fail();
    assert.equal(v1.ext.type === 'v1' && v1.ext.v1.ext.type, 'v0');
    const v2 = accountExtension(withAccountExtensionV2(v1)).v2 ?? assert.fail();
    assert.deepEqual([v2.numSponsored, v2.numSponsoring, v2.ext.type], [0, 0, 'v0']);
    assert.equal(v2.signerSponsoringIDs.length, v1.signers.length);
  });
});

function change(
  now: xdr.AccountEntry,
  kind: 'balance' | 'buying' | 'selling',
  by: bigint,
): xdr.AccountEntry | undefined {
  if (kind === 'balance') return addAccountBalance(header, now, by);
  return kind === 'buying'
    ? addAccountBuyingLiabilities(now, by)
    : addAccountSellingLiabilities(header, now, by);
}
