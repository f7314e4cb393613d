import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CliError } from '../cliError.ts';
import { LISTENING_MODULE, LISTENING_VARIABLE } from './listening.ts';

/** How to start an app: a program with its arguments, or a shell command. */
export interface StartCommand {
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly shell: boolean;
  /** The command as a person would type it. */
  readonly line: string;
  readonly windowsVerbatimArguments?: boolean;
}

export interface StartedApp {
  readonly origin: string;
  stop(): Promise<void>;
}

const LONGEST_MS = 120_000;
const LOOK_EVERY_MS = 100;
/** How long to wait for the server on PORT after another server has started to listen. */
const SETTLE_MS = 500;
const SHOWN_CHARACTERS = 2_000;

/** Secrets in this command's environment that a project's app does not need. */
const KEPT_BACK = ['SPONSOR_SECRET', 'CHANNEL_SEED', 'CHANNEL_SECRETS', 'PAYER_SECRET'];

/**
 * Starts the user's app on a free port and waits until it listens.
 * @throws CliError if it exits or does not listen in time, with its last output
 */
export async function startApp(
  start: StartCommand,
  variables: Readonly<Record<string, string>>,
): Promise<StartedApp> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-x402-check-'));
  const reports = join(folder, 'ports');
  const preload = join(folder, 'listening.cjs');
  writeFileSync(reports, '');
  writeFileSync(preload, LISTENING_MODULE);
  const port = await freePort();
  const child = spawn(start.command, [...start.args], {
    cwd: start.folder,
    shell: start.shell,
    windowsVerbatimArguments: start.windowsVerbatimArguments ?? false,
    windowsHide: true,
    // Its own process group, so that its child processes end with it.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutSecrets(),
      HOST: '127.0.0.1',
      HOSTNAME: '127.0.0.1',
      PORT: String(port),
      ...variables,
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --require ${JSON.stringify(preload)}`,
      [LISTENING_VARIABLE]: reports,
    },
  });
  let output = '';
  let ended: string | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-SHOWN_CHARACTERS);
    });
  }
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('close', (code) => {
    ended ??= `it exited with status ${code}`;
  });
  const forget = () => rmSync(folder, { recursive: true, force: true });
  const release = endWithThisProcess(() => {
    endGroup(child, 'SIGKILL');
    forget();
  });
  const stop = async () => {
    release();
    await end(child, () => ended !== undefined);
    forget();
  };
  const deadline = Date.now() + LONGEST_MS;
  while (ended === undefined && Date.now() < deadline) {
    const found =
      (await listeningPort(reports, port)) ?? ((await accepts(port)) ? port : undefined);
    if (found !== undefined) return { origin: `http://127.0.0.1:${found}`, stop };
    await wait(LOOK_EVERY_MS);
  }
  const reason = ended ?? `no HTTP server listened within ${LONGEST_MS / 1_000} seconds`;
  await stop();
  throw new CliError(
    'failed',
    `Could not start the app with \`${start.line}\`: ${reason}. Install and build it first, name another command with --start, or start it yourself and add --url.\n${output.trim()}`.trim(),
  );
}

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Calls back when this process ends, including by Ctrl-C; without a handler, a signal would end it immediately.
 * @returns a function that unregisters the callback
 */
function endWithThisProcess(callback: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals) =>
    process.exit(SIGNALS[signal as keyof typeof SIGNALS]);
  process.once('exit', callback);
  for (const signal of Object.keys(SIGNALS)) process.once(signal, onSignal);
  return () => {
    process.off('exit', callback);
    for (const signal of Object.keys(SIGNALS)) process.off(signal, onSignal);
  };
}

async function listeningPort(reports: string, wanted: number): Promise<number | undefined> {
  const ports = () => readFileSync(reports, 'utf8').trim().split('\n').filter(Boolean).map(Number);
  if (ports().length === 0) return undefined;
  const settled = Date.now() + SETTLE_MS;
  while (!ports().includes(wanted) && Date.now() < settled) await wait(LOOK_EVERY_MS);
  return ports().includes(wanted) ? wanted : ports()[0];
}

/** Whether something listens on a port: a runtime that does not load modules of Node reports nothing. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.setTimeout(LOOK_EVERY_MS * 10, () => settle(false));
  });
}

async function end(child: ChildProcess, isEnded: () => boolean): Promise<void> {
  for (const [signal, patience] of [
    ['SIGTERM', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    // The app's child processes may outlive it, so the group is always killed.
    endGroup(child, signal);
    const until = Date.now() + patience;
    while (!isEnded() && Date.now() < until) await wait(LOOK_EVERY_MS);
    if (isEnded()) break;
  }
  endGroup(child, 'SIGKILL');
}

function endGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}

function withoutSecrets(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !KEPT_BACK.includes(name)),
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
