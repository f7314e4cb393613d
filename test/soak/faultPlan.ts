import type { Instance } from '../helpers/facilitators/instance.ts';
import type { Random } from '../helpers/random.ts';
import type { SoakWorld } from './world.ts';

/** A fault that was made: when (seconds into the run), which, and how. */
export interface MadeFault {
  readonly at: number;
  readonly kind: FaultKind;
  readonly detail: string;
}

const FAULTS = [
  'RPC stall',
  'RPC silence',
  'RPC error',
  'kill',
  'stop',
  'freeze',
  'PostgreSQL',
  'clock',
  'ledger time',
] as const;

export type FaultKind = (typeof FAULTS)[number];

/** Calls of a settlement that are spoilt. */
const CALLS = ['simulateTransaction', 'sendTransaction', 'getTransaction', 'getLedgerEntries'];
const MAX_CLOCK_STEP_MS = 120_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Makes one fault and, when it is over, returns what it was. */
type Make = (world: SoakWorld, random: Random, victim: Instance) => Promise<string>;

async function spoil(world: SoakWorld, method: string, kind: string, times: number, ms?: number) {
  const milliseconds = ms === undefined ? {} : { milliseconds: ms };
  await world.control('svc_injectFault', { method, kind, times, ...milliseconds });
  return `${times} × ${method} ${kind}${ms === undefined ? '' : ` ${ms} ms`}`;
}

const make: Readonly<Record<FaultKind, Make>> = {
  'RPC stall': (world, random) =>
    spoil(world, random.pick(CALLS), 'late', 3 + random.below(8), 1_000 + random.below(7_000)),
  'RPC silence': (world, random) =>
    spoil(
      world,
      random.pick(CALLS),
      random.pick(['timeout', 'lost']),
      2 + random.below(5),
      500 + random.below(3_500),
    ),
  'RPC error': (world, random) => {
    const [method, kind] = random.pick([
      ['sendTransaction', 'tryAgainLater'],
      ['getTransaction', 'lag'],
      ['simulateTransaction', 'error5xx'],
      ['sendTransaction', 'error5xx'],
    ] as const);
    return spoil(world, method, kind, 2 + random.below(5));
  },
  async kill(_world, random, victim) {
    const down = random.below(4_000);
    await victim.kill();
    await pause(down);
    await victim.start();
    return `${victim.name}, started again ${down} ms later`;
  },
  async stop(_world, _random, victim) {
    const begun = performance.now();
    await victim.stop();
    const ended = Math.round(performance.now() - begun);
    await victim.start();
    return `${victim.name}, which ended ${ended} ms after SIGTERM and was started again`;
  },
  async freeze({ ttlMs }, random, victim) {
    // About as long as an instance counts as alive without a sign of life, and longer.
    const still = Math.round(ttlMs * (0.8 + 0.6 * random.next()));
    await victim.freeze(still);
    return `${victim.name} for ${still} ms`;
  },
  async PostgreSQL({ postgres }, random) {
    const down = random.below(2_500);
    await postgres.stop();
    await pause(down);
    await postgres.start();
    return `ended at once, back ${down} ms later`;
  },
  async clock(_world, random, victim) {
    const off = random.below(2 * MAX_CLOCK_STEP_MS) - MAX_CLOCK_STEP_MS;
    victim.setClock(off);
    return `${victim.name} is ${(off / 1_000).toFixed(1)} s off`;
  },
  async 'ledger time'(world, random) {
    const seconds = 10 + random.below(600);
    await world.control('svc_advanceTime', { seconds });
    return `${seconds} s forward`;
  },
};

/** Makes faults one after the other, each kind once before any comes again, in an order of the seed. */
export class FaultPlan {
  readonly made: MadeFault[] = [];
  readonly #world: SoakWorld;
  readonly #random: Random;
  readonly #seconds: () => number;
  #waiting: FaultKind[] = [];

  /** @param seconds returns how far the run is */
  constructor(world: SoakWorld, random: Random, seconds: () => number) {
    this.#world = world;
    this.#random = random;
    this.#seconds = seconds;
  }

  /** Runs until `until` seconds into the run. @param every mean pause in seconds */
  async run(until: number, every: number, say: (line: string) => void): Promise<void> {
    for (;;) {
      await pause(1_000 * every * (0.5 + this.#random.next()));
      if (this.#seconds() >= until) return;
      const at = this.#seconds();
      const kind = this.#next();
      const detail = await make[kind](
        this.#world,
        this.#random,
        this.#random.pick(this.#world.instances),
      );
      this.made.push({ at, kind, detail });
      say(`${at.toFixed(0)} s  ${kind}: ${detail}`);
    }
  }

  #next(): FaultKind {
    if (this.#waiting.length === 0) {
      const left: FaultKind[] = [...FAULTS];
      while (left.length > 0) {
        this.#waiting.push(...left.splice(this.#random.below(left.length), 1));
      }
    }
    return this.#waiting.pop() ?? 'kill';
  }
}
