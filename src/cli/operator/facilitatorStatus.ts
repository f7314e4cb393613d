import { stdout } from 'node:process';
import { formatDecimalAmount } from '../../protocol/index.ts';
import {
  drainedSchema,
  type OperatorStatus,
  operatorStatusSchema,
} from '../../protocol/wire/index.ts';
import { CliError } from '../cliError.ts';
import { columns } from '../report.ts';
import { askOperator, type OperatorOptions } from './askOperator.ts';

/** How often a drain asks what is still in flight. */
const LOOK_MS = 250;
/** A proxy that probes every two seconds sends nothing any more after this time. */
const QUIET_MS = 3_000;

export interface DrainOptions extends OperatorOptions {
  /** Accept payments again. */
  readonly resume?: boolean;
  /** Longest time to wait, in seconds. */
  readonly timeout?: number;
}

function print(options: OperatorOptions, facts: object, text: string): void {
  stdout.write(`${options.json ? JSON.stringify(facts) : text}\n`);
}

const xlm = (stroops: string) => `${formatDecimalAmount(BigInt(stroops))} XLM`;
const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

function describeReadiness({ readiness }: OperatorStatus): string {
  if (readiness.status === 'ready') return 'ready';
  return `not ready: ${readiness.reasons.map(({ code }) => code).join(', ')}`;
}

function describeOpen({ settlements: { open, here } }: OperatorStatus): string {
  const inFlight = `${counted(here, 'request')} in flight here`;
  return open === null
    ? `not known, the store does not answer; ${inFlight}`
    : `${open}; ${inFlight}`;
}

function describeRpc({ rpc }: OperatorStatus): string {
  const now =
    rpc.latestLedger === null
      ? `did not answer (${rpc.failure ?? 'failed'})`
      : `ledger ${rpc.latestLedger}, ${Math.round(rpc.ms)} ms`;
  return `${now}; ${counted(rpc.calls, 'call')} in the last minute, ${rpc.failed} failed`;
}

function describeLease({ lease }: OperatorStatus): string {
  if (!lease.shared) return 'not needed, the store has one process';
  const others =
    lease.instances === null ? '' : `; ${counted(lease.instances, 'instance')} on the store`;
  return `${lease.held ? 'held' : 'lost'} by ${lease.instance}${others}`;
}

function describeListed({ settlements }: OperatorStatus): readonly string[] {
  return settlements.listed.map(({ state, hash, payer, payTo, amount, presentedAt, here }) => {
    const parties = `${amount ?? '?'} from ${payer ?? '?'} to ${payTo ?? '?'}`;
    const where = here ? '' : ', at another instance';
    return `  ${presentedAt}  ${state}  ${hash ?? 'not signed'}  ${parties}${where}`;
  });
}

/** `svc-x402 facilitator status`: what the running instance holds and depends on. Exits with 1 if it is not ready. */
export async function showStatus(options: OperatorOptions): Promise<void> {
  const status = await askOperator(options, operatorStatusSchema, 'status');
  const { channels, sponsor } = status;
  const rows: readonly (readonly [string, string])[] = [
    ['Payments', describeReadiness(status)],
    ['Open settlements', describeOpen(status)],
    ['Channels', `${channels.free} of ${channels.total} free`],
    [
      'Sponsor',
      `${sponsor.balance === null ? 'balance not known' : xlm(sponsor.balance)}, ` +
        `${xlm(sponsor.reserved)} reserved, minimum ${xlm(sponsor.floor)} (${sponsor.address})`,
    ],
    ['RPC server', describeRpc(status)],
    ['Lease', describeLease(status)],
    ['Running since', status.startedAt],
  ];
  const listed = describeListed(status);
  const text = [
    columns(rows),
    ...(listed.length === 0 ? [] : ['', 'Oldest open settlements:', ...listed]),
  ];
  print(options, status, text.join('\n'));
  if (status.readiness.status !== 'ready') process.exitCode = 1;
}

/**
 * `svc-x402 facilitator drain`: makes `/ready` 503, so that proxies send payments to other instances, and waits until
 * nothing arrives or is in flight any more. Then the instance can be stopped without a lost answer.
 * @throws CliError if requests still arrive at the end of the time
 */
export async function drain(options: DrainOptions): Promise<void> {
  const { resume = false, timeout = 60 } = options;
  const startedAt = performance.now();
  for (;;) {
    const now = await askOperator(
      options,
      drainedSchema,
      resume ? 'drain?resume=true' : 'drain',
      {},
    );
    if (resume) return print(options, now, 'The instance accepts payments again.');
    const waitedMs = performance.now() - startedAt;
    // What arrived before the drain says nothing about the proxies.
    if (now.here === 0 && Math.min(now.idleMs, waitedMs) >= QUIET_MS) {
      return print(options, now, 'Drained: nothing is in flight. Stop the instance now.');
    }
    if (waitedMs >= timeout * 1_000) {
      const { here, idleMs } = now;
      throw new CliError(
        'failed',
        `Not drained after ${timeout} s: ${counted(here, 'request')} in flight, the last one arrived ${(idleMs / 1_000).toFixed(1)} s ago. ` +
          'Does your proxy probe /ready? The instance still answers; undo this with --resume.',
      );
    }
    await new Promise((wait) => setTimeout(wait, LOOK_MS));
  }
}
