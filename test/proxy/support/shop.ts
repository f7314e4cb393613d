import { mkdtempSync, rmSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectFacilitator } from '../../../src/handlers/facilitator/index.ts';
import { decodeHeaderMessage, encodeHeaderMessage } from '../../../src/protocol/index.ts';
import { paymentRequiredSchema } from '../../../src/protocol/wire/index.ts';
import { readConfig } from '../../../src/proxy/index.ts';
import {
  type ProxyOptions,
  type RunningProxy,
  startProxy,
} from '../../../src/proxy/proxyServer.ts';
import { openSales, type SalesLimits } from '../../../src/proxy/salesStore.ts';
import type { ReceiptKey } from '../../../src/seller/index.ts';
import { openStore } from '../../../src/server/store/index.ts';
import { freshPayment } from '../../support/freshPayment.ts';
import type { LocalNetwork } from '../../support/localStack.ts';
import type { TestKey } from '../../support/payer.ts';

/** Starts a server on a free port. */
export async function serve(
  handler: RequestListener,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface Shop {
  readonly proxy: RunningProxy;
  readonly folder: string;
  readonly log: Record<string, unknown>[];
  close(): Promise<void>;
}

/** Starts a proxy with a configuration; `folder` is kept if it is given. */
export async function openShop(
  config: string,
  {
    facilitatorUrl,
    folder = mkdtempSync(join(tmpdir(), 'x402-proxy-')),
    limits,
    keep = false,
    receiptKey,
    payPage,
  }: {
    readonly facilitatorUrl: string;
    readonly folder?: string;
    readonly limits?: SalesLimits;
    readonly keep?: boolean;
    readonly receiptKey?: ReceiptKey;
    readonly payPage?: ProxyOptions['payPage'];
  },
): Promise<Shop> {
  const read = readConfig(config);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const log: Record<string, unknown>[] = [];
  const note = (facts: object, message: string): void => {
    log.push({ message, ...facts });
  };
  const database = await openStore({ databaseUrl: null, dataFolder: folder });
  const sales = await openSales(database, {
    ...{ instance: 'test', folder, now: Date.now, onError: () => {} },
    ...(limits === undefined ? {} : { limits }),
  });
  const elapsed = (): number => performance.now();
  const proxy = await startProxy({
    ...{ config: read.config, facilitator: connectFacilitator(facilitatorUrl, elapsed), sales },
    ...{ secret: 'a secret of the test', folder, log: { info: note, warn: note, error: note } },
    ...{ host: '127.0.0.1', port: 0, now: Date.now, elapsed, receiptKey, payPage },
  });
  return {
    ...{ proxy, folder, log },
    async close() {
      await proxy.close();
      await sales.close();
      if (!keep) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A response, read whole. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** Sends a request with its target as it is written, which `fetch` would change. */
export function ask(
  url: string,
  target: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = send(
      { hostname, port, path: target, method, headers, agent: false },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            ...{ status: response.statusCode ?? 0, headers: response.headers },
            ...{ rawHeaders: response.rawHeaders, body: Buffer.concat(pieces) },
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The terms in a response. */
export function termsIn(answer: Answer) {
  return paymentRequiredSchema.parse(
    decodeHeaderMessage(String(answer.headers['payment-required'])),
  );
}

export function receiptIn(answer: Answer): Record<string, unknown> {
  return decodeHeaderMessage(String(answer.headers['payment-response'])) as Record<string, unknown>;
}

/**
 * Asks for the price of a request, and signs a payment for it.
 * @param ledgers how long the payment may be settled
 */
export async function sign(
  stack: LocalNetwork,
  payer: TestKey,
  payTo: TestKey,
  url: string,
  target: string,
  request: Parameters<typeof ask>[2] = {},
  ledgers = 20,
): Promise<string> {
  const challenge = await ask(url, target, request);
  if (challenge.status !== 402) throw new Error(`${target}: ${challenge.status} ${challenge.body}`);
  const [accepted] = termsIn(challenge).accepts;
  const expirationLedger = (await stack.network.getLatestLedger()) + ledgers;
  const { paymentPayload } = await freshPayment(stack, payer, payTo, {
    amount: BigInt(accepted?.amount ?? 0),
    entry: { expirationLedger },
  });
  return encodeHeaderMessage({ ...paymentPayload, accepted });
}
