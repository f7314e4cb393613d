import { xdr } from '@stellar/stellar-sdk';
import type { ClosedLedger, FoundTransaction, LedgerHistory } from '../history/index.ts';
import type { SorobanHost } from '../host/index.ts';
import {
  checkTransaction,
  currentEnvelope,
  type LedgerMoment,
  ParsedTransaction,
} from '../transaction/index.ts';
import type { Amend } from './amendment.ts';
import { CloseSchedule } from './closeSchedule.ts';
import {
  type CloseMode,
  LEDGER_TARGET_MILLISECONDS,
  type LedgerClock,
  type TimeBoundsReading,
} from './ledgerClock.ts';
import type { LedgerEngine } from './ledgerEngine.ts';
import { LedgerServiceError } from './ledgerServiceError.ts';
import type { Validator } from './ledgerValue.ts';
import { type LedgerChanges, nextLedger } from './nextLedger.ts';
import { type ProposedSet, proposeSet } from './proposeSet.ts';
import {
  type Submission,
  TransactionQueue,
  type WaitingTransaction,
} from './queue/transactionQueue.ts';
import { skipLedgers } from './skipLedgers.ts';

/** For how many ledger intervals ahead a transaction has to stay valid, when ledgers close by the clock (stellar-core). */
const EXPECTED_CLOSE_TIME_FACTOR = 2;
/** Ledgers that close one by one after others were skipped: enough for clients that look back a little. */
const CLOSED_AFTER_SKIPPING = 100;

export interface LedgerServiceOptions {
  readonly engine: LedgerEngine;
  readonly history: LedgerHistory;
  readonly validator: Validator;
  readonly clock: LedgerClock;
  readonly mode: CloseMode;
  /** Default: `network`. */
  readonly timeBounds?: TimeBoundsReading;
  /** Called with errors that no caller receives. */
  readonly onFault: (fault: Error) => void;
}

/** A submitted transaction, accepted or not. */
export interface SubmittedTransaction {
  readonly tx: ParsedTransaction;
  /** Hex. */
  readonly hash: string;
  readonly submission: Submission;
}

/** Called with every ledger, once it is stored. */
export type CloseListener = (ledger: ClosedLedger) => void;

/** The running network: takes transactions, closes ledgers, and knows the state and the past. */
export class LedgerService {
  readonly engine: LedgerEngine;
  readonly history: LedgerHistory;
  readonly #options: LedgerServiceOptions;
  readonly #queue: TransactionQueue;
  readonly #schedule: CloseSchedule;
  readonly #listeners = new Set<CloseListener>();
  /** Callbacks of callers that wait for a transaction, called when no more ledgers will close. */
  readonly #waiting = new Set<() => void>();
  #end: LedgerServiceError | undefined;
  /** Milliseconds by which the network's time is ahead of the clock: whole seconds, like time bounds. */
  #ahead = 0;
  #timeBounds: TimeBoundsReading;
  #notStored: LedgerServiceError | undefined;

  constructor(options: LedgerServiceOptions) {
    this.engine = options.engine;
    this.history = options.history;
    this.#options = options;
    // If time was moved forward before a restart, it continues from there.
    const { closeTime } = options.engine.state.header.scpValue;
    const seconds = Math.ceil(Number(closeTime) - options.clock.now() / 1_000);
    this.#timeBounds = options.timeBounds ?? 'network';
    this.advanceTime(Math.max(0, seconds));
    this.#queue = new TransactionQueue(options.engine);
    this.#schedule = new CloseSchedule(options.mode, options.clock, () => this.#closeOnTime());
    // Clients request the latest ledger first, so there has to be one.
    if (this.history.latestSequence < this.history.oldestSequence) this.closeLedger();
  }

  /** The network's time, in milliseconds since 1970. */
  now(): number {
    return this.#options.clock.now() + this.#ahead;
  }

  /** Milliseconds between ledgers while nobody sends anything. */
  get ledgerMilliseconds(): number {
    const { mode } = this.#schedule;
    return mode.kind === 'interval' ? mode.milliseconds : LEDGER_TARGET_MILLISECONDS;
  }

