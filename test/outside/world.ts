import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Instance } from '../helpers/facilitators/instance.ts';
import {
  openHolders,
  openTestNetwork,
  type TestNetwork,
} from '../helpers/facilitators/openTestNetwork.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../store/privatePostgres.ts';
import type { TestKey } from '../support/payer.ts';

import { type PostgresProxy, startPostgresProxy } from './postgresProxy.ts';

export type StoreKind = 'sqlite' | 'postgres';

const BUYERS_USDC = 10_000_000_000n;
const DISK = '24m';
/** How long an instance counts as alive after a sign of life. */
const TTL_MS = 4_000;
/** How long an answer takes at most; the published default is 25 s, and more payments fit into less. */
const TIMES = { ANSWER_WITHIN_MS: '8000', CONFIRMATION_MS: '3000', CHANNEL_WAIT_MS: '3000' };

/** A disk of limited size for one data folder. */
export interface SmallDisk {
  readonly path: string;
  close(): void;
}

/** @returns why there is none, if the system does not allow it */
export function mountSmallDisk(path: string): SmallDisk | string {
  if (process.platform !== 'linux') return `no small disk on ${process.platform}`;
  if (process.getuid?.() !== 0) return 'no small disk: only root may mount one';
  mkdirSync(path, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'none', path]);
  if (mounted.status !== 0) return `no small disk: ${String(mounted.stderr).trim()}`;
  return { path, close: () => void execFileSync('umount', ['-l', path]) };
}

/** Facilitators on a network, each in a process of its own. */
export interface OutsideWorld {
  readonly network: TestNetwork;
  readonly instances: readonly Instance[];
  readonly buyers: readonly TestKey[];
  readonly seller: string;
  readonly databaseUrl: string | null;
  /** Where the only instance has its file. */
  readonly dataFolder: string | null;
  /** The disk of the only instance, or why there is none. */
  readonly disk: SmallDisk | string;
  /** PostgreSQL and the ways of the instances to it, in their order; none for a file. */
  readonly postgres: PrivatePostgres | undefined;
  readonly databases: readonly PostgresProxy[];
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly buyers: number;
  /** Where an instance reaches the RPC server. */
  readonly rpcUrlOf: (network: TestNetwork, instance: string) => Promise<string>;
  /** Kills an instance, from its way to the database. */
  readonly kill: (instance: string) => void;
}

/** One facilitator with a file as its store. */
export async function openFileWorld(options: WorldOptions): Promise<OutsideWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-outside-'));
  const network = await openTestNetwork({ folder, name: 'outside', close: '1s' });
  const disk = mountSmallDisk(join(folder, 'disk'));
  const name = 'i0';
  const environment = {
    ...network.environment,
    ...TIMES,
    STELLAR_RPC_URL: await options.rpcUrlOf(network, name),
  };
  const dataFolder = typeof disk === 'string' ? join(folder, name) : join(disk.path, 'data');
  const instance = new Instance(name, folder, environment, { dataFolder, restarts: false });
  const { buyers, seller } = await openPeople(network, options.buyers);
  await instance.start();
  return {
    network,
    instances: [instance],
    buyers,
    seller,
    databaseUrl: null,
    dataFolder,
    disk,
    postgres: undefined,
    databases: [],
    async close() {
      await instance.kill();
      await network.close();
      if (typeof disk !== 'string') disk.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Three facilitators that share PostgreSQL, each by a way of its own. */
export async function openPostgresWorld(options: WorldOptions): Promise<OutsideWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-outside-'));
  const network = await openTestNetwork({ folder, name: 'outside', close: '1s' });
  const postgres = await startPrivatePostgres();
  const databaseUrl = await postgres.createDatabase();
  const instances: Instance[] = [];
  const databases: PostgresProxy[] = [];
  for (const name of ['i0', 'i1', 'i2']) {
    const database = await startPostgresProxy(databaseUrl, () => options.kill(name));
    databases.push(database);
    const environment = {
      ...network.environment,
      ...TIMES,
      STELLAR_RPC_URL: await options.rpcUrlOf(network, name),
      DATABASE_URL: database.url,
      INSTANCE_TTL_MS: `${TTL_MS}`,
    };
    instances.push(new Instance(name, folder, environment, { restarts: false }));
  }
  const { buyers, seller } = await openPeople(network, options.buyers);
  // The first one brings the schema up to date.
  for (const instance of instances) await instance.start();
  return {
    network,
    instances,
    buyers,
    seller,
    databaseUrl,
    dataFolder: null,
    disk: 'the store is PostgreSQL',
    postgres,
    databases,
    async close() {
      await Promise.all(instances.map((instance) => instance.kill()));
      for (const database of databases) database.close();
      await network.close();
      await postgres.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openPeople(network: TestNetwork, count: number) {
  const names = Array.from({ length: count }, (_, index) => `outside buyer ${index}`);
  const buyers = await openHolders(network, names, BUYERS_USDC);
  const [seller] = await openHolders(network, ['outside seller'], 0n);
  if (seller === undefined) throw new Error('no seller');
  return { buyers, seller: seller.address };
}
