import type { xdr } from '@stellar/stellar-sdk';
import { type AccountIdString, accountIdString, accountKeyId } from '../../state/index.ts';
import { accountAvailableBalance } from '../../transaction/balances/index.ts';
import {
  checkResources,
  checkTransaction,
  inclusionFee,
  type LedgerMoment,
  type ParsedTransaction,
  TransactionOutcome,
} from '../../transaction/index.ts';
import type { LedgerEngine } from '../ledgerEngine.ts';
import { byBid } from '../proposeSet.ts';

/** A waiting transaction, and the ledger since which it waits. */
export interface WaitingTransaction {
  readonly tx: ParsedTransaction;
  /** The last ledger that was closed when it was found valid. */
  readonly since: number;
}

/** How many ledgers a transaction can wait before it is dropped (stellar-core `TRANSACTION_QUEUE_TIMEOUT_LEDGERS`). */
const TIMEOUT_LEDGERS = 4;
/** Size of the queue, in ledgers' worth of transactions (stellar-core `TRANSACTION_QUEUE_SIZE_MULTIPLIER`). */
const SIZE_MULTIPLIER = 2;
/**
 * How many ledgers a transaction that left the queue unapplied is refused for (stellar-core `TRANSACTION_QUEUE_BAN_LEDGERS`).
 */
const BAN_LEDGERS = 10;

/**
 * The transactions that wait for a ledger: at most one per source account, each valid when it arrived (stellar-core
 * `TransactionQueue`).
 */
export class TransactionQueue {
  readonly #engine: LedgerEngine;
  readonly #bySource = new Map<AccountIdString, WaitingTransaction>();
  /** Total fees of waiting transactions, by the account that pays. */
  readonly #fees = new Map<AccountIdString, bigint>();
  /** Full hashes of refused transactions, with the ledger from which they are accepted again. */
  readonly #banned = new Map<string, number>();
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

