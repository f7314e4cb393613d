import { type Statistics, statistics } from '../../../bench/statistics.ts';
import type { LocalChain, RequestName, RunningChain } from './localChain.ts';

const STARTS = 5;
const WARM_UP = 100;
const SENDS = 300;
const CLIENTS = 10;
const CROWD = 50;
const SENDS_PER_CLIENT = 200;

type Request = RunningChain['requests'][number];

export interface DevelopersWait {
  readonly chain: string;
  /** Milliseconds. */
  readonly firstAnswer: Statistics;
  readonly requests: readonly {
    readonly name: RequestName;
    /** Milliseconds from sending to the receipt or answer, one client. */
    readonly wait: Statistics;
    /** With ten clients, each sending and waiting in turn. */
    readonly perSecond: number;
    /** The same with fifty, if the chain has as many funded accounts. */
    readonly perSecondInCrowd: number | undefined;
  }[];
  /** Megabytes at the first response, and after everything. */
  readonly memory: { readonly first: number; readonly last: number };
}

/** Measures what a developer waits for. The last server started is the one that gets the load. */
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
  const first = chain.memoryAtFirst;
  try {
    const requests = [];
    for (const request of chain.requests) {
      requests.push({
        name: request.name,
        wait: await oneClient(request),
        perSecond: await manyClients(request, CLIENTS),
        perSecondInCrowd: chain.senders < CROWD ? undefined : await manyClients(request, CROWD),
      });
    }
    return {
      chain: name,
      firstAnswer: statistics(firstAnswers),
      requests,
      memory: { first, last: chain.memory() },
    };
  } finally {
    await chain.stop();
  }
}

async function oneClient({ prepare }: Request): Promise<Statistics> {
  const send = await prepare(0, WARM_UP + SENDS);
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + SENDS; n += 1) {
    const begin = performance.now();
    await send();
    if (n >= WARM_UP) times.push(performance.now() - begin);
  }
  return statistics(times);
}

async function manyClients({ prepare }: Request, count: number): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: count }, (_, index) => prepare(index, SENDS_PER_CLIENT)),
  );
  const begin = performance.now();
  await Promise.all(
    clients.map(async (send) => {
      for (let n = 0; n < SENDS_PER_CLIENT; n += 1) await send();
    }),
  );
  return (count * SENDS_PER_CLIENT * 1000) / (performance.now() - begin);
}
