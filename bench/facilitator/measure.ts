import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import type { Child } from './childProcess.ts';
import type { Answer, SellerClient } from './client.ts';
import type { World } from './world.ts';

/** Milliseconds of a series of responses. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

export interface Throughput {
  readonly buyers: number;
  readonly perSecond: number;
  /** CPU milliseconds of the facilitator's process for each settlement. */
  readonly cpuMs: number;
  readonly settled: number;
  readonly failed: number;
  /** Ledgers that closed in the meantime. */
  readonly ledgers: number;
  /** Reasons for the failures, with their counts. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** What is measured. */
export interface Target {
  readonly client: SellerClient;
  readonly process: Child<unknown>;
}

function latency(milliseconds: readonly number[]): Latency {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** One request after the other. @throws Error if one is refused, because its time would be meaningless */
export async function oneByOne(
  { client }: Target,
  path: '/verify' | '/settle',
  payments: readonly FacilitatorRequest[],
): Promise<Latency> {
  const taken: number[] = [];
  for (const payment of payments) {
    const startedAt = performance.now();
    const answer = await client.post(path, payment);
    taken.push(performance.now() - startedAt);
    if (answer.isValid !== true && answer.success !== true) {
      throw new Error(`${path} was refused: ${JSON.stringify(answer)}`);
    }
  }
  return latency(taken);
}

function reasonOf({ errorReason, errorMessage, invalidReason }: Answer): string {
  return errorReason ?? invalidReason ?? errorMessage ?? 'unknown';
}

/** Concurrent buyers, each paying again as soon as it has its response, until everything is paid. */
export async function sideBySide(
  { client, process }: Target,
  payments: readonly FacilitatorRequest[],
  buyers: number,
  world: World,
): Promise<Throughput> {
  const queue = payments.values();
  const reasons: Record<string, number> = {};
  let settled = 0;
  let failed = 0;
  async function buyer(): Promise<void> {
    for (const payment of queue) {
      const answer = await client.post('/settle', payment);
      if (answer.success === true) {
        settled += 1;
      } else {
        failed += 1;
        const reason = reasonOf(answer);
        reasons[reason] = (reasons[reason] ?? 0) + 1;
      }
    }
  }
  const ledger = await world.latestLedger();
  const cpu = process.cpuSeconds();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: buyers }, buyer));
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    buyers,
    settled,
    failed,
    reasons,
    perSecond: settled / seconds,
    cpuMs: (1_000 * (process.cpuSeconds() - cpu)) / Math.max(settled, 1),
    ledgers: (await world.latestLedger()) - ledger,
  };
}
