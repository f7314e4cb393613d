import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { accountSigner, createX402Fetch } from '../../src/sdk/index.ts';
import { openTestSeller, type TestSeller } from '../policies/support/seller.ts';
import { testKey } from '../support/payer.ts';
import { type Latencies, latencies, nextMessage, start, stop } from './buyers.ts';
import type { CrowdOrder, Tried } from './crowdProcess.ts';
import { BUYERS, SELLER } from './honest.ts';
import type { TargetParts } from './target.ts';

const AMOUNT = 1_000n;
/** Each buyer pays so often. */
const EVERY_MS = 1_000;
/** Payments before anything is measured: caches and compiled code do not exist yet. */
const WARM_UP_SECONDS = 4;

/** What became of the honest payments while one kind was tried. */
export interface CrowdLine extends Latencies, Tried {
  readonly kind: string;
  /** Payments that were refused, or got no answer, each with the reason. */
  readonly refused: readonly string[];
}

export interface CrowdReport {
  readonly calm: CrowdLine;
  readonly kinds: readonly CrowdLine[];
}

type Buy = (url: string) => Promise<Response>;

/** One payment, and how long it took. */
async function payOnce(buy: Buy, seller: TestSeller): Promise<{ ms: number; refused?: string }> {
  const startedAt = performance.now();
  const refused = await buy(`${seller.url}/paid`).then(
    async ({ status, headers }) =>
      status === 200 ? undefined : `${status} ${headers.get('payment-response')}`,
    (error: unknown) => String(error),
  );
  const ms = performance.now() - startedAt;
  return refused === undefined ? { ms } : { ms, refused };
}

/** Has each buyer begin a payment every second, however long the earlier ones take. */
async function payFor(
  seconds: number,
  buyers: readonly Buy[],
  seller: TestSeller,
): Promise<Latencies & Pick<CrowdLine, 'refused'>> {
  const begunAt = performance.now();
  const payments: ReturnType<typeof payOnce>[] = [];
  for (let n = 0; n < seconds; n += 1) {
    for (const [at, buy] of buyers.entries()) {
      const due = begunAt + n * EVERY_MS + (at * EVERY_MS) / buyers.length;
      await pause(Math.max(0, due - performance.now()));
      payments.push(payOnce(buy, seller));
    }
  }
  const paid = await Promise.all(payments);
  return {
    ...latencies(paid.map(({ ms }) => ms)),
    refused: paid.flatMap(({ refused = [] }) => refused),
  };
}

async function endOf(child: ChildProcess): Promise<Tried> {
  const ended = nextMessage<Tried>(child, 'the attacks');
  child.send({ end: true } satisfies CrowdOrder);
  return ended;
}

/**
 * Has two honest buyers pay once a second each while the kinds are tried, one kind after the other. The service, its network and
 * the strangers have a process of their own.
 * @param kinds their names
 * @param seconds how long each is tried; the buyers pay as long before, alone
 */
export async function payInCrowd(
  kinds: readonly string[],
  seconds: number,
  print: (line: CrowdLine) => void,
): Promise<CrowdReport> {
  const [crowd, parts] = await start<TargetParts>('crowdProcess.ts', []);
  const seller = await openTestSeller(parts.facilitator, testKey(SELLER).address, AMOUNT);
  try {
    const buyers = BUYERS.map((name) => {
      const { address, sign } = testKey(name);
      return createX402Fetch({
        signer: accountSigner(address, sign),
        rpcUrl: `${parts.ledger}/rpc`,
      });
    });
    await payFor(WARM_UP_SECONDS, buyers, seller);
    const nothing = { attacks: 0, through: [] };
    const alone = await payFor(2 * seconds, buyers, seller);
    const calm = { kind: 'nothing', ...alone, ...nothing };
    print(calm);
    const lines: CrowdLine[] = [];
    for (const kind of kinds) {
      crowd.send({ begin: kind } satisfies CrowdOrder);
      const paid = await payFor(seconds, buyers, seller);
      const line = { kind, ...paid, ...(await endOf(crowd)) };
      print(line);
      lines.push(line);
    }
    return { calm, kinds: lines };
  } finally {
    await seller.close();
    await stop(crowd);
  }
}
