import { type AccountIdString, accountIdString, accountKeyId } from '../../state/index.ts';
import { accountAvailableBalance } from '../../transaction/balances/index.ts';
import {
  checkTransaction,
  inclusionFee,
  type LedgerMoment,
  type ParsedTransaction,
  TransactionOutcome,
} from '../../transaction/index.ts';
import type { LedgerEngine } from '../ledgerEngine.ts';
import { missingFee } from './replaceByFee.ts';
import { DUPLICATE, PENDING, refused, type Submission, TRY_AGAIN_LATER } from './submission.ts';

/** A transaction that waits, and since which ledger. */
export interface WaitingTransaction {
  readonly tx: ParsedTransaction;
  /** The last ledger that was closed when it was found valid. */
  readonly since: number;
}

/** Ledgers that a transaction may wait for before it is dropped (stellar-core `TRANSACTION_QUEUE_TIMEOUT_LEDGERS`). */
const TIMEOUT_LEDGERS = 4;
/** Ledgers' worth of transactions that may wait (stellar-core `TRANSACTION_QUEUE_SIZE_MULTIPLIER`). */
const SIZE_MULTIPLIER = 2;

/**
 * The transactions that wait for a ledger: at most one of each source account, each of them valid when it came
 * (stellar-core `TransactionQueue`).
 */
export class TransactionQueue {
  readonly #engine: LedgerEngine;
  readonly #bySource = new Map<AccountIdString, WaitingTransaction>();
  /** Fees of everything that waits, by who pays. */
  readonly #fees = new Map<AccountIdString, bigint>();
  #classicOperations = 0;
  #sorobanTransactions = 0;

  constructor(engine: LedgerEngine) {
    this.#engine = engine;
  }

  get size(): number {
    return this.#bySource.size;
  }

