import type { Random } from '../helpers/random.ts';
import type { Kind } from './traffic.ts';
import type { SoakWorld } from './world.ts';

type Reading = (facilitatorUrl: string | undefined) => Promise<{ readonly status: number }>;
type ReadingKind = Exclude<Kind, 'exact' | 'upto' | 'verify' | 'invalid' | 'replay'>;

const ANSWER_MS = 30_000;
const QUERIES = ['weather', 'soak', 'price of a flight', 'translate text', 'quote of a share'];
const RPC_METHODS = ['getHealth', 'getNetwork', 'getFeeStats', 'getVersionInfo'];

/** Reads that change nothing, by kind. */
export const readings: Readonly<
  Record<ReadingKind, (world: SoakWorld, random: Random) => Reading>
> = {
  list: (_world, random) => {
    const query = `limit=${1 + random.below(100)}&offset=${random.below(20)}`;
    return (url) => get(`${url}/discovery/resources?${query}`);
  },
  search: (_world, random) => {
    const query = encodeURIComponent(random.pick(QUERIES));
    return (url) => get(`${url}/discovery/search?query=${query}`);
  },
  policies: (world, random) => {
    if (random.chance(0.5)) return (url) => get(`${url}/policies/templates`);
    const definition = {
      version: '1',
      type: 'spending_limit',
      owners: [world.local.ledger.contracts.upto],
      spendingLimits: { dailyXlm: `${1 + random.below(100)}` },
    };
    return (url) => post(`${url}/policies/validate`, definition);
  },
  rpc: (world, random) => {
    const method = random.pick(RPC_METHODS);
    return () => post(world.rpcUrl, { jsonrpc: '2.0', id: 1, method });
  },
  horizon: (world, random) => {
    const { address } = random.pick(world.sellers);
    const path = random.pick([
      `/accounts/${address}`,
      '/ledgers?order=desc&limit=10',
      '/transactions?order=desc&limit=10',
      `/accounts/${address}/payments?order=desc&limit=10`,
    ]);
    return () => get(`${world.horizonUrl}${path}`);
  },
};

async function whole(response: Response): Promise<{ readonly status: number }> {
  await response.arrayBuffer();
  return response;
}

async function get(url: string) {
  return whole(await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }));
}

async function post(url: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(ANSWER_MS);
  return whole(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal }));
}
