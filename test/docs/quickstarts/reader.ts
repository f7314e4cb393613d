import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../pages/projectFile.ts';
import { missingLines, type Step } from './readQuickstart.ts';

/** Longest that one block may take; packages are installed from the registry. */
const LIMIT_MS = 240_000;

/** The packages that pages install from a file, packed once for all pages. */
export interface Packed {
  readonly folder: string;
  remove(): void;
}

export async function packPackages(): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-x402-packed-'));
  const pack = (script: string, file: string) =>
    promisify(execFile)(process.execPath, [`scripts/${script}.mjs`, join(folder, file)], {
      cwd: projectRoot,
    });
  await pack('packNpm', 'svc-x402.tgz');
  await pack('packSdk', 'svc-x402-sdk.tgz');
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Someone who follows a page from an empty folder, with a home of their own and ports that are free here. */
export interface Reader {
  /** Does one step; throws with what was printed where it fails or prints something else than the page. */
  follow(step: Step): Promise<void>;
  close(): Promise<void>;
}

interface Served {
  readonly facilitatorUrl?: string;
  readonly network?: { readonly horizonUrl: string };
}

export async function openReader(packed: Packed): Promise<Reader> {
  const root = mkdtempSync(join(tmpdir(), 'svc-x402-quickstart-'));
  const home = join(root, 'home');
  const work = join(root, 'work');
  mkdirSync(home);
  mkdirSync(work);
  // The checkout that pages expect beside the folder they make.
  symlinkSync(projectRoot, join(work, 'svc-x402'));
  const { PATH = '', HOME = '', NODE_EXTRA_CA_CERTS = '', PIP_CERT = '' } = process.env;
  const environment: Record<string, string> = {
    PATH,
    HOME: home,
    npm_config_cache: join(HOME, '.npm'),
    npm_config_userconfig: join(HOME, '.npmrc'),
    PIP_CACHE_DIR: join(HOME, '.cache', 'pip'),
    npm_config_fund: 'false',
    npm_config_audit: 'false',
    ...(NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {}),
    ...(PIP_CERT ? { PIP_CERT } : {}),
  };
  /** Texts of the pages, and what replaces them here. */
  const stands = new Map<string | RegExp, string>([
    [/\.\.\/svc-x402\/build\/svc-x402-sdk-[\d.]+tgz/g, join(packed.folder, 'svc-x402-sdk.tgz')],
    [/\.\.\/svc-x402\/build\/svc-x402-[\d.]+tgz/g, join(packed.folder, 'svc-x402.tgz')],
    [
      'npx svc-x402 dev --no-demo',
      'npx svc-x402 dev --no-demo --ledger-port 0 --facilitator-port 0',
    ],
    [
      /cd svc-x402 && npm start$/gm,
      'node svc-x402/dist/cli.js dev --ledger-port 0 --facilitator-port 0',
    ],
  ]);
  for (const port of ['3000', '4555']) stands.set(port, String(await freePort()));
  environment['PORT'] = stands.get('3000') ?? '';
  const here = (text: string) =>
    [...stands].reduce((made, [from, to]) => made.replaceAll(from, to), text);

  let cwd = work;
  const serving: ChildProcess[] = [];

  async function runBlock(text: string): Promise<string> {
    const note = join(root, 'cwd');
    const child = spawn('sh', ['-c', `exec 2>&1\nset -e\n${here(text)}\npwd > '${note}'`], {
      cwd,
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = collect(child);
    const timer = setTimeout(() => void endGroup(child), LIMIT_MS);
    const status = await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    if (status !== 0) throw new Error(`ended with ${status}: ${text}\n${output()}`);
    cwd = readFileSync(note, 'utf8').trim();
    return output();
  }

  async function serve(text: string, until: string): Promise<string> {
    // The port is that of the app; the facilitator of the same terminal would take it as its own.
    const { PORT, ...rest } = environment;
    const app = /node app/.test(text);
    const child = spawn('sh', ['-c', `exec 2>&1\n${here(text)}`], {
      cwd,
      env: app ? { ...rest, PORT: PORT ?? '' } : rest,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    serving.push(child);
    const output = collect(child);
    const ready = async () =>
      until === '' ? await answers(`http://127.0.0.1:${PORT}/`) : output().includes(until);
    const deadline = Date.now() + LIMIT_MS;
    while (!(await ready())) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${text}\n${output()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    adopt(output());
    return output();
  }

  /** From now on the page's default addresses are those that the service has here. */
  function adopt(output: string): void {
    const file = join(home, '.svc-x402', 'service.json');
    if (!existsSync(file) || stands.has('http://127.0.0.1:4021')) return;
    const { facilitatorUrl, network } = JSON.parse(readFileSync(file, 'utf8')) as Served;
    if (facilitatorUrl === undefined || network === undefined) return;
    stands.set('http://127.0.0.1:4021', facilitatorUrl);
    stands.set('http://127.0.0.1:8000', network.horizonUrl);
    const [, paid] = /paid API +(http:\/\/[\d.:]+)/.exec(output) ?? [];
    if (paid !== undefined) stands.set('http://127.0.0.1:4022', paid);
  }

  return {
    async follow(step) {
      if (step.kind === 'file') {
        writeFileSync(join(cwd, step.name), here(step.text));
        return;
      }
      const output =
        step.kind === 'run' ? await runBlock(step.text) : await serve(step.text, step.until);
      const missing = missingLines(here(step.expected ?? ''), output);
      if (missing.length > 0) {
        throw new Error(`not printed by ${step.text}\n${missing.join('\n')}\nprinted:\n${output}`);
      }
    },
    async close() {
      for (const child of serving.reverse()) await endGroup(child);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function collect(child: ChildProcess): () => string {
  let output = '';
  const add = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', add);
  child.stderr?.on('data', add);
  return () => output;
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Ends a shell and what it started, and waits until none of it writes any more. */
async function endGroup({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
    // The shell may end before what it started. The group is gone once it can't be signalled.
    for (;;) {
      process.kill(-pid, 0);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } catch {
    // It has ended.
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
