// The service with its strangers, in a process of its own, for crowd.ts: honest buyers pay from another one. Its first message says
// where the service is. It then tries the kind that it is asked for again and again until it is asked to stop, and reports.

import { setTimeout as pause } from 'node:timers/promises';
import type { AttackTable } from './attack.ts';
import { CROWD } from './kinds/index.ts';
import type { TargetParts } from './target.ts';
import { World } from './world.ts';

/** Pause between two attacks, most of which send many requests. */
const PAUSE_MS = 200;

/** What the process is asked for. */
export type CrowdOrder = { readonly begin: string } | { readonly end: true };

/** What was tried of a kind. */
export interface Tried {
  readonly attacks: number;
  /** Those that were not refused as their tables say, each as a sentence. */
  readonly through: readonly string[];
}

/** Tries the attacks of a kind in turn until the signal. */
async function tryUntil(kind: AttackTable<World>, world: World, end: AbortSignal): Promise<Tried> {
  const through = new Set<string>();
  let attacks = 0;
  while (!end.aborted) {
    for (const { name, refused, run } of kind.attacks) {
      if (end.aborted) break;
      const seen = await run(world).catch((error: unknown) => `the attack broke off: ${error}`);
      if (seen !== refused) through.add(`${name}: expected ${refused}, saw ${seen}`);
      for (const leak of world.leaks()) through.add(`${name}: ${leak}`);
      attacks += 1;
      await pause(PAUSE_MS);
    }
  }
  return { attacks, through: [...through] };
}

async function serve(): Promise<void> {
  const world = await World.open({ isCrowded: true });
  let end = new AbortController();
  process.on('message', (order: CrowdOrder) => {
    if ('end' in order) {
      end.abort();
      return;
    }
    end = new AbortController();
    const kind = CROWD.find((one) => one.kind === order.begin);
    const trying =
      kind === undefined
        ? Promise.resolve<Tried>({ attacks: 0, through: [`no kind ${order.begin}`] })
        : tryUntil(kind, world, end.signal);
    void trying.then((tried) => process.send?.(tried));
  });
  // Ends when the process that started it is gone.
  process.once('disconnect', () => process.exit(0));
  process.once('SIGTERM', () => void world.close().then(() => process.exit(0)));
  process.send?.(world.parts satisfies TargetParts);
}

await serve();
