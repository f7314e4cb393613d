import type { Clock } from '../clock.ts';
import { RpcError } from './rpcError.ts';

/** What a call is for. While a server's limit is used up, submissions go first and lookups last. */
export type CallPurpose = 'submission' | 'reading' | 'lookup';

const PURPOSES = ['submission', 'reading', 'lookup'] as const satisfies readonly CallPurpose[];

/** How long a call may wait for its turn. A call that would wait longer is refused at once. */
const MAX_WAIT_MS: Readonly<Record<CallPurpose, number>> = {
  submission: 6_000,
  reading: 2_000,
  lookup: 4_000,
};

/** Pause after HTTP 429 without `Retry-After`, and the longest one that is obeyed. */
const DEFAULT_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** The share of the calls before a 429 that is sent afterwards, and how fast that rate grows again, each second. */
const SLOWER = 0.8;
const GROWTH = 0.05;
/** After this long without a 429, the rate is free again. */
const FORGET_MS = 60_000;
/** Calls that may be sent at once after a quiet time, as a share of those of a second. */
const BURST = 0.5;

interface Waiting {
  readonly count: number;
  readonly since: number;
  readonly until: number;
  readonly go: () => void;
  readonly refuse: () => void;
}

/**
 * Spaces out the calls to one server: at most a budget of calls a second, if one is set, and at most what the server accepts.
 * An HTTP 429 pauses the calls for as long as the server asks; if another one follows, they continue at a lower rate.
 */