  /** @param hash hex */
  has(hash: string): boolean {
    for (const { tx } of this.#bySource.values()) if (tx.hash.toString('hex') === hash) return true;
    return false;
  }

  /** In the order in which they came. */
  waiting(): WaitingTransaction[] {
    return [...this.#bySource.values()];
  }

  /** @param moment the ledger that the transaction will at the earliest be part of */
  submit(tx: ParsedTransaction, moment: LedgerMoment): Submission {
    if (tx.fee < 0n || inclusionFee(tx) < 0n) return this.#error(tx, 'txMalformed');
    const waiting = this.#bySource.get(accountIdString(tx.inner.source));
    const refusal = waiting && this.#replacementRefused(tx, waiting.tx);
    if (refusal !== undefined) return refusal;
    if (waiting === undefined && this.#isFull(tx)) return TRY_AGAIN_LATER;

    const env = this.#engine.environment();
    const { outcome, log } = checkTransaction(tx, this.#engine.state, env, moment);
    if (!outcome.success) return refused(outcome, log.events);
    if (!this.#canPay(tx, waiting?.tx)) return this.#error(tx, 'txInsufficientBalance');
    if (waiting !== undefined) this.remove(waiting);
    this.#add({ tx, since: this.#engine.state.header.ledgerSeq });
    return PENDING;
  }

  remove({ tx }: WaitingTransaction): void {
    if (!this.#bySource.delete(accountIdString(tx.inner.source))) return;
    this.#count(tx, -1);
    const payer = accountIdString(tx.feeSource);
    const fees = (this.#fees.get(payer) ?? 0n) - tx.fee;
    if (fees === 0n) this.#fees.delete(payer);
    else this.#fees.set(payer, fees);
  }

  /** Removes the transaction with this hash, or every one. @param hash hex @returns how many waited */
  drop(hash?: string): number {
    const found = this.waiting().filter(({ tx }) => hash === undefined || hasHash(tx, hash));
    for (const one of found) this.remove(one);
    return found.length;
  }

  /** Drops transactions that have waited too long, and those that a ledger since made invalid. */
  weed(moment: LedgerMoment): void {
    const { ledgerSeq } = this.#engine.state.header;
    const stale = this.waiting().filter(({ since }) => since !== ledgerSeq);
    if (stale.length === 0) return;
    const env = this.#engine.environment();
    for (const waiting of stale) {
      const tooLong = ledgerSeq - waiting.since >= TIMEOUT_LEDGERS;
      const { state } = this.#engine;
      if (tooLong || !checkTransaction(waiting.tx, state, env, moment).outcome.success) {
        this.remove(waiting);
      }
    }
  }

  #replacementRefused(tx: ParsedTransaction, waiting: ParsedTransaction): Submission | undefined {
    if (tx.isSoroban !== waiting.isSoroban) return TRY_AGAIN_LATER;
    if (isSame(tx, waiting)) return DUPLICATE;
    if (tx.inner.seqNum < waiting.inner.seqNum) return this.#error(tx, 'txBadSeq');
    if (tx.feeBump === undefined || tx.inner.seqNum !== waiting.inner.seqNum) {
      return TRY_AGAIN_LATER;
    }
    const missing = missingFee(tx, waiting);
    if (missing === undefined) return undefined;
    const outcome = new TransactionOutcome(tx, missing);
    outcome.failOuter('txInsufficientFee');
    return refused(outcome);
  }

  #canPay(tx: ParsedTransaction, replaced: ParsedTransaction | undefined): boolean {
    const payer = this.#engine.state.peek(accountKeyId(tx.feeSource));
    if (payer?.data.type !== 'account') return false;
    const feeSource = accountIdString(tx.feeSource);
    let fee = tx.fee;
    if (replaced && accountIdString(replaced.feeSource) === feeSource) fee -= replaced.fee;
    const { header } = this.#engine.state;
    const available = accountAvailableBalance(header, payer.data.account);
    return available - fee >= (this.#fees.get(feeSource) ?? 0n);
  }

  #isFull(tx: ParsedTransaction): boolean {
    if (tx.isSoroban) {
      const { ledgerMaxTxCount } = this.#engine.settings().lanes;
      return this.#sorobanTransactions >= SIZE_MULTIPLIER * ledgerMaxTxCount;
    }
    const { maxTxSetSize } = this.#engine.state.header;
    return this.#classicOperations + tx.operationCount > SIZE_MULTIPLIER * maxTxSetSize;
  }

  #add(waiting: WaitingTransaction): void {
    const { tx } = waiting;
    this.#bySource.set(accountIdString(tx.inner.source), waiting);
    this.#count(tx, 1);
    const payer = accountIdString(tx.feeSource);
    this.#fees.set(payer, (this.#fees.get(payer) ?? 0n) + tx.fee);
  }

  #count(tx: ParsedTransaction, sign: 1 | -1): void {
    if (tx.isSoroban) this.#sorobanTransactions += sign;
    else this.#classicOperations += sign * tx.operationCount;
  }

  #error(
    tx: ParsedTransaction,
    failure: 'txMalformed' | 'txBadSeq' | 'txInsufficientBalance',
  ): Submission {
    const outcome = new TransactionOutcome(tx, 0n);
    outcome.failOuter(failure);
    return refused(outcome);
  }
}

/** Of a fee bump, the hash of the transaction within it counts too, as it does when its ledger is looked up. */
function hasHash(tx: ParsedTransaction, hash: string): boolean {
  return tx.hash.toString('hex') === hash || tx.inner.hash.toString('hex') === hash;
}

/** The same envelope, or the transaction within the fee bump that waits. */
function isSame(tx: ParsedTransaction, waiting: ParsedTransaction): boolean {
  if (waiting.feeBump !== undefined && tx.feeBump === undefined) {
    return waiting.inner.envelope.toXdr('base64') === tx.envelope.toXdr('base64');
  }
  return waiting.fullHash.equals(tx.fullHash);
}
