import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonRpcClient } from '../../bench/jsonRpcClient.ts';
import { CliProcess } from '../cli/cliProcess.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../store/privatePostgres.ts';
import { openAccount } from '../support/accounts.ts';
import { type RoundRobin, startRoundRobin } from './roundRobin.ts';
import type { Service } from './scene.ts';

const COUNT = 3;
/** How long an instance counts as alive without a sign of life: shorter than by default, for the wait. */
const TTL_MS = 2_000;
/** The instance that is to be killed learns of its submission after the one, and is killed after the other. */
const HELD_MS = 1_500;
const KILL_AFTER_MS = 700;

/** Three facilitators on one PostgreSQL, behind a load balancer. */
export interface Instances {
  readonly url: string;
  readonly unanswered: RoundRobin['unanswered'];
  /**
   * Kills the instance that is given the `count`-th settlement from now on, while it has it: the ledger
   * takes the transaction, and the instance is dead before the answer comes.
   */
  killAt(count: number): void;
  /** Which one was killed. */
  readonly killed: number | undefined;
  close(): Promise<void>;
}

/** Starts them for the network of the service, with a sponsor and channels of their own. */
export async function startInstances({ rpcUrl, horizonUrl, local }: Service): Promise<Instances> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-story-instances-'));
  const postgres: PrivatePostgres = await startPrivatePostgres();
  const sponsor = await openAccount(local, 'sponsor of three instances');
  const environment = {
    STELLAR_RPC_URL: rpcUrl,
    HORIZON_URL: horizonUrl,
    SPONSOR_SECRET: sponsor.secret,
    CHANNEL_SEED: 'fifty channels of three instances',
    DATABASE_URL: await postgres.createDatabase(),
    INSTANCE_TTL_MS: `${TTL_MS}`,
    PORT: '0',
    // Seller, agent and editor are on one machine here, and seem to be one client.
    RATE_LIMIT_PER_MINUTE: '0',
  };
  const start = (args: readonly string[], name: string) =>
    new CliProcess(args, { ...environment, SVC_X402_DATA_DIR: join(folder, name) });
  const made = await start(['facilitator', 'create-channels', '--json'], 'channels').ended;
  if (made.code !== 0) throw new Error(`create-channels: ${made.stderr}${made.stdout}`);

  const processes: CliProcess[] = [];
  const urls: string[] = [];
  for (let i = 0; i < COUNT; i++) {
    const one = start(['facilitator', '--json', '--log-level', 'error'], `i${i}`);
    processes.push(one);
    urls.push(String((await one.event('serving'))['facilitatorUrl']));
  }
  let left = 0;
  let killed: number | undefined;
  const control = new JsonRpcClient(new URL('/control', rpcUrl).href);
  const balancer: RoundRobin = await startRoundRobin(urls, async (path, target) => {
    if (path !== '/settle' || --left !== 0) return;
    killed = target;
    await control.call('svc_injectFault', {
      method: 'sendTransaction',
      kind: 'late',
      milliseconds: HELD_MS,
    });
    setTimeout(() => void processes[target]?.stop('SIGKILL'), KILL_AFTER_MS);
  });
  return {
    url: balancer.url,
    unanswered: balancer.unanswered,
    get killed() {
      return killed;
    },
    killAt(count) {
      left = count;
    },
    async close() {
      control.close();
      await balancer.close();
      await Promise.all(processes.map((one) => one.stop('SIGINT')));
      await postgres.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
