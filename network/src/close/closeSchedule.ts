import { type CloseMode, LEDGER_TARGET_MILLISECONDS, type LedgerClock } from './ledgerClock.ts';

const NOTHING = (): void => {};

/**
 * Event loop turns without arrivals before a ledger closes on demand. A single payment waits well under a millisecond for them;
 * payments that arrive together share one ledger.
 */
const QUIET_TURNS = 3;
/** The longest that a transaction waits for others to join its ledger, however many keep arriving. */
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
  /** Counts arrivals: transactions, and requests that announce them. */
  #arrivals = 0;
  /** Transactions that are being checked before they are accepted. */
  #underWay = 0;

  /** @param close closes a ledger; like any other close, it is reported through `closed` */
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

  /** Whether a ledger will close within milliseconds, on demand of waiting transactions. */
  get closesSoon(): boolean {
    return this.#soon && !this.#stopped;
  }

  /** Records an arrival that a transaction might follow. */
  arrival(): void {
    this.#arrivals += 1;
  }

  /** Makes a ledger on demand wait for a transaction that is being checked. @returns a function that ends the wait */
  underWay(): () => void {
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
    };
  }

  /** Records that a transaction is waiting. On demand, a ledger closes once those that arrive with it are in. */
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

  /** Called after every ledger close, whatever its cause. */
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
