import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openStore } from '../../src/server/store/index.ts';
import { Instance } from '../helpers/facilitators/instance.ts';
import {
  openHolders,
  openTestNetwork,
  type TestNetwork,
} from '../helpers/facilitators/openTestNetwork.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../store/privatePostgres.ts';
import type { TestKey } from '../support/payer.ts';
import { type PostgresProxy, startPostgresProxy } from './postgresProxy.ts';
import { pause } from './spoiltCall.ts';

/**
 * Where facilitators have their records: one with a file; three that share PostgreSQL; two with a file each, which know nothing of
 * each other; three that share PostgreSQL with a standby behind it.
 */
export type StoreKind = 'sqlite' | 'postgres' | 'apart' | 'failover';

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
  /** Whether records get lost, and others than the facilitators send payments, too. */
  readonly forgets: boolean;
  /** Sets the records of an instance back to those of some milliseconds ago, or of all that share them. */
  setBack(victim: Instance, milliseconds: number): Promise<void>;
  /** Deletes the finished rows of an instance. */
  trim(victim: Instance): Promise<void>;
  close(): Promise<void>;
}

const NOT_HERE = async (): Promise<never> => {
  throw new Error('the records of this world stay');
};
const STAYS = { forgets: false, setBack: NOT_HERE, trim: NOT_HERE } as const;
/** How long an instance stands still while its file is copied. */
const COPY_MS = 200;

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
    ...STAYS,
    async close() {
      await instance.kill();
      await network.close();
      if (typeof disk !== 'string') disk.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Two facilitators, each with a file, a sponsor and channels of its own. */
export async function openApartWorld(options: WorldOptions): Promise<OutsideWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-outside-'));
  const network = await openTestNetwork({ folder, name: 'outside', close: '1s' });
  const instances: Instance[] = [];
  for (const name of ['i0', 'i1']) {
    const holder = name === 'i0' ? network.environment : await network.holder(`outside ${name}`);
    const STELLAR_RPC_URL = await options.rpcUrlOf(network, name);
    const environment = { ...holder, ...TIMES, STELLAR_RPC_URL };
    instances.push(new Instance(name, folder, environment, { restarts: false }));
  }
  const { buyers, seller } = await openPeople(network, options.buyers);
  for (const instance of instances) await instance.start();
  const folderOf = ({ name }: Instance): string => join(folder, name);
  return {
    network,
    instances,
    buyers,
    seller,
    databaseUrl: null,
    dataFolder: null,
    disk: 'no small disk for two',
    postgres: undefined,
    databases: [],
    forgets: true,
    async setBack(victim, milliseconds) {
      const copy = `${folderOf(victim)} before`;
      const frozen = victim.freeze(COPY_MS);
      cpSync(folderOf(victim), copy, { recursive: true });
      await frozen;
      await pause(milliseconds);
      await victim.kill();
      rmSync(folderOf(victim), { recursive: true });
      renameSync(copy, folderOf(victim));
      await victim.start();
    },
    async trim(victim) {
      await victim.kill();
      const store = await openStore({ databaseUrl: null, dataFolder: folderOf(victim) });
      await deleteFinished(store);
      await store.close();
      await victim.start();
    },
    async close() {
      await Promise.all(instances.map((instance) => instance.kill()));
      await network.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Deletes rows that are finished, as an operator does who needs space. */
export async function deleteFinished(store: Database): Promise<void> {
  await store.run(
    `DELETE FROM settlements WHERE state NOT IN ('claimed', 'submitting') AND catalog <> 'due'`,
  );
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
    ...STAYS,
    async close() {
      await Promise.all(instances.map((instance) => instance.kill()));
      for (const database of databases) database.close();
      await network.close();
      await postgres.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same, with an asynchronous standby, which is promoted after it has missed the last seconds. */
export async function openFailoverWorld(options: WorldOptions): Promise<OutsideWorld> {
  const world = await openPostgresWorld(options);
  const { postgres: primary, databaseUrl, databases, instances } = world;
  if (primary === undefined || databaseUrl === null) throw new Error('no PostgreSQL');
  const log = await startPostgresProxy(primary.url, () => undefined);
  const standby = await startPrivatePostgres({ of: primary, via: Number(new URL(log.url).port) });
  let current = primary;
  const urlNow = (): string => {
    const url = new URL(databaseUrl);
    url.port = new URL(current.url).port;
    return url.href;
  };
  return {
    ...world,
    forgets: true,
    // A restart is of the server that is in use.
    postgres: undefined,
    get databaseUrl() {
      return urlNow();
    },
    async setBack(_victim, milliseconds) {
      if (current === standby) return;
      log.setWeather('hangs');
      await pause(milliseconds);
      await Promise.all([primary.crash(), ...instances.map((instance) => instance.kill())]);
      log.close();
      await standby.promote();
      current = standby;
      for (const database of databases) {
        database.leadTo(Number(new URL(standby.url).port));
        database.end();
      }
      for (const instance of instances) await instance.start();
    },
    async trim() {
      const store = await openStore({ databaseUrl: urlNow(), dataFolder: null });
      await deleteFinished(store);
      await store.close();
    },
    async close() {
      log.close();
      await world.close();
      await standby.close();
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
