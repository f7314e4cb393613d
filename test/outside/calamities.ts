import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { WRITES, type Write } from '../faults/steps.ts';
import type { Instance } from '../helpers/facilitators/instance.ts';
import type { Random } from '../helpers/random.ts';
import type { Records } from './records.ts';
import { pause } from './spoiltCall.ts';
import type { OutsideWorld } from './world.ts';

/** Faults of an instance, other than of its calls. */
type Calamity =
  | 'kill'
  | 'kill at a write'
  | 'full disk'
  | 'clock'
  | 'pause'
  | 'database hangs'
  | 'database swallows'
  | 'database ends connections'
  | 'database restarts'
  | 'records set back'
  | 'rows deleted';

const WRITE_NAMES = Object.keys(WRITES) as Write[];
/** How long a database is in bad weather: some beyond what an instance counts as alive. */
const MAX_DATABASE_MS = 9_000;
/** An instance that does not reach the statement is left alone after this time. */
const ARMED_MS = 2_500;

/** How far records are set back: to those before a power cut, or to a backup. */
const SET_BACK_MS = [3_000, 15_000] as const;
const BLOCK = Buffer.alloc(64 * 1_024);
const MAX_CLOCK_STEP_MS = 180_000;
const DAYS_MS = 9 * 86_400_000;

/** Kills instances and starts them again, one after the other for each. */
export class Supervisor {
  kills = 0;
  readonly #records: Records;
  readonly #random: Random;
  readonly #busy = new Set<Instance>();
  #isAlone = false;

  constructor(records: Records, random: Random) {
    this.#records = records;
    this.#random = random;
  }

  /** Does something during which instances are not killed, as soon as those that were are up again. */
  async alone(work: () => Promise<void>): Promise<void> {
    while (this.#busy.size > 0) await pause(50);
    this.#isAlone = true;
    await work();
    this.#isAlone = false;
  }

  async kill(instance: Instance): Promise<void> {
    if (this.#isAlone || this.#busy.has(instance)) return;
    this.#busy.add(instance);
    const end = this.#records.interrupt(instance.name, 'kill');
    await instance.kill();
    end();
    this.kills++;
    await pause(this.#random.below(1_500));
    await instance.start();
    this.#busy.delete(instance);
  }
}

/** Fills what is left of a disk; the result frees it again. */
function fill(path: string): () => void {
  const ballast = join(path, 'ballast');
  const file = openSync(ballast, 'w');
  try {
    for (const size of [BLOCK.length, 4_096, 1]) {
      try {
        while (writeSync(file, BLOCK, 0, size) > 0);
      } catch {
        // It is full, as far as pieces of this size go.
      }
    }
  } finally {
    closeSync(file);
  }
  return () => rmSync(ballast, { force: true });
}

/** Makes calamities happen one after the other, in an order that the seed decides. */
export class Calamities {
  readonly happened = new Map<string, number>();
  readonly #world: OutsideWorld;
  readonly #records: Records;
  readonly #random: Random;
  readonly #supervisor: Supervisor;

  constructor(world: OutsideWorld, records: Records, random: Random, supervisor: Supervisor) {
    this.#world = world;
    this.#records = records;
    this.#random = random;
    this.#supervisor = supervisor;
  }

  /** Runs until `over`, then restores disks and clocks. @param every mean pause in milliseconds */
  async run(over: () => boolean, every: number): Promise<void> {
    for (;;) {
      const until = performance.now() + every * (0.5 + this.#random.next());
      while (performance.now() < until && !over()) await pause(50);
      if (over()) break;
      const victim = this.#random.pick(this.#world.instances);
      const kind = this.#random.pick(this.#kinds());
      this.happened.set(kind, (this.happened.get(kind) ?? 0) + 1);
      await this.#make(kind, victim);
    }
    for (const instance of this.#world.instances) instance.setClock(0);
  }

  #kinds(): readonly Calamity[] {
    const { disk, postgres } = this.#world;
    const common = ['kill', 'clock', 'pause'] as const;
    if (this.#world.forgets) return [...common, 'records set back', 'rows deleted'];
    if (postgres === undefined) {
      return typeof disk === 'string' ? common : [...common, 'full disk', 'full disk'];
    }
    const ways = ['database hangs', 'database swallows', 'database ends connections'] as const;
    return [...common, ...ways, 'kill at a write', 'kill at a write', 'database restarts'];
  }

  async #make(kind: Calamity, victim: Instance): Promise<void> {
    const random = this.#random;
    switch (kind) {
      case 'kill':
        return this.#supervisor.kill(victim);
      case 'clock': {
        const far = random.chance(0.15);
        const span = far ? DAYS_MS : MAX_CLOCK_STEP_MS;
        victim.setClock(random.below(2 * span) - span);
        return;
      }
      case 'pause': {
        const end = this.#records.interrupt(victim.name, kind);
        await victim.freeze(500 + random.below(4_000));
        end();
        return;
      }
      case 'full disk': {
        const { disk } = this.#world;
        if (typeof disk === 'string') return;
        const end = this.#records.interrupt(victim.name, kind);
        const free = fill(disk.path);
        await pause(500 + random.below(3_000));
        free();
        end();
        return;
      }
      case 'records set back': {
        const ends = this.#world.instances.map(({ name }) => this.#records.interrupt(name, kind));
        await this.#supervisor.alone(() =>
          this.#world.setBack(victim, 500 + random.below(random.pick(SET_BACK_MS))),
        );
        for (const end of ends) end();
        return;
      }
      case 'rows deleted':
        return this.#supervisor.alone(() => this.#world.trim(victim));
      default:
        return this.#spoilDatabase(kind, victim);
    }
  }

  async #spoilDatabase(
    kind: Extract<Calamity, `database ${string}` | 'kill at a write'>,
    victim: Instance,
  ): Promise<void> {
    const random = this.#random;
    const { instances, databases, postgres } = this.#world;
    const way = databases[instances.indexOf(victim)];
    if (way === undefined || postgres === undefined) return;
    switch (kind) {
      case 'kill at a write':
        way.killAt({ write: random.pick(WRITE_NAMES), moment: random.pick(['before', 'after']) });
        await pause(ARMED_MS);
        way.killAt(undefined);
        return;
      case 'database ends connections': {
        const end = this.#records.interrupt(victim.name, kind);
        way.end();
        end();
        return;
      }
      case 'database restarts': {
        const ends = instances.map(({ name }) => this.#records.interrupt(name, kind));
        await postgres.stop();
        await pause(random.below(2_000));
        await postgres.start();
        for (const end of ends) end();
        return;
      }
      default: {
        const end = this.#records.interrupt(victim.name, kind);
        way.setWeather(kind === 'database hangs' ? 'hangs' : 'swallows');
        await pause(500 + random.below(MAX_DATABASE_MS));
        way.setWeather('fair');
        end();
      }
    }
  }
}
