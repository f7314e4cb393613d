import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeStrKey } from '../../common/strKey.ts';
import { openTestSeller } from '../policies/support/seller.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { startLocalStack } from '../support/localStack.ts';
import type { Purchase } from './programs.ts';

/** Atomic units of USDC: 0.01. */
export const PRICE = 100_000n;

/** An embedded network with a seller on it whom pages of any origin may ask. */
export interface Market {
  readonly purchase: Purchase;
  /** What the seller was paid, and what the payer spent, by the ledger. */
  moved(): Promise<{ readonly received: bigint; readonly spent: bigint }>;
  close(): Promise<void>;
}

export async function openMarket(): Promise<Market> {
  const stack = await startLocalStack();
  const payer = await openPayer(stack, 10_000_000n);
  const recipient = await openSeller(stack);
  const seller = await openTestSeller(stack.facilitator.url, recipient.address, PRICE);
  const door = await openDoor(seller.url);
  const before = await balancesOf(stack, payer.address);
  return {
    purchase: {
      address: payer.address,
      key: pkcs8Of(payer.secret),
      rpcUrl: stack.rpcUrl,
      url: `${door.url}/paid`,
    },
    async moved() {
      const { usdc: received } = await balancesOf(stack, recipient.address);
      const { usdc: left } = await balancesOf(stack, payer.address);
      return { received, spent: before.usdc - left };
    },
    async close() {
      await door.close();
      await seller.close();
      await stack.close();
    },
  };
}

/** The seller's own server does not speak CORS: this one is in front of it, as a gateway is. */
async function openDoor(seller: string) {
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    response.setHeader('access-control-expose-headers', '*');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const { method, headers } = request;
    const sent = forward(new URL(request.url ?? '/', seller), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.once('error', () => response.destroy());
    request.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A secret key (`S…`) as the Web Crypto API imports it. */
function pkcs8Of(secret: string): string {
  const seed = decodeStrKey('secretSeed', secret) ?? new Uint8Array();
  return Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]).toString(
    'base64',
  );
}
