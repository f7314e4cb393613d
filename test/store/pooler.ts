import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, postgresMissing } from './privatePostgres.ts';

/** Why there is no pooler to test with; `undefined` when there is one. */
export const poolerMissing: string | undefined =
  postgresMissing ??
  (spawnSync('pgbouncer', ['--version']).status === 0
    ? undefined
    : 'no PgBouncer (apt-get install pgbouncer)');

export interface Pooler {
  /** URL of the database through the pooler. */
  readonly url: string;
  /** Kills the pooler; `start` brings it back on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const end = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

/**
 * Starts a PgBouncer of its own in front of a database. It refuses to run as root, so root runs it as `postgres`.
 * @param settings lines of its `[pgbouncer]` section
 */
export async function startPooler(database: URL, settings: readonly string[]): Promise<Pooler> {
  const { hostname, port, username, password } = database;
  const folder = mkdtempSync(join(tmpdir(), 'svc-pooler-'));
  const asRoot = process.getuid?.() === 0;
  if (asRoot) {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']));
    chownSync(folder, id('-u'), id('-g'));
  }
  const own = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`;
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port || 5432} user=${decodeURIComponent(username)}${secret}`,
    '[pgbouncer]',
    'listen_addr=127.0.0.1',
    `listen_port=${own}`,
    'unix_socket_dir=',
    'auth_type=any',
    ...settings,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  let child: ReturnType<typeof spawn> | undefined;
  let ended: Promise<void> = Promise.resolve();

  async function start(): Promise<void> {
    const started = spawn('pgbouncer', [...(asRoot ? ['-u', 'postgres'] : []), '-q', file], {
      cwd: folder,
      stdio: 'ignore',
    });
    child = started;
    ended = new Promise((resolve) => started.once('exit', () => resolve()));
    for (let attempt = 1; !(await answers(own)); attempt++) {
      if (attempt >= 200) throw new Error(`PgBouncer does not listen; its settings: ${lines}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function kill(): Promise<void> {
    child?.kill('SIGKILL');
    await ended;
  }

  // An aborted test leaves no pooler behind.
  process.once('exit', () => child?.kill('SIGKILL'));
  await start();
  const url = new URL(database);
  url.hostname = '127.0.0.1';
  url.port = String(own);
  return {
    url: url.href,
    kill,
    start,
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
