import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../store/privatePostgres.ts';
import { openShop } from '../support/shop.ts';
import type { Buyer } from './buyers.ts';
import { rawSpellings } from './rawSpellings.ts';
import { sendRaw } from './sendRaw.ts';
import type { ForeignUpstream } from './upstreams.ts';

/** What the sold data has, and nothing else. */
const MARK = /tempC/;
const START_MS = 60_000;

/** What became of one server behind the proxy. */
export interface Trial {
  readonly name: string;
  /** Whether it serves the data when it is asked without the proxy, without which nothing was tried. */
  readonly serves: boolean;
  /** By buyer, `undefined` if it got what it paid for, else what it got. */
  readonly bought: ReadonlyMap<string, string | undefined>;
  readonly spellings: number;
  /** Spellings that got the data without a payment. */
  readonly free: readonly string[];
  /** Spellings that, sent to the server itself, get the data: what a proxy that forwards everything would give away. */
  readonly readByServer: number;
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (const until = Date.now() + START_MS; ; await pause(100)) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    if (child.exitCode !== null || Date.now() > until) throw new Error('the server did not start');
  }
}

/** Sends each of the requests, a few at a time. @returns the names of those that got the data */
async function giving(port: number, upstream: ForeignUpstream): Promise<readonly string[]> {
  const queue = rawSpellings(upstream).values();
  const found: string[] = [];
  const worker = async (): Promise<void> => {
    for (const { name, bytes } of queue) {
      if (MARK.test(await sendRaw(port, bytes))) found.push(name);
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  return found;
}

/** Starts a server and the proxy in front of it, buys with each buyer, and sends each spelling without a payment. */
export async function tryUpstream(
  upstream: ForeignUpstream,
  {
    buyers,
    payTo,
    facilitatorUrl,
  }: { readonly buyers: readonly Buyer[]; readonly payTo: string; readonly facilitatorUrl: string },
): Promise<Trial> {
  const port = await freePort();
  const [program = '', ...args] = upstream.command(port);
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  try {
    await Promise.race([
      listening(port, child),
      new Promise<never>((_, reject) => child.once('error', reject)),
    ]);
    const { method, target, body } = upstream.sold;
    const request = {
      method,
      ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    };
    const plain = await (await fetch(`http://127.0.0.1:${port}${target}`, request)).text();
    // Everything that has no price is free here: a spelling that the proxy does not see as sold reaches the server.
    const shop = await openShop(
      `upstream: http://127.0.0.1:${port}
payTo: ${payTo}
routes:
${upstream.routes.map((route) => `  ${route}\n`).join('')}otherwise: free
`,
      { facilitatorUrl },
    );
    try {
      const bought = new Map<string, string | undefined>();
      for (const { name, buy } of buyers) {
        const got = await buy(`${shop.proxy.url}${target}`, upstream.sold).catch(String);
        bought.set(name, MARK.test(got) ? undefined : got.slice(-300));
      }
      return {
        ...{ name: upstream.name, serves: MARK.test(plain), bought },
        ...{ free: await giving(shop.proxy.port, upstream) },
        ...{ readByServer: (await giving(port, upstream)).length },
        spellings: rawSpellings(upstream).length,
      };
    } finally {
      await shop.close();
    }
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }
}
