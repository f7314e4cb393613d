import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { measured } from '../support/waits.ts';

const BINARIES = '/usr/lib/postgresql/15/bin';

/** Why there is no PostgreSQL to test on; `undefined` when there is one. */
export const postgresMissing: string | undefined =
  process.env['DATABASE_URL'] !== undefined || existsSync(join(BINARIES, 'initdb'))
    ? undefined
    : `no PostgreSQL: neither DATABASE_URL nor ${BINARIES} (apt-get install postgresql-15)`;

export interface PrivatePostgres {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Stops the server at once, as a crash would. `start` brings it back on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends the server's first process at once, without a word to a standby. */
  crash(): Promise<void>;
  /** Makes a standby the server that takes writes. */
  promote(): Promise<void>;
  /** URL of the server, without a database. */
  readonly url: string;
  /** Of the server's first process; `undefined` where it is not ours. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

/** A port of the loopback that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function onGivenServer(url: string): Promise<PrivatePostgres> {
  const made: string[] = [];
  const fixed = async (): Promise<never> => {
    throw new Error('the server of DATABASE_URL is not ours to stop');
  };
  return {
    async createDatabase() {
      const name = `svc_test_${randomBytes(6).toString('hex')}`;
      await query(url, `CREATE DATABASE ${name}`);
      made.push(name);
      const own = new URL(url);
      own.pathname = `/${name}`;
      return own.href;
    },
    stop: fixed,
    start: fixed,
    crash: fixed,
    promote: fixed,
    url,
    pid: undefined,
    async close() {
      for (const name of made) await query(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/**
 * A cluster of its own on a loopback port, removed at the end; or databases on the server that
 * `DATABASE_URL` names. PostgreSQL refuses to run as root, so root runs it as `postgres`.
 * @param standby makes the cluster an asynchronous standby of another one, from which it gets the log `via` a port
 */
export function startPrivatePostgres(standby?: Standby): Promise<PrivatePostgres> {
  return measured('database', startOrUse(standby));
}

interface Standby {
  readonly of: PrivatePostgres;
  readonly via: number;
}

async function startOrUse(standby: Standby | undefined): Promise<PrivatePostgres> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined) return onGivenServer(given);

  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'));
  const user: { uid?: number; gid?: number } = {};
  if (process.getuid?.() === 0) {
    user.uid = Number(execFileSync('id', ['-u', 'postgres']));
    user.gid = Number(execFileSync('id', ['-g', 'postgres']));
    chownSync(folder, user.uid, user.gid);
  }
  const data = join(folder, 'data');
  const run = (name: string, args: readonly string[]): void => {
    const done = spawnSync(join(BINARIES, name), [...args], { ...user, cwd: folder });
    if (done.status !== 0) throw new Error(`${name}: ${done.stderr} ${done.stdout}`);
  };
  if (standby === undefined) {
    run('initdb', ['-D', data, '-U', 'svc', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N']);
  } else {
    run('pg_basebackup', ['-D', data, '-d', standby.of.url, '-c', 'fast', '-R']);
  }
  // Of two settings of a name, the later one counts.
  const source = standby && `primary_conninfo=host=127.0.0.1 port=${standby.via} user=svc`;
  const port = await freePort();
  const base = `postgres://svc@127.0.0.1:${port}`;
  let ended: Promise<void> = Promise.resolve();
  let server: ReturnType<typeof spawn> | undefined;

  async function start(): Promise<void> {
    const options = ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'];
    server = spawn(
      join(BINARIES, 'postgres'),
      [
        ...[...options, '-c', `unix_socket_directories=${folder}`, '-c', 'max_connections=200'],
        ...(source === undefined ? [] : ['-c', source]),
      ],
      { ...user, cwd: folder, stdio: 'ignore' },
    );
    const child = server;
    ended = new Promise((resolve) => child.once('exit', () => resolve()));
    for (let attempt = 1; ; attempt++) {
      try {
        return await query(`${base}/postgres`, 'SELECT 1');
      } catch (error) {
        if (attempt >= 200) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  async function end(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    server?.kill(signal);
    await ended;
  }
  // Immediate shutdown, with recovery from the log at the next start.
  const stop = (): Promise<void> => end('SIGQUIT');

  // An aborted test leaves no server behind.
  process.once('exit', () => server?.kill('SIGQUIT'));
  await start();
  return {
    async createDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await query(`${base}/postgres`, `CREATE DATABASE ${name}`);
      return `${base}/${name}`;
    },
    stop,
    start,
    crash: () => end('SIGKILL'),
    promote: () => query(`${base}/postgres`, 'SELECT pg_promote()'),
    url: base,
    get pid() {
      return server?.pid;
    },
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