export class CallGate {
  readonly #budget: number | null;
  /** Calls a second that the server seems to accept; `undefined` if it never refused one. */
  #learned: number | undefined;
  #tokens: number;
  readonly #clock: Clock;
  #filledAt: number;
  #pausedUntil = 0;
  #limitedAt = Number.NEGATIVE_INFINITY;
  /** Calls of this second and of the one before. */
  #sent = { since: 0, now: 0, before: 0 };
  readonly #waiting: Readonly<Record<CallPurpose, Waiting[]>> = {
    submission: [],
    reading: [],
    lookup: [],
  };
  #cancel = (): void => {};

  /** @param budget calls a second; `null` for as many as the server accepts */
  constructor(budget: number | null, clock: Clock) {
    this.#budget = budget;
    this.#clock = clock;
    this.#filledAt = clock.elapsed();
    this.#tokens = this.#burst;
  }

  /**
   * Waits for the turn of some calls that are sent together.
   * @throws RpcError `limited`, at once, if they would have to wait too long
   */
  async enter(purpose: CallPurpose, count: number, method: string): Promise<void> {
    this.#fill();
    const ahead = this.#ahead(purpose);
    const waitMs = this.#waitMs(ahead, count);
    if (ahead === 0 && waitMs === 0) {
      this.#take(count);
      return;
    }
    if (waitMs > MAX_WAIT_MS[purpose]) throw this.#refusal(method, waitMs);
    await new Promise<void>((resolve, reject) => {
      this.#waiting[purpose].push({
        count,
        since: this.#clock.elapsed(),
        until: this.#clock.elapsed() + MAX_WAIT_MS[purpose],
        go: resolve,
        refuse: () => reject(this.#refusal(method, this.waitMs)),
      });
      this.#expectTurn();
    });
  }

  /**
   * Milliseconds that a call would wait which lets all others go first; 0 if it would be sent now. Calls that go first may pass
   * others for a long time, so it is at least as long as one has waited already.
   */
  get waitMs(): number {
    this.#fill();
    return Math.max(this.#waitMs(this.#ahead('lookup'), 1), this.#waitedMs());
  }

  /** How long the call that has waited longest has waited. */
  #waitedMs(): number {
    const since = PURPOSES.map((one) => this.#waiting[one][0]?.since ?? Infinity);
    return Math.max(0, this.#clock.elapsed() - Math.min(...since));
  }

  /** The server refused a call with HTTP 429. @param retryAfterMs the pause that it asks for */
  refused(retryAfterMs: number | undefined): void {
    const now = this.#clock.elapsed();
    const pause = Math.min(retryAfterMs ?? DEFAULT_PAUSE_MS, MAX_PAUSE_MS);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
    // The calls of one burst are refused together.
    if (now - this.#limitedAt > DEFAULT_PAUSE_MS) {
      // One 429 after a quiet time says nothing about a rate: the pause is enough.
      if (now - this.#limitedAt <= FORGET_MS) {
        this.#learned = Math.max(1, SLOWER * Math.max(this.#sent.now, this.#sent.before));
        this.#tokens = Math.min(this.#tokens, 0);
      }
    }
    this.#limitedAt = now;
    this.#expectTurn();
  }

  /** Refuses everything that waits. */
  close(): void {
    this.#cancel();
    for (const purpose of PURPOSES) {
      for (const { refuse } of this.#waiting[purpose].splice(0)) refuse();
    }
  }

  get #rate(): number {
    return Math.min(this.#budget ?? Number.POSITIVE_INFINITY, this.#learned ?? Infinity);
  }

  get #burst(): number {
    const rate = this.#rate;
    return rate === Infinity ? Infinity : Math.max(1, BURST * rate);
  }

  #fill(): void {
    const now = this.#clock.elapsed();
    const seconds = (now - this.#filledAt) / 1_000;
    this.#filledAt = now;
    if (this.#learned !== undefined) {
      this.#learned *= 1 + GROWTH * seconds;
      if (now - this.#limitedAt > FORGET_MS) this.#learned = undefined;
    }
    const rate = this.#rate;
    this.#tokens =
      rate === Infinity ? Infinity : Math.min(this.#burst, this.#tokens + rate * seconds);
  }

  #ahead(purpose: CallPurpose): number {
    const before = PURPOSES.slice(0, PURPOSES.indexOf(purpose) + 1);
    return before.reduce(
      (sum, one) => this.#waiting[one].reduce((calls, { count }) => calls + count, sum),
      0,
    );
  }

  #waitMs(ahead: number, count: number): number {
    const paused = Math.max(0, this.#pausedUntil - this.#clock.elapsed());
    const rate = this.#rate;
    if (rate === Infinity) return paused;
    // A batch that is larger than what may be sent at once is sent as soon as one call may be, and then owed.
    const missing = ahead + Math.min(count, 1) - this.#tokens;
    return paused + Math.max(0, (missing * 1_000) / rate);
  }

  #take(count: number): void {
    this.#tokens -= count;
    const now = this.#clock.elapsed();
    if (now - this.#sent.since > 1_000) {
      const isNext = now - this.#sent.since < 2_000;
      this.#sent = { since: now, now: 0, before: isNext ? this.#sent.now : 0 };
    }
    this.#sent.now += count;
  }

  #refusal(method: string, waitMs: number): RpcError {
    const rate = this.#rate;
    const limit = rate === Infinity ? 'it asked for a pause' : `${Math.round(rate)} calls a second`;
    const detail = `the RPC server's limit is used up (${limit}, ${this.#ahead('lookup')} calls are waiting)`;
    return new RpcError('limited', method, detail, { retryAfterMs: Math.ceil(waitMs) });
  }

  #expectTurn(): void {
    this.#cancel();
    if (this.#ahead('lookup') === 0) return;
    this.#fill();
    // A timer may fire slightly early.
    this.#cancel = this.#clock.after(Math.ceil(this.#waitMs(0, 1)) + 1, () => this.#serve());
  }

  #serve(): void {
    this.#fill();
    const now = this.#clock.elapsed();
    for (const purpose of PURPOSES) {
      const line = this.#waiting[purpose];
      for (let next = line[0]; next !== undefined; next = line[0]) {
        if (next.until < now) {
          line.shift();
          next.refuse();
          continue;
        }
        if (this.#waitMs(0, next.count) > 0) {
          this.#expectTurn();
          return;
        }
        line.shift();
        this.#take(next.count);
        next.go();
      }
    }
  }
}
