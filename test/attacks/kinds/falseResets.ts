import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../../support/faultyRpc.ts';
import type { AttackTable } from '../attack.ts';
import { VICTIM_URL } from '../victim.ts';
import type { World } from '../world.ts';

/** The service looks at its network at least so often; after that, it has drawn its conclusion. */
const LOOKS_MS = 3_600;
const PATIENCE_MS = 10_000;

/** Answers one call of a method in another way, and returns what the service is afterwards. */
async function once(world: World, method: string, fault: Fault): Promise<string> {
  let isSpoiled = false;
  world.rpc.fault((called) => {
    if (isSpoiled || called !== method) return undefined;
    isSpoiled = true;
    return fault;
  });
  const until = performance.now() + PATIENCE_MS;
  try {
    while (!isSpoiled) {
      if (performance.now() > until) return `${method} was never called`;
      await pause(50);
    }
  } finally {
    world.rpc.heal();
  }
  const from = performance.now();
  while (performance.now() - from < LOOKS_MS) {
    const { status, text } = await world.service({ path: '/ready' });
    if (status !== 200) return text;
    await pause(200);
  }
  const { text } = await world.service({
    path: '/discovery/resources?limit=100',
    headers: world.newClient(),
  });
  return text.includes(VICTIM_URL) ? 'ready, with its catalog' : 'ready, without its catalog';
}

const HELD = 'ready, with its catalog';

/**
 * An answer that looks as if the network had started again, such as that of one server among several that is far behind. One
 * answer ends no network.
 */
export const FALSE_RESETS: AttackTable<World> = {
  kind: 'resets',
  attacks: [
    {
      name: 'one answer whose latest ledger is the second',
      refused: HELD,
      run: (world) =>
        once(world, 'getHealth', (result) => ({ ...result, latestLedger: 2, oldestLedger: 1 })),
    },
    {
      name: 'one answer of a server that is not healthy',
      refused: HELD,
      run: (world) => once(world, 'getHealth', { error: { code: -32_603, message: 'latency' } }),
    },
    {
      name: 'one answer in which no account exists',
      refused: HELD,
      run: (world) => once(world, 'getLedgerEntries', (result) => ({ ...result, entries: [] })),
    },
  ],
};
