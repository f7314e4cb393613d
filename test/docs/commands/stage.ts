import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliProcess } from '../../cli/cliProcess.ts';
import { projectRoot } from '../pages/projectFile.ts';

const standIn = fileURLToPath(new URL('svcX402.mjs', import.meta.url));
/** Longest that a block may take. */
const LIMIT_MS = 180_000;

const EXPRESS_APP = `import express from 'express';

const app = express();

app.get('/weather', (_req, res) => {
  res.json({ tempC: 19 });
});
`;

interface Serving {
  readonly facilitatorUrl: string;
  readonly network: {
    readonly rpcUrl: string;
    readonly rpcTlsUrl: string;
    readonly horizonUrl: string;
    readonly friendbotUrl: string;
    readonly certificateAuthorityFile: string;
  };
}

export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** A machine on which the commands of the pages run: a folder, `svc-x402`, and a service with its network. */
export interface Stage {
  /** Runs lines in a shell that stops at the first failure. `where` is what a page's note `in` says. */
  run(text: string, where: string | undefined): Promise<Ended>;
  close(): Promise<void>;
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

/** An account that friendbot has made. */
async function fundedAccount(friendbotUrl: string): Promise<{ address: string; secret: string }> {
  const { Keypair } = await import('@stellar/stellar-sdk');
  const key = Keypair.random();
  const response = await fetch(`${friendbotUrl}?addr=${key.publicKey()}`);
  if (!response.ok) throw new Error(`friendbot answered ${response.status}`);
  return { address: key.publicKey(), secret: key.secret() };
}

async function freshAddress(): Promise<string> {
  const { Keypair } = await import('@stellar/stellar-sdk');
  return Keypair.random().publicKey();
}

/** Lays out a folder like the one a reader of the page has. */
function layOut(folder: string, where: string | undefined): string {
  if (where === 'examples/paid-api') return join(projectRoot, where);
  if (where === 'an Express app') {
    mkdirSync(join(folder, 'src'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "name": "weather", "type": "module" }\n');
    writeFileSync(join(folder, 'src', 'app.js'), EXPRESS_APP);
  }
  return folder;
}

export async function openStage(): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), 'svc-x402-docs-'));
  const bin = join(root, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  const command = join(bin, 'svc-x402');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${standIn}" "$@"\n`);
  chmodSync(command, 0o755);
  symlinkSync(join(projectRoot, 'dist'), join(root, 'dist'));

  const dataFolder = join(root, 'service');
  const service = new CliProcess([
    ...['dev', '--no-demo', '--json', '--data-dir', dataFolder],
    ...['--ledger-port', '0', '--facilitator-port', '0'],
  ]);
  const { facilitatorUrl, network } = (await service.event('serving')) as unknown as Serving;
  const { rpcUrl, rpcTlsUrl, horizonUrl, friendbotUrl, certificateAuthorityFile } = network;
  const sponsor = await fundedAccount(friendbotUrl);
  const latest = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"getLatestLedger"}',
  });
  const { result } = (await latest.json()) as { result: { sequence: number } };
  const address = await freshAddress();

  /** Texts of the pages, and what replaces them here. */
  const stands: readonly (readonly [string | RegExp, string])[] = [
    [/https:\/\/(?:127\.0\.0\.1|localhost):8000\/rpc/g, rpcTlsUrl],
    ['http://127.0.0.1:8000', horizonUrl],
    ['http://127.0.0.1:4021', facilitatorUrl],
    // Testnet: the commands are the same for the network that is here.
    ['https://soroban-testnet.stellar.org', rpcUrl],
    ['NODE_EXTRA_CA_CERTS=…', `NODE_EXTRA_CA_CERTS=${certificateAuthorityFile}`],
    [/\bS…/g, sponsor.secret],
    [/\bG…/g, address],
    [/--at N\b/g, `--at ${result.sequence}`],
  ];

  let blocks = 0;
  return {
    async run(text, where) {
      blocks += 1;
      const folder = join(root, `block-${blocks}`);
      mkdirSync(folder);
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      symlinkSync(join(root, 'dist'), join(folder, 'dist'));
      const cwd = layOut(folder, where);
      const seller = where === 'examples/paid-api' ? await freePort() : 4022;
      const lines = [
        ...stands,
        ['http://127.0.0.1:4022', `http://127.0.0.1:${seller}`] as const,
      ].reduce((made, [from, to]) => made.replaceAll(from, to), text);
      const { PATH = '' } = process.env;
      const environment = {
        PATH: `${bin}${delimiter}${PATH}`,
        HOME: folder,
        SVC_X402_DATA_DIR: join(folder, 'data'),
        ...(where === 'examples/paid-api' ? sellersPort(seller) : {}),
      };
      return runShell(`set -e\n${lines}`, cwd, environment);
    },
    async close() {
      await service.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function sellersPort(port: number): Record<string, string> {
  return { PORT: String(port), RESOURCE_URL: `http://127.0.0.1:${port}/weather/Lima` };
}

function runShell(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', script], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const add = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    const endGroup = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      } catch {
        // Nothing of it is left.
      }
    };
    const timer = setTimeout(endGroup, LIMIT_MS);
    // What a page leaves in the background ends with its block.
    child.on('exit', (status) => {
      clearTimeout(timer);
      endGroup();
      resolve({ status, output });
    });
  });
}