  /** Records that a client is preparing a transaction: a ledger that is about to close waits a moment for it. */
  transactionAnnounced(): void {
    this.#schedule.arrival();
  }

  /**
   * Reads a transaction and verifies its signatures in other threads, if this thread has other work. A ledger that is about to
   * close waits for it.
   */
  async announced(envelope: xdr.TransactionEnvelope): Promise<ParsedTransaction> {
    const tx = this.#received(envelope);
    const arrived = this.#schedule.underWay();
    try {
      await this.engine.verifyAhead(tx);
      return tx;
    } finally {
      arrived();
    }
  }

  /** Reads a transaction that was sent, in an older form too. */
  #received(envelope: xdr.TransactionEnvelope): ParsedTransaction {
    return new ParsedTransaction(this.engine.networkId, currentEnvelope(envelope));
  }

  /** @throws LedgerServiceError */
  submit(sent: xdr.TransactionEnvelope | ParsedTransaction): SubmittedTransaction {
    this.#requireRunning();
    const tx = sent instanceof ParsedTransaction ? sent : this.#received(sent);
    const submission = this.#queue.submit(tx, this.#nextMoment());
    if (submission.status === 'PENDING') this.#schedule.transactionWaits();
    return { tx, hash: tx.hash.toString('hex'), submission };
  }

  /**
   * Computes a ledger with only this transaction and discards it, so that every entry that the transaction reads is read.
   * Throws if the state lacks something that the transaction needs.
   */
  rehearse(envelope: xdr.TransactionEnvelope): void {
    const { engine } = this;
    const tx = this.#received(envelope);
    checkTransaction(tx, engine.state, engine.environment(), this.#nextMoment());
    const proposed = proposeSet([tx], engine.state.header, engine.settings());
    nextLedger(engine, proposed, this.#nextCloseTime(), this.#options.validator);
  }

  /**
   * Closes a ledger now, with the waiting transactions that fit.
   * @param only hashes, in hex, of the transactions that it is allowed to include; all others keep waiting
   * @throws LedgerServiceError
   */
  closeLedger(only?: readonly string[]): ClosedLedger {
    this.#requireRunning();
    const { engine } = this;
    this.#queue.weed(this.#nextMoment());
    const all = this.#queue.waiting();
    const waiting =
      only === undefined ? all : all.filter(({ tx }) => only.includes(tx.hash.toString('hex')));
    const { header } = engine.state;
    const proposed = proposeSet(
      waiting.map(({ tx }) => tx),
      header,
      engine.settings(),
    );
    return this.#close(proposed, waiting);
  }

  /**
   * Closes the next of many ledgers. If no transaction is waiting, and enough ledgers remain to push everything now in history
   * out of it, most of them are skipped: the state becomes what they would have made of it, and history begins after them.
   * @param left how many remain, including this one
   * @throws LedgerServiceError
   */
  closeNextOf(left: number): ClosedLedger {
    const { retainedLedgers } = this.history;
    const skipped = left - Math.max(1, Math.min(retainedLedgers, CLOSED_AFTER_SKIPPING));
    if (left >= retainedLedgers && skipped > 0 && this.#queue.size === 0) this.#skip(skipped);
    return this.closeLedger();
  }

  #skip(ledgers: number): void {
    this.#requireRunning();
    const last = this.engine.state.header.ledgerSeq + ledgers;
    const undo = skipLedgers(this.engine, last, this.#nextCloseTime(), this.#options.validator);
    this.#keep(undo, last, () => this.history.beginAt(last + 1));
  }

  /**
   * Closes a ledger without transactions that changes the state by hand.
   * @throws LedgerServiceError, and anything that `amend` throws; nothing has changed then
   */
  amendLedger(amend: Amend): ClosedLedger {
    this.#requireRunning();
    const { engine } = this;
    return this.#close(proposeSet([], engine.state.header, engine.settings()), [], { amend });
  }

  /**
   * Closes a ledger without transactions that raises the protocol to that of `host`, which is used from then on.
   * @throws LedgerServiceError `NOT_AN_UPGRADE`
   */
  upgradeProtocol(host: SorobanHost): ClosedLedger {
    this.#requireRunning();
    const { engine } = this;
    const { header } = engine.state;
    const before = engine.host;
    if (host.protocol <= header.ledgerVersion) {
      throw new LedgerServiceError(
        'NOT_AN_UPGRADE',
        `The network runs protocol ${header.ledgerVersion}; it can only be upgraded to a later one.`,
      );
    }
    engine.useHost(host);
    try {
      const upgrade = xdr.LedgerUpgrade.ledgerUpgradeVersion(host.protocol);
      return this.#close(proposeSet([], header, engine.settings()), [], { upgrades: [upgrade] });
    } catch (error) {
      engine.useHost(before);
      throw error;
    }
  }

  get closeMode(): CloseMode {
    return this.#schedule.mode;
  }

  /** Sets when ledgers close from now on. Transactions that are already waiting are closed according to the new mode. */
  set closeMode(mode: CloseMode) {
    this.#schedule.mode = mode;
    if (this.#queue.size > 0) this.#schedule.transactionWaits();
  }

  /**
   * Removes the waiting transaction with this hash, or every waiting one. Nobody is charged.
   * @param hash hex
   * @returns how many were removed
   * @throws LedgerServiceError
   */
  dropWaiting(hash?: string): number {
    this.#requireRunning();
    const dropped = this.#queue.drop(hash);
    for (const look of [...this.#waiting]) look();
    return dropped;
  }

  /** Moves the network's time forward by whole seconds: the next ledger's close time is that much later. */
  advanceTime(seconds: number): void {
    this.#ahead += seconds * 1_000;
    this.#readTimeBounds();
  }

  /** Sets what time bounds are compared with from now on. */
  set timeBounds(reading: TimeBoundsReading) {
    this.#timeBounds = reading;
    this.#readTimeBounds();
  }

  #readTimeBounds(): void {
    const behind = this.#timeBounds === 'clock' ? this.#ahead / 1_000 : 0;
    this.engine.timeBoundsBehind = BigInt(behind);
  }

  #close(
    proposed: ProposedSet,
    waiting: readonly WaitingTransaction[],
    changes: LedgerChanges = {},
  ): ClosedLedger {
    const { engine } = this;
    const placed = [...proposed.phases.classic, ...proposed.phases.stages.flat(2)];
    const chosen = new Set(placed.map(({ tx }) => tx));
    for (const one of waiting) if (chosen.has(one.tx)) this.#queue.remove(one);
    // If this throws, the ledger is unchanged, and the transactions that made it fail are no longer in the queue.
    const next = nextLedger(
      engine,
      proposed,
      this.#nextCloseTime(),
      this.#options.validator,
      changes,
    );
    const { ledger, undo } = next.commit();
    const { sequence } = ledger;
    const isStored = () => this.history.latestSequence === sequence;
    this.#keep(undo, sequence, () => this.history.add(ledger), isStored);
    this.#schedule.closed(this.#queue.size > 0);
    for (const listener of [...this.#listeners]) this.#inform(listener, ledger);
    return ledger;
  }

  /** The ledger is closed whatever a listener does, and the others hear of it too. */
  #inform(listener: CloseListener, ledger: ClosedLedger): void {
    try {
      listener(ledger);
    } catch (error) {
      this.#options.onFault(asError(error));
    }
  }

  /** Calls the listener with every ledger from now on. Returns a function that removes it. */
  onClose(listener: CloseListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Waits for the ledger that closes an accepted transaction.
   * @param hash hex
   * @throws LedgerServiceError `DROPPED` if it left the queue without being in a ledger, `STOPPED`
   */
  closed(hash: string): Promise<FoundTransaction> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.history.transaction(hash);
        if (found === undefined && this.#end === undefined && this.#queue.has(hash)) return;
        stop();
        this.#waiting.delete(look);
        if (found !== undefined) resolve(found);
        else
          reject(this.#end ?? new LedgerServiceError('DROPPED', 'No ledger took the transaction.'));
      };
      const stop = this.onClose(look);
      this.#waiting.add(look);
      look();
    });
  }

  /** Waits for the ledger that is about to include a transaction, if there is one. @param hash hex */
  async settled(hash: string): Promise<void> {
    if (!this.#schedule.closesSoon || !this.#queue.has(hash)) return;
    await this.closed(hash).catch(() => undefined);
  }

  /** Closes no more ledgers. */
  stop(): void {
    this.#schedule.stop();
    this.#end ??= new LedgerServiceError('STOPPED', 'The network was closed.');
    for (const look of [...this.#waiting]) look();
  }

  /** Whether the state and the stored history agree. */
  get sound(): boolean {
    return this.#end?.code !== 'FAILED';
  }

  /** Why the newest ledger could not be stored; undefined once one is stored. */
  get fault(): LedgerServiceError | undefined {
    return this.#end?.code === 'FAILED' ? this.#end : this.#notStored;
  }

  #closeOnTime(): void {
    const known = this.#notStored?.message;
    try {
      this.closeLedger();
    } catch (error) {
      const fault = asError(error);
      // The network tries again at each ledger, and reports once that it cannot.
      if (fault.message !== known) this.#options.onFault(fault);
      this.#schedule.closed(this.#queue.size > 0);
      for (const look of [...this.#waiting]) look();
    }
  }

  /**
   * Stores what was committed to the state; nobody sees it earlier. If that fails, the state goes back to the last stored
   * ledger, and the network continues from there.
   * @param last the sequence of the last ledger that was committed
   * @param isStored whether it is stored although `store` failed
   * @throws LedgerServiceError `NOT_STORED`, or `FAILED` if the network has stopped
   */
  #keep(undo: () => void, last: number, store: () => void, isStored = () => false): void {
    try {
      store();
      this.#notStored = undefined;
    } catch (error) {
      // A ledger that is stored stays, even if older ones could not be removed after it.
      if (isStored()) {
        this.#options.onFault(asError(error));
        return;
      }
      const failure = this.#goBack(undo, last, error);
      for (const look of [...this.#waiting]) look();
      throw failure;
    }
  }

  #goBack(undo: () => void, last: number, cause: unknown): LedgerServiceError {
    const why = `Ledger ${last} could not be stored (${asError(cause).message}).`;
    try {
      undo();
      const { ledgerSeq } = this.engine.state.header;
      const then = `The network stays at ledger ${ledgerSeq} until one can be stored.`;
      this.#notStored = new LedgerServiceError('NOT_STORED', `${why} ${then}`, cause);
      if (ledgerSeq === this.history.latestSequence) return this.#notStored;
    } catch (error) {
      this.#options.onFault(asError(error));
    }
    this.#end = new LedgerServiceError(
      'FAILED',
      `${why} The network has stopped. Start it again.`,
      cause,
    );
    this.#schedule.stop();
    return this.#end;
  }

  /** The earliest ledger that can include a transaction sent now. */
  #nextMoment(): LedgerMoment {
    const { ledgerSeq, scpValue } = this.engine.state.header;
    const { mode } = this.#schedule;
    const next = this.#nextCloseTime();
    if (mode.kind !== 'interval') {
      return { ledgerSeq: ledgerSeq + 1, closeTime: next, latestCloseTime: next };
    }
    const ahead = Math.floor((EXPECTED_CLOSE_TIME_FACTOR * mode.milliseconds) / 1_000);
    return {
      ledgerSeq: ledgerSeq + 1,
      closeTime: scpValue.closeTime,
      latestCloseTime: next + BigInt(ahead),
    };
  }

  /** In seconds. Ledgers that close in quick succession share a second; time never goes back. */
  #nextCloseTime(): bigint {
    const now = BigInt(Math.floor(this.now() / 1_000));
    const { closeTime } = this.engine.state.header.scpValue;
    return now > closeTime ? now : closeTime;
  }

  #requireRunning(): void {
    if (this.#end !== undefined) throw this.#end;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
