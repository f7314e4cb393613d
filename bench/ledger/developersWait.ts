import { type Statistics, statistics } from '../statistics.ts';
import type { LocalChain, RunningChain } from './localChain.ts';

const STARTS = 5;
const WARM_UP = 100;
const SENDS = 300;
const CLIENTS = 10;
const SENDS_PER_CLIENT = 200;

type Transaction = RunningChain['transactions'][number];

export interface DevelopersWait {
  readonly chain: string;
  /** Milliseconds. */
  readonly firstAnswer: Statistics;
  readonly transactions: readonly {
    readonly name: Transaction['name'];
    /** Milliseconds from sending to the receipt, one client. */
    readonly receipt: Statistics;
    /** With ten clients, each sending and waiting in turn. */
    readonly perSecond: number;
  }[];
  /** Megabytes after all of it. */
  readonly memory: number;
}

/** Measures what a developer waits for. The last of the started servers is the one that is loaded. */
export async function measureWait(
  name: string,
  start: NonNullable<LocalChain['start']>,
): Promise<DevelopersWait> {
  const firstAnswers: number[] = [];
  for (let n = 1; n < STARTS; n += 1) {
    const chain = await start();
    firstAnswers.push(chain.firstAnswer);
    await chain.stop();
  }
  const chain = await start();
  firstAnswers.push(chain.firstAnswer);
  try {
    const transactions = [];
    for (const transaction of chain.transactions) {
      transactions.push({
        name: transaction.name,
        receipt: await oneClient(transaction),
        perSecond: await manyClients(transaction),
      });
    }
    return {
      chain: name,
      firstAnswer: statistics(firstAnswers),
      transactions,
      memory: chain.memory(),
    };
  } finally {
    await chain.stop();
  }
}

async function oneClient({ prepare }: Transaction): Promise<Statistics> {
  const send = await prepare(0, WARM_UP + SENDS);
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + SENDS; n += 1) {
    const begin = performance.now();
    await send();
    if (n >= WARM_UP) times.push(performance.now() - begin);
  }
  return statistics(times);
}

async function manyClients({ prepare }: Transaction): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, (_, index) => prepare(index, SENDS_PER_CLIENT)),
  );
  const begin = performance.now();
  await Promise.all(
    clients.map(async (send) => {
      for (let n = 0; n < SENDS_PER_CLIENT; n += 1) await send();
    }),
  );
  return (CLIENTS * SENDS_PER_CLIENT * 1000) / (performance.now() - begin);
}
