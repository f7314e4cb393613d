import type { StellarAddress } from '../../../protocol/index.ts';
import type { Clock } from '../../clock.ts';

/** Simulations for one client at one time. */
const MAX_PER_CLIENT = 8;
/** Of these, for one payer that it names. */
const MAX_PER_PAYER = 4;

interface Waiting {
  readonly payer: StellarAddress;
  serve(): void;
}

/** One client with payments in simulation. */
class Line {
  readonly #running = new Map<StellarAddress, number>();
  readonly #waiting = new Set<Waiting>();
  #total = 0;

  get isEmpty(): boolean {
    return this.#total === 0 && this.#waiting.size === 0;
  }

  async enter(payer: StellarAddress, waitMs: number, clock: Clock): Promise<boolean> {
    if (this.#start(payer)) return true;
    return new Promise((resolve) => {
      const waiting: Waiting = {
        payer,
        serve: () => {
          giveUp();
          this.#waiting.delete(waiting);
          resolve(true);
        },
      };
      const giveUp = clock.after(waitMs, () => {
        this.#waiting.delete(waiting);
        resolve(false);
      });
      this.#waiting.add(waiting);
    });
  }

  #start(payer: StellarAddress): boolean {
    const running = this.#running.get(payer) ?? 0;
    if (this.#total >= MAX_PER_CLIENT || running >= MAX_PER_PAYER) return false;
    this.#total += 1;
    this.#running.set(payer, running + 1);
    return true;
  }

  leave(payer: StellarAddress): void {
    const running = this.#running.get(payer) ?? 0;
    this.#total -= 1;
    if (running > 1) this.#running.set(payer, running - 1);
    else this.#running.delete(payer);
    for (const waiting of this.#waiting) if (this.#start(waiting.payer)) waiting.serve();
  }
}

/**
 * Bounds the simulations for payers whose signatures only the ledger can judge. The bound is the client's, who waits for its own
 * requests: a payer that others name waits for none of theirs.
 */
export class UnprovenPayers {
  readonly #clock: Clock;
  readonly #lines = new Map<string, Line>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Runs the work in the client's turn.
   * @returns `undefined` if its turn did not come in time
   */
  async inTurn<T>(
    client: string,
    payer: StellarAddress,
    waitMs: number,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const line = this.#lines.get(client) ?? new Line();
    this.#lines.set(client, line);
    try {
      if (!(await line.enter(payer, waitMs, this.#clock))) return undefined;
      try {
        return await work();
      } finally {
        line.leave(payer);
      }
    } finally {
      if (line.isEmpty) this.#lines.delete(client);
    }
  }
}
