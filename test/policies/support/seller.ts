import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  decodeHeaderMessage,
  encodeHeaderMessage,
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
  PAYMENT_SIGNATURE_HEADER,
  STELLAR_TESTNET,
} from '../../../src/protocol/index.ts';
import { USDC } from '../../support/payment.ts';

/** A seller that charges for `/paid`, by a facilitator. */
export interface TestSeller {
  readonly url: string;
  /** Payments that were presented. */
  readonly presented: number;
  /** What `/paid` does once it is paid. */
  resource: (response: ServerResponse) => void;
  close(): Promise<void>;
}

/**
 * @param extensions what each challenge declares beside its terms
 * @param terms members of the terms that differ from those of scheme `exact`
 */
export async function openTestSeller(
  facilitator: string,
  payTo: string,
  amount: bigint,
  extensions?: () => object,
  terms: object = {},
) {
  const requirements = {
    scheme: 'exact',
    network: STELLAR_TESTNET,
    asset: USDC,
    amount: `${amount}`,
    payTo,
    maxTimeoutSeconds: 300,
    extra: { areFeesSponsored: true },
    ...terms,
  };
  let presented = 0;
  const seller = {
    resource: (response: ServerResponse): void => void response.writeHead(200).end('the goods'),
  };

  async function sell(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const payment = request.headers[PAYMENT_SIGNATURE_HEADER.toLowerCase()];
    if (request.url === '/moved') {
      response.writeHead(307, { location: '/paid' }).end();
      return;
    }
    if (typeof payment !== 'string') {
      const challenge = {
        x402Version: 2,
        error: 'payment required',
        resource: { url: 'http://seller/paid' },
        accepts: [requirements],
        ...(extensions === undefined ? {} : { extensions: extensions() }),
      };
      response.writeHead(402, { [PAYMENT_REQUIRED_HEADER]: encodeHeaderMessage(challenge) }).end();
      return;
    }
    presented += 1;
    const settled = await fetch(`${facilitator}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        x402Version: 2,
        paymentPayload: decodeHeaderMessage(payment),
        paymentRequirements: requirements,
      }),
    });
    const outcome = (await settled.json()) as { success: boolean };
    response.setHeader(PAYMENT_RESPONSE_HEADER, encodeHeaderMessage(outcome));
    if (outcome.success) seller.resource(response);
    else response.writeHead(402).end();
  }

  const server = createServer((request, response) => {
    sell(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const opened: TestSeller = {
    url: `http://127.0.0.1:${port}`,
    get presented() {
      return presented;
    },
    get resource() {
      return seller.resource;
    },
    set resource(resource) {
      seller.resource = resource;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return opened;
}
