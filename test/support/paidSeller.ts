import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../examples/paid-api/', import.meta.url));

/** Whether the example and the published packages it uses are installed. */
export const sellerInstalled = existsSync(`${folder}node_modules/@x402/express`);

export interface PaidSeller {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Whether the example's seller of a tool has its packages. */
export const toolSellerInstalled = existsSync(`${folder}node_modules/@modelcontextprotocol/node`);

/** Starts the example's seller, on unmodified published packages, in a process of its own. */
export async function startPaidSeller(settings: {
  /** Default: the API on `@x402/express`. */
  readonly program?: 'seller.mjs' | 'tool-seller.mjs';
  readonly facilitatorUrl: string;
  readonly payTo: string;
  readonly price?: string;
}): Promise<PaidSeller> {
  const child = spawn(process.execPath, [settings.program ?? 'seller.mjs', '--json'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      FACILITATOR_URL: settings.facilitatorUrl,
      PAY_TO: settings.payTo,
      PRICE: settings.price ?? '$0.01',
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const step = JSON.parse(line) as { step?: string; url?: string };
      if (step.step === 'listening' && step.url !== undefined) resolve(step.url);
    });
    void ended.then(() => reject(new Error(`the seller ended: ${errors}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
