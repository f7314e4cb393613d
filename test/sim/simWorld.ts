import type { Clock } from '../../src/server/index.ts';
import type { Random } from '../helpers/random.ts';

interface Due {
  readonly at: number;
  readonly order: number;
  readonly act: () => void;
}

const START = 1_750_000_000_000;

/** Ends the simulation: an invariant does not hold. */
export class SimulationFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SimulationFault';
  }
}

/**
 * Time and order of one simulation. Everything that takes time is an event; between two events
 * nothing runs but what follows from the first. Events of the same time come in an order that the
 * seed decides.
 */
export class SimWorld {
  readonly random: Random;
  readonly trace: string[] = [];
  now = START;
  #events: Due[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  /** Milliseconds since it began. */
  get elapsed(): number {
    return this.now - START;
  }

  note(line: string): void {
    this.trace.push(`${this.elapsed.toString().padStart(8)}  ${line}`);
  }

  /** @returns takes the event back */
  after(milliseconds: number, act: () => void): () => void {
    const due = { at: this.now + Math.max(0, milliseconds), order: this.random.next(), act };
    let low = 0;
    let high = this.#events.length;
    // The latest first, so that the next one is popped from the end.
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#events[middle];
      if (other && (other.at > due.at || (other.at === due.at && other.order > due.order))) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    this.#events.splice(low, 0, due);
    return () => {
      const index = this.#events.indexOf(due);
      if (index >= 0) this.#events.splice(index, 1);
    };
  }

  /** Runs events, `check` after each, until `done` or until nothing is left. */
  async run(done: () => boolean, check: () => void, mostEvents: number): Promise<void> {
    for (let events = 0; !done(); events++) {
      const next = this.#events.pop();
      if (next === undefined) throw new SimulationFault('nothing happens any more');
      if (events >= mostEvents) throw new SimulationFault(`no end after ${events} events`);
      this.now = next.at;
      next.act();
      // What follows from it, to the last promise.
      await new Promise((resolve) => setImmediate(resolve));
      check();
    }
  }
}

/** One run of the process, from its start to its end. What it waits for never comes once it is dead. */
export class Life {
  dead = false;
  readonly #world: SimWorld;

  constructor(world: SimWorld) {
    this.#world = world;
  }

  /** Resolves `milliseconds` later, if the process still lives then. */
  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#world.after(milliseconds, () => {
        if (!this.dead) resolve();
      });
    });
  }

  /** Never comes: for a process that has ended. */
  never<T>(): Promise<T> {
    return new Promise<T>(() => {});
  }

  get clock(): Clock {
    const world = this.#world;
    return {
      now: () => world.now,
      elapsed: () => world.now,
      sleep: (milliseconds) => this.wait(milliseconds),
      after: (milliseconds, action) =>
        world.after(milliseconds, () => {
          if (!this.dead) action();
        }),
    };
  }
}
