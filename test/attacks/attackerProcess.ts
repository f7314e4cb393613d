// Tries the attacks over the network again and again, until it is stopped; its messages count them. Started by buyers.ts.

import { WITH_BUYERS } from './kinds/index.ts';
import { Target, type TargetParts } from './target.ts';

/** Attacks that are under way at once. */
const AT_ONCE = 1;

const parts = JSON.parse(process.argv[2] ?? '') as TargetParts;
const attacks = WITH_BUYERS.flatMap((table) => table.attacks);
let tried = 0;

async function attack(lane: number): Promise<never> {
  const target = new Target(parts);
  for (let n = lane; ; n += AT_ONCE) {
    const one = attacks[n % attacks.length];
    if (one === undefined) throw new Error('there are no attacks');
    const seen = await one.run(target);
    if (seen !== one.refused) throw new Error(`${one.name}: ${seen}`);
    target.leaks();
    tried += 1;
    process.send?.(tried);
  }
}

// Ends when the process that started it is gone.
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
process.send?.(tried);
await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => attack(lane)));