  /** In order of arrival. */
  waiting(): WaitingTransaction[] {
    return [...this.#bySource.values()];
  }

  /** @param moment the earliest ledger that can include the transaction */
  submit(tx: ParsedTransaction, moment: LedgerMoment): Submission {
    if (tx.fee < 0n || inclusionFee(tx) < 0n) return this.#error(tx, 'txMalformed');
    if (this.#isBanned(tx)) return TRY_AGAIN_LATER;
    const waiting = this.#bySource.get(accountIdString(tx.inner.source));
    const env = this.#engine.environment();
    if (waiting !== undefined) {
      // A contract call that declares too many resources can never be applied, whatever else its source has waiting.
      const { outcome, log } = checkResources(tx, this.#engine.state, env);
      if (!outcome.success) return refused(outcome, log.events);
    }
    const refusal = waiting && this.#replacementRefused(tx, waiting.tx);
    if (refusal !== undefined) return refusal;
    const leaving = waiting === undefined ? this.#roomFor(tx) : [];
    if (!Array.isArray(leaving)) return leaving;

    const { outcome, log } = checkTransaction(tx, this.#engine.state, env, moment);
    if (!outcome.success) return refused(outcome, log.events);
    if (!this.#canPay(tx, waiting?.tx)) return this.#error(tx, 'txInsufficientBalance');
    if (waiting !== undefined) this.remove(waiting);
    for (const evicted of leaving) {
      this.remove(evicted);
      this.#ban(evicted.tx);
    }
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

  /**
   * Removes the transaction with this hash, or all of them; they can be sent again.
   * @param hash hex
   * @returns how many were removed
   */
  drop(hash?: string): number {
    if (hash === undefined) this.#banned.clear();
    const found = this.waiting().filter(({ tx }) => hash === undefined || hasHash(tx, hash));
    for (const one of found) this.remove(one);
    return found.length;
  }

  /** Drops transactions that have waited too long, and those that a later ledger made invalid. */
  weed(moment: LedgerMoment): void {
    const { ledgerSeq } = this.#engine.state.header;
    for (const [hash, until] of this.#banned) if (until <= ledgerSeq) this.#banned.delete(hash);
    const stale = this.waiting().filter(({ since }) => since !== ledgerSeq);
    if (stale.length === 0) return;
    const env = this.#engine.environment();
    for (const waiting of stale) {
      const tooLong = ledgerSeq - waiting.since >= TIMEOUT_LEDGERS;
      const { state } = this.#engine;
      if (tooLong) this.#ban(waiting.tx);
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

  /**
   * The waiting transactions that have to leave to make room: none, or the lowest bids, if each of them is lower than the
   * newcomer's (stellar-core `TxQueueLimiter::canAddTx`). Otherwise the refusal.
   */
  #roomFor(tx: ParsedTransaction): WaitingTransaction[] | Submission {
    const leaving: WaitingTransaction[] = [];
    let missing = this.#missingRoom(tx);
    if (missing <= 0) return leaving;
    const lane = this.waiting().filter((one) => one.tx.isSoroban === tx.isSoroban);
    for (const lowest of lane.sort((one, other) => byBid(other.tx, one.tx))) {
      if (byBid(tx, lowest.tx) >= 0) {
        this.#ban(tx);
        return this.#outbid(tx, lowest.tx);
      }
      leaving.push(lowest);
      missing -= room(lowest.tx);
      if (missing <= 0) return leaving;
    }
    return TRY_AGAIN_LATER;
  }

  /** How much room is missing for a transaction. */
  #missingRoom(tx: ParsedTransaction): number {
    if (tx.isSoroban) {
      const { ledgerMaxTxCount } = this.#engine.settings().lanes;
      return this.#sorobanTransactions + 1 - SIZE_MULTIPLIER * ledgerMaxTxCount;
    }
    const { maxTxSetSize } = this.#engine.state.header;
    return this.#classicOperations + tx.operationCount - SIZE_MULTIPLIER * maxTxSetSize;
  }

  /** The refusal, with the lowest fee at which the transaction would replace another one. */
  #outbid(tx: ParsedTransaction, lowest: ParsedTransaction): Submission {
    const operations = BigInt(Math.max(1, tx.operationCount));
    const others = BigInt(Math.max(1, lowest.operationCount));
    const inclusion = (inclusionFee(lowest) * operations) / others + 1n;
    const outcome = new TransactionOutcome(tx, inclusion + tx.fee - inclusionFee(tx));
    outcome.failOuter('txInsufficientFee');
    return refused(outcome);
  }

  #ban(tx: ParsedTransaction): void {
    const until = this.#engine.state.header.ledgerSeq + BAN_LEDGERS;
    this.#banned.set(tx.fullHash.toString('hex'), until);
  }

  #isBanned(tx: ParsedTransaction): boolean {
    const until = this.#banned.get(tx.fullHash.toString('hex'));
    return until !== undefined && this.#engine.state.header.ledgerSeq < until;
  }

  #add(waiting: WaitingTransaction): void {
    const { tx } = waiting;
    this.#bySource.set(accountIdString(tx.inner.source), waiting);
    this.#count(tx, 1);
    const payer = accountIdString(tx.feeSource);
    this.#fees.set(payer, (this.#fees.get(payer) ?? 0n) + tx.fee);
  }

  #count(tx: ParsedTransaction, sign: 1 | -1): void {
    if (tx.isSoroban) this.#sorobanTransactions += sign * room(tx);
    else this.#classicOperations += sign * room(tx);
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

/** How much of the queue a transaction takes: a contract call counts as one, others by their operations. */
function room(tx: ParsedTransaction): number {
  return tx.isSoroban ? 1 : tx.operationCount;
}

/** A fee bump also matches the hash of its inner transaction, as it does in history. */
function hasHash(tx: ParsedTransaction, hash: string): boolean {
  return tx.hash.toString('hex') === hash || tx.inner.hash.toString('hex') === hash;
}

/** The same envelope, or the inner transaction of the waiting fee bump. */
function isSame(tx: ParsedTransaction, waiting: ParsedTransaction): boolean {
  if (waiting.feeBump !== undefined && tx.feeBump === undefined) {
    return waiting.inner.envelope.toXdr('base64') === tx.envelope.toXdr('base64');
  }
  return waiting.fullHash.equals(tx.fullHash);
}

/** The factor by which a transaction must outbid a waiting one to replace it. */
const FEE_MULTIPLIER = 10n;
const INT64_MAX = 2n ** 63n - 1n;

/**
 * The total fee that a fee bump must offer to replace a waiting transaction with the same source and sequence number; undefined
 * if it offers enough (stellar-core `TransactionQueue.cpp`, `canReplaceByFee`).
 */
function missingFee(tx: ParsedTransaction, waiting: ParsedTransaction): bigint | undefined {
  const operations = BigInt(Math.max(1, tx.operationCount));
  const waitingOperations = BigInt(Math.max(1, waiting.operationCount));
  const needed = FEE_MULTIPLIER * inclusionFee(waiting) * operations;
  if (inclusionFee(tx) * waitingOperations >= needed) return undefined;
  const inclusion = (needed + waitingOperations - 1n) / waitingOperations;
  const total = inclusion + tx.fee - inclusionFee(tx);
  return inclusion > INT64_MAX ? INT64_MAX : total;
}

/** The outcome of a submission (Stellar RPC `sendTransaction`, stellar-core `tx`). */
export type Submission =
  /** It waits for the next ledger. */
  | { readonly status: 'PENDING' }
  /** The same transaction is already waiting. */
  | { readonly status: 'DUPLICATE' }
  /** There is no room for it now: its source has another transaction waiting, or too many are waiting. */
  | { readonly status: 'TRY_AGAIN_LATER' }
  /** In its present form, it can never be included in a ledger. */
  | {
      readonly status: 'ERROR';
      readonly result: xdr.TransactionResult;
      readonly diagnosticEvents: readonly xdr.DiagnosticEvent[];
    };

const PENDING: Submission = { status: 'PENDING' };
const DUPLICATE: Submission = { status: 'DUPLICATE' };
const TRY_AGAIN_LATER: Submission = { status: 'TRY_AGAIN_LATER' };

function refused(
  outcome: TransactionOutcome,
  diagnosticEvents: readonly xdr.DiagnosticEvent[] = [],
): Submission {
  return { status: 'ERROR', result: outcome.toXdr(), diagnosticEvents };
}
