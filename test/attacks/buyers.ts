import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { accountSigner, createX402Fetch } from '../../src/sdk/index.ts';
import { openTestSeller, type TestSeller } from '../policies/support/seller.ts';
import { testKey } from '../support/payer.ts';
import { BUYERS, SELLER } from './honest.ts';
import type { TargetParts } from './target.ts';

const AMOUNT = 1_000n;

/** How long payments took, in milliseconds. */
export interface Latencies {
  readonly payments: number;
  readonly p50: number;
  readonly p99: number;
}

export interface BuyersReport {
  readonly without: Latencies;
  readonly during: Latencies;
  /** Attacks that were tried while the buyers paid. */
  readonly attacks: number;
  /** How many times as long the 99th of a hundred payments took. */
  readonly ratio: number;
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Summarizes how long payments took, in milliseconds. */
export function latencies(times: readonly number[]): Latencies {
  const sorted = [...times].sort((a, b) => a - b);
  return { payments: times.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

let declared = 0;

/** What the honest seller declares for the catalog: never twice the same, so the service judges each schema. */
function declaration(): object {
  declared += 1;
  const input = { type: 'http', method: 'GET', queryParams: { city: 'Lima' } };
  const schema = {
    type: 'object',
    title: `call ${declared}`,
    properties: { input: { type: 'object' } },
    required: ['input'],
  };
  return { bazaar: { info: { input }, schema } };
}

/** Has every buyer pay so many times, one payment after the other, and returns how long each took. */
async function pay(service: TargetParts, seller: TestSeller, each: number): Promise<Latencies> {
  const times: number[] = [];
  await Promise.all(
    BUYERS.map(async (name) => {
      const { address, sign } = testKey(name);
      const rpcUrl = `${service.ledger}/rpc`;
      const buy = createX402Fetch({ signer: accountSigner(address, sign), rpcUrl });
      for (let n = 0; n < each; n++) {
        const startedAt = performance.now();
        const response = await buy(`${seller.url}/paid`);
        if (response.status !== 200) throw new Error(`an honest payment: ${response.status}`);
        times.push(performance.now() - startedAt);
      }
    }),
  );
  return latencies(times);
}

/** Waits for the next message of a process. @param name what an error calls it */
export function nextMessage<T>(child: ChildProcess, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const failed = (code: number | null): void => reject(new Error(`${name} ended with ${code}`));
    child.once('exit', failed);
    child.once('message', (message) => {
      child.off('exit', failed);
      resolve(message as T);
    });
  });
}

/** Starts a module of this folder in a process of its own and waits for its first message. */
export async function start<T>(name: string, args: readonly string[]): Promise<[ChildProcess, T]> {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const child = fork(file, args, {
    execArgv: ['--import', 'tsx'],
    // Buffers arrive as buffers.
    serialization: 'advanced',
  });
  const message = await nextMessage<T>(child, name);
  return [child, message];
}

/** Ends a process that `start` started. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/**
 * Has two honest buyers pay as fast as they can, first alone and then while another process tries the attacks over the
 * network again and again. The service has a process of its own, and no limit of requests: as if each attack came from
 * another address.
 * @param each payments of one buyer in each of the two parts
 */
export async function payUnderAttack(each: number): Promise<BuyersReport> {
  const [service, started] = await start<TargetParts>('serviceProcess.ts', []);
  const { address } = testKey(SELLER);
  const seller = await openTestSeller(started.facilitator, address, AMOUNT, declaration);
  try {
    // The first payments run before caches and compiled code exist.
    await pay(started, seller, 20);
    const without = await pay(started, seller, each);
    let attacks = 0;
    const [attacker] = await start('attackerProcess.ts', [JSON.stringify(started)]);
    attacker.on('message', (count) => {
      attacks = count as number;
    });
    // Attacks that have ended would prove nothing.
    const broke = new Promise<never>((_, reject) => {
      attacker.once('exit', (code) => reject(new Error(`the attacks ended with ${code}`)));
    });
    broke.catch(() => undefined);
    const during = await Promise.race([pay(started, seller, each), broke]);
    await stop(attacker);
    return { without, during, attacks, ratio: during.p99 / without.p99 };
  } finally {
    await seller.close();
    await stop(service);
  }
}
