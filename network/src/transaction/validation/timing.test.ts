import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { withSequenceTime } from '../balances/index.ts';
import type { TransactionPreconditions } from '../envelope/parsedTransaction.ts';
import { NO_PRECONDITIONS } from '../envelope/parsedTransaction.ts';
import { isBadSequence, isTooEarly, isTooEarlyForAccount, isTooLate } from './timing.ts';

const at = (ledgerSeq: number, closeTime: bigint) => ({
  ledgerSeq,
  closeTime,
  latestCloseTime: closeTime,
});
const when = (change: Partial<TransactionPreconditions>): TransactionPreconditions => ({
  ...NO_PRECONDITIONS,
  ...change,
});
const time = (minTime: bigint, maxTime: bigint) =>
  when({ timeBounds: new xdr.TimeBounds({ minTime, maxTime }) });
const ledgers = (minLedger: number, maxLedger: number) =>
  when({ ledgerBounds: new xdr.LedgerBounds({ minLedger, maxLedger }) });

describe('Time bounds', () => {
  it('include both ends', () => {
    assert.equal(isTooEarly(time(100n, 200n), at(9, 99n)), true);
    assert.equal(isTooEarly(time(100n, 200n), at(9, 100n)), false);
    assert.equal(isTooLate(time(100n, 200n), at(9, 200n)), false);
    assert.equal(isTooLate(time(100n, 200n), at(9, 201n)), true);
  });

  it('have no end where the end is zero', () => {
    assert.equal(isTooLate(time(0n, 0n), at(9, 2n ** 60n)), false);
  });

  it('are tried against the latest time at which the ledger may close', () => {
    const moment = { ledgerSeq: 9, closeTime: 190n, latestCloseTime: 201n };
    assert.equal(isTooLate(time(100n, 200n), moment), true);
    assert.equal(isTooEarly(time(195n, 300n), moment), true);
  });
});

describe('Ledger bounds', () => {
  it('include the first ledger and exclude the last', () => {
    assert.equal(isTooEarly(ledgers(10, 20), at(9, 0n)), true);
    assert.equal(isTooEarly(ledgers(10, 20), at(10, 0n)), false);
    assert.equal(isTooLate(ledgers(10, 20), at(19, 0n)), false);
    assert.equal(isTooLate(ledgers(10, 20), at(20, 0n)), true);
  });

  it('have no end where the end is zero', () => {
    assert.equal(isTooLate(ledgers(10, 0), at(4_000_000_000, 0n)), false);
  });
});

describe('A sequence number', () => {
  it('must be the next one', () => {
    assert.equal(isBadSequence(8n, when({}), 7n, 5), false);
    assert.equal(isBadSequence(7n, when({}), 7n, 5), true);
    assert.equal(isBadSequence(9n, when({}), 7n, 5), true);
  });

  it('can be any higher one from an account that has reached minSeqNum', () => {
    const relaxed = when({ minSeqNum: 5n });
    assert.equal(isBadSequence(100n, relaxed, 7n, 5), false);
    assert.equal(isBadSequence(100n, relaxed, 5n, 5), false);
    assert.equal(isBadSequence(100n, relaxed, 4n, 5), true);
    assert.equal(isBadSequence(7n, relaxed, 7n, 5), true);
  });

  it('is never the one with which accounts of this ledger start', () => {
    const start = 5n << 32n;
    assert.equal(isBadSequence(start, when({}), start - 1n, 5), true);
    assert.equal(isBadSequence(start, when({ minSeqNum: 0n }), 1n, 5), true);
  });

  it('cannot follow the highest there is', () => {
    assert.equal(isBadSequence(-(2n ** 63n), when({}), 2n ** 63n - 1n, 5), true);
  });
});

describe('The age of the account’s sequence number', () => {
  const account = new xdr.AccountEntry({
    accountId: xdr.PublicKey.publicKeyTypeEd25519(new Uint8Array(32)),
    balance: 0n,
    seqNum: 0n,
    numSubEntries: 0,
    inflationDest: null,
    flags: 0,
    homeDomain: '',
    thresholds: new Uint8Array(4),
    signers: [],
    ext: xdr.AccountEntryExt.v0(),
  });
  const touched = withSequenceTime(account, new xdr.LedgerHeader({ ...header(), ledgerSeq: 50 }));

  it('must reach minSeqAge seconds', () => {
    assert.equal(isTooEarlyForAccount(when({ minSeqAge: 60n }), at(99, 1_059n), touched), true);
    assert.equal(isTooEarlyForAccount(when({ minSeqAge: 60n }), at(99, 1_060n), touched), false);
  });

  it('must reach minSeqLedgerGap ledgers', () => {
    assert.equal(
      isTooEarlyForAccount(when({ minSeqLedgerGap: 10 }), at(59, 2_000n), touched),
      true,
    );
    assert.equal(
      isTooEarlyForAccount(when({ minSeqLedgerGap: 10 }), at(60, 2_000n), touched),
      false,
    );
  });

  it('counts from zero for an account without a record', () => {
    assert.equal(isTooEarlyForAccount(when({ minSeqAge: 60n }), at(9, 60n), account), false);
    assert.equal(isTooEarlyForAccount(when({ minSeqAge: 61n }), at(9, 60n), account), true);
    assert.equal(isTooEarlyForAccount(when({ minSeqLedgerGap: 10 }), at(9, 60n), account), true);
  });
});

function header(): xdr.LedgerHeader {
  const hash = new Uint8Array(32);
  return new xdr.LedgerHeader({
    ledgerVersion: 27,
    previousLedgerHash: hash,
    scpValue: new xdr.StellarValue({
      txSetHash: hash,
      closeTime: 1_000n,
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: hash,
    bucketListHash: hash,
    ledgerSeq: 1,
    totalCoins: 0n,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    baseFee: 100,
    baseReserve: 5_000_000,
    maxTxSetSize: 100,
    skipList: [hash, hash, hash, hash],
    ext: xdr.LedgerHeaderExt.v0(),
  });
}
