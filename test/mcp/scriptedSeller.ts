import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  decodeHeaderMessage,
  encodeHeaderMessage,
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
  PAYMENT_SIGNATURE_HEADER,
  STELLAR_TESTNET,
} from '../../src/protocol/index.ts';
import { USDC } from '../support/payment.ts';

/** A payment as a seller holds it. */
export interface Presented {
  readonly response: ServerResponse;
  /** Lets the facilitator settle it, and returns its answer. */
  settle(): Promise<{ readonly success: boolean; readonly transaction: string }>;
  /** Writes the header that reports a settlement. */
  say(settlement: object): void;
}

/** A seller that is as honest as the test decides, in front of a real facilitator. */
export interface ScriptedSeller {
  readonly url: string;
  /** Atomic units. */
  price: bigint;
  /** The type that the terms declare. */
  mimeType: string | undefined;
  /** Answers a request that carries a payment. */
  paid: (presented: Presented) => Promise<void>;
  /** Answers a request without one; `undefined` asks for the price. */
  unpaid: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** Payments that were presented. */
  readonly presented: number;
  close(): Promise<void>;
}

/** Settles, reports it, and delivers. */
export async function honest({ settle, say, response }: Presented): Promise<void> {
  const settled = await settle();
  say(settled);
  response.writeHead(settled.success ? 200 : 402, { 'content-type': 'text/plain' });
  response.end(settled.success ? 'the goods' : '');
}

export async function startScriptedSeller(
  facilitator: string,
  payTo: string,
): Promise<ScriptedSeller> {
  let presented = 0;
  const requirements = () => ({
    scheme: 'exact',
    network: STELLAR_TESTNET,
    asset: USDC,
    amount: `${seller.price}`,
    payTo,
    maxTimeoutSeconds: 300,
    extra: { areFeesSponsored: true },
  });

  async function sell(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const payment = request.headers[PAYMENT_SIGNATURE_HEADER.toLowerCase()];
    if (typeof payment !== 'string') {
      if (seller.unpaid !== undefined) return seller.unpaid(request, response);
      const { mimeType } = seller;
      const resource = { url: `http://seller${request.url}`, ...(mimeType && { mimeType }) };
      const terms = { x402Version: 2, resource, accepts: [requirements()] };
      response.writeHead(402, { [PAYMENT_REQUIRED_HEADER]: encodeHeaderMessage(terms) }).end();
      return;
    }
    presented += 1;
    await seller.paid({
      response,
      say: (settlement) =>
        response.setHeader(PAYMENT_RESPONSE_HEADER, encodeHeaderMessage(settlement)),
      async settle() {
        const answer = await fetch(`${facilitator}/settle`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            x402Version: 2,
            paymentPayload: decodeHeaderMessage(payment),
            paymentRequirements: requirements(),
          }),
        });
        return (await answer.json()) as { success: boolean; transaction: string };
      },
    });
  }

  const server = createServer((request, response) => {
    sell(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const seller: ScriptedSeller = {
    url: `http://127.0.0.1:${port}`,
    price: 100_000n,
    mimeType: undefined,
    paid: honest,
    unpaid: undefined,
    get presented() {
      return presented;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return seller;
}
