import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { USDC_ISSUER } from '../../src/protocol/index.ts';
import { systemClock } from '../../src/server/index.ts';
import { connectNetwork } from '../../src/server/network/index.ts';
import { CliProcess } from '../cli/cliProcess.ts';
import { balancesOf } from '../support/accounts.ts';
import type { LocalNetwork } from '../support/localStack.ts';

/** A price with a digit in each of the seven places, so that a stroop that is lost shows. */
export const PRICE = '0.0123457';
export const UNITS = 123_457n;
/** Four payments fit under it, and not a fifth. */
export const CAP = '0.05';
export const PAYMENTS = 4;
export const ROUTE = 'GET /weather/:city';

const packages = fileURLToPath(new URL('../../examples/paid-api/node_modules', import.meta.url));
const api = fileURLToPath(new URL('api', import.meta.url));

/** The service that runs on the developer's machine: `svc-x402 dev`. */
export interface Service {
  readonly facilitatorUrl: string;
  readonly rpcUrl: string;
  readonly horizonUrl: string;
  readonly friendbotUrl: string;
  readonly local: LocalNetwork;
  /** USDC of an account, in units of 0.0000001, as the ledger has it. */
  usdcOf(address: string): Promise<bigint>;
  stop(): Promise<void>;
}

/** @param folder data folder, in which the editor and the agent find the service */
export async function startService(folder: string): Promise<Service> {
  const ports = ['--ledger-port', '0', '--facilitator-port', '0'];
  const program = new CliProcess(['dev', '--no-demo', '--json', '--data-dir', folder, ...ports]);
  const { facilitatorUrl, network: told } = (await program.event('serving')) as unknown as {
    facilitatorUrl: string;
    network: { rpcUrl: string; horizonUrl: string; friendbotUrl: string };
  };
  const network = connectNetwork({ url: told.rpcUrl, certificateAuthority: null }, systemClock);
  const local = {
    ledger: { accounts: { usdcIssuer: USDC_ISSUER } },
    rpcUrl: told.rpcUrl,
    friendbotUrl: told.friendbotUrl,
    network,
  } as unknown as LocalNetwork;
  return {
    facilitatorUrl,
    ...told,
    local,
    usdcOf: async (address) => (await balancesOf(local, address)).usdc,
    async stop() {
      network.close();
      await program.stop('SIGINT');
    },
  };
}

/** The developer's project: an Express API without payments, with its packages installed. */
export function copyProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'svc-story-'));
  cpSync(api, project, { recursive: true });
  symlinkSync(packages, join(project, 'node_modules'), 'junction');
  return project;
}

/** The project's server, in a process of its own. */
export class App {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('exit', resolve));
  }

  /** Starts it, and waits until it answers. @param port any free one where none is named */
  static async start(project: string, facilitatorUrl: string, port?: number): Promise<App> {
    const chosen = port ?? (await freePort());
    const child = spawn(process.execPath, ['server.js'], {
      cwd: project,
      env: {
        PATH: process.env['PATH'],
        PORT: `${chosen}`,
        FACILITATOR_URL: facilitatorUrl,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const app = new App(`http://127.0.0.1:${chosen}`, child);
    for (let attempt = 0; ; attempt++) {
      const status = await app.status('/').catch(() => undefined);
      if (status !== undefined) return app;
      if (attempt > 300 || child.exitCode !== null) throw new Error('the app does not answer');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async status(path: string): Promise<number> {
    return (await fetch(`${this.url}${path}`)).status;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const socket = createServer().listen(0, '127.0.0.1', () => {
      const address = socket.address();
      socket.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });
}
