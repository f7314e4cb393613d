import { type CloseMode, LEDGER_TARGET_MILLISECONDS } from './closeMode.ts';
import type { LedgerClock } from './ledgerClock.ts';

const NOTHING = (): void => {};

/**
 * Turns of the event loop in which nothing comes before a ledger closes on demand. One payment alone
 * waits well under a millisecond for them; payments that are under way together meet in one ledger.
 */
const QUIET_TURNS = 3;
/** However much keeps coming, a transaction waits no longer than this for company. */
const LONGEST_WAIT_MILLISECONDS = 20;

/** Decides when the next ledger closes. */
export class CloseSchedule {
  readonly #clock: LedgerClock;
  readonly #close: () => void;
  #mode: CloseMode;
  #cancelTimer = NOTHING;
  #cancelSoon = NOTHING;
  #soon = false;
  #stopped = false;
  /** Counts what comes in: transactions, and questions that announce them. */
  #arrivals = 0;
  /** Transactions that are being looked at before they are taken in. */
  #underWay = 0;

  /** @param close closes a ledger; the schedule learns of it, as of every other close, through `closed` */
  constructor(mode: CloseMode, clock: LedgerClock, close: () => void) {
    this.#mode = mode;
    this.#clock = clock;
    this.#close = close;
    this.#wait();
  }

  get mode(): CloseMode {
    return this.#mode;
  }

  set mode(mode: CloseMode) {
    this.#mode = mode;
    this.#wait();
  }

  /** Whether a ledger closes within milliseconds, because transactions wait for it on demand. */
  get closesSoon(): boolean {
    return this.#soon && !this.#stopped;
  }

  /** Something came that a transaction may follow. */
  arrival(): void {
    this.#arrivals += 1;
  }

  /** A transaction is looked at first: a ledger on demand waits for it. @returns what ends that */
  underWay(): () => void {
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
    };
  }

  /** A transaction waits. On demand a ledger closes once those that come with it are in. */
  transactionWaits(): void {
    this.arrival();
    if (this.#mode.kind !== 'demand' || this.#soon || this.#stopped) return;
    this.#soon = true;
    this.#closeWhenQuiet(this.#clock.now() + LONGEST_WAIT_MILLISECONDS, QUIET_TURNS);
  }

  #closeWhenQuiet(deadline: number, turns: number): void {
    const arrivals = this.#arrivals;
    this.#cancelSoon = this.#clock.soon(() => {
      const quiet = this.#arrivals === arrivals && this.#underWay === 0;
      const left = quiet ? turns - 1 : QUIET_TURNS;
      if (left > 0 && this.#clock.now() < deadline) {
        this.#closeWhenQuiet(deadline, left);
        return;
      }
      this.#soon = false;
      this.#close();
    });
  }

  /** Called after a ledger closed, for any reason. */
  closed(transactionsWait: boolean): void {
    this.#wait();
    if (transactionsWait) this.transactionWaits();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer();
    this.#cancelSoon();
  }

  #wait(): void {
    this.#cancelTimer();
    this.#cancelTimer = NOTHING;
    if (this.#stopped || this.#mode.kind === 'manual') return;
    const milliseconds =
      this.#mode.kind === 'interval' ? this.#mode.milliseconds : LEDGER_TARGET_MILLISECONDS;
    this.#cancelTimer = this.#clock.after(milliseconds, this.#close);
  }
}
