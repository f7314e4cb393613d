import { type CloseMode, LEDGER_TARGET_MILLISECONDS } from './closeMode.ts';
import type { LedgerClock } from './ledgerClock.ts';

const NOTHING = (): void => {};

/** Says when the next ledger closes. */
export class CloseSchedule {
  readonly #clock: LedgerClock;
  readonly #close: () => void;
  #mode: CloseMode;
  #cancelTimer = NOTHING;
  #cancelSoon = NOTHING;
  #soon = false;
  #stopped = false;

  /** @param close closes a ledger; the schedule is told of it, as of every other close, by `closed` */
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

  /** A transaction waits. On demand a ledger closes once all that arrived with it is in. */
  transactionWaits(): void {
    if (this.#mode.kind !== 'demand' || this.#soon || this.#stopped) return;
    this.#soon = true;
    this.#cancelSoon = this.#clock.soon(() => {
      this.#soon = false;
      this.#close();
    });
  }

  /** A ledger closed, for whatever reason. */
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
