import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Instance } from '../helpers/facilitators/instance.ts';
import type { Random } from '../helpers/random.ts';
import type { Records } from './records.ts';
import { pause } from './spoiltCall.ts';
import type { OutsideWorld } from './world.ts';

/** What befalls an instance, beside its calls. */
export type Calamity = 'kill' | 'full disk' | 'clock' | 'pause';

const BLOCK = Buffer.alloc(64 * 1_024);
const MOST_CLOCK_STEP_MS = 180_000;
const DAYS_MS = 9 * 86_400_000;

/** Kills instances and starts them again, one after the other for each. */
export class Supervisor {
  kills = 0;
  readonly #records: Records;
  readonly #random: Random;
  readonly #busy = new Set<Instance>();

  constructor(records: Records, random: Random) {
    this.#records = records;
    this.#random = random;
  }

  async kill(instance: Instance): Promise<void> {
    if (this.#busy.has(instance)) return;
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

/** Lets calamities happen one after the other, in an order of the seed. */
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

  /** Goes on until `over`, and then makes disks and clocks right. @param every mean pause in milliseconds */
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
    const disk = typeof this.#world.disk === 'string' ? [] : (['full disk', 'full disk'] as const);
    return ['kill', 'kill', 'clock', 'pause', ...disk];
  }

  async #make(kind: Calamity, victim: Instance): Promise<void> {
    const random = this.#random;
    switch (kind) {
      case 'kill':
        return this.#supervisor.kill(victim);
      case 'clock': {
        const far = random.chance(0.15);
        const span = far ? DAYS_MS : MOST_CLOCK_STEP_MS;
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
      }
    }
  }
}
