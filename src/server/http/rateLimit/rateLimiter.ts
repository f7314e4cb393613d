import type { Clock } from '../../clock.ts';

/** Whether a request may pass, and the client's remaining requests. */
export interface RateLimitVerdict {
  readonly allowed: boolean;
  /** Requests a minute. */
  readonly limit: number;
  /** Requests that would pass now. */
  readonly remaining: number;
  /** Seconds, at least 1, until one more request passes than now. */
  readonly resetSeconds: number;
  /** Whether the client was refused so often that its connection is to be closed. */
  readonly isFarOver: boolean;
}

/** Refusals that a client may get before each further one closes its connection. */
export const MAX_REFUSALS = 20;

/** Counts requests by client. One in a process, or one shared by several through a store. */
export interface RateLimiter {
  /** Counts a request. @param client key of the client (`clientKey`) */
  take(client: string): RateLimitVerdict | Promise<RateLimitVerdict>;
}

const MINUTE_MS = 60_000;

/** Maximum number of times kept for all clients together, eight bytes each. */
const MAX_TIMES = 1_000_000;

/** When the requests of a client passed, in order; the first `#head` of them are forgotten. */
class PassedTimes {
  #times: number[] = [];
  #head = 0;
  /** Refusals since the last request that passed. */
  refusals = 0;

  get count(): number {
    return this.#times.length - this.#head;
  }

  get first(): number | undefined {
    return this.#times[this.#head];
  }

  add(time: number): void {
    this.#times.push(time);
  }

  forgetUntil(time: number): void {
    while ((this.first ?? Number.POSITIVE_INFINITY) <= time) this.#head += 1;
    if (this.#head * 2 <= this.#times.length) return;
    this.#times = this.#times.slice(this.#head);
    this.#head = 0;
  }
}

/**
 * Lets `perMinute` requests of a client through in any minute, whenever it starts, by keeping the times of
 * the last ones. A refused request is not counted, so that a client that keeps trying gets through as soon
 * as one that waits.
 *
 * Memory is bounded: if there are too many clients, the one that was silent longest is forgotten.
 */
export function createRateLimiter(
  perMinute: number,
  clock: Pick<Clock, 'now'>,
): { take(client: string): RateLimitVerdict } {
  /** Clients in the order of their last request. */
  const clients = new Map<string, PassedTimes>();
  const mostClients = Math.max(100, Math.floor(MAX_TIMES / perMinute));

  function timesOf(client: string): PassedTimes {
    const known = clients.get(client);
    if (known === undefined && clients.size >= mostClients) {
      const [longestSilent] = clients.keys();
      if (longestSilent !== undefined) clients.delete(longestSilent);
    }
    clients.delete(client);
    const times = known ?? new PassedTimes();
    clients.set(client, times);
    return times;
  }

  return {
    take(client) {
      const now = clock.now();
      const times = timesOf(client);
      times.forgetUntil(now - MINUTE_MS);
      const allowed = times.count < perMinute;
      if (allowed) times.add(now);
      times.refusals = allowed ? 0 : times.refusals + 1;
      const waitMs = (times.first ?? now) + MINUTE_MS - now;
      return {
        allowed,
        limit: perMinute,
        remaining: perMinute - times.count,
        resetSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
        isFarOver: times.refusals > MAX_REFUSALS,
      };
    },
  };
}
