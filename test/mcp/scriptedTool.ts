import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { STELLAR_TESTNET, X402_VERSION } from '../../src/protocol/index.ts';
import {
  CREDENTIAL_META,
  PAYMENT_REQUIRED_CODE,
  REQUIRED_META,
  VERIFICATION_FAILED_CODE,
} from '../../src/protocol/mpp/index.ts';
import { USDC } from '../support/payment.ts';

interface Result {
  readonly isError?: boolean;
  readonly content: readonly object[];
  readonly structuredContent?: object;
  readonly _meta?: object;
}

/** Lets the facilitator settle the payment, and returns its answer. */
type Settle = () => Promise<{ readonly success: boolean; readonly transaction: string }>;

/** A tool sold over MCP by a seller that is as honest as the test decides, in front of a real facilitator. */
export interface ScriptedTool {
  readonly url: string;
  /** Where the terms are: those of x402, or the challenge of MPP. */
  terms: 'structured' | 'wrapped' | 'text' | 'error' | 'challenge' | 'challenge in a result';
  /** Answers a call that carries a payment; `again` is a refusal of MPP with a new challenge. */
  paid: (
    settle: Settle,
    cut: () => void,
    again: () => { readonly error: object },
  ) => Promise<Result | { readonly error: object }>;
  /** Answers with bytes that do not end. */
  endless: boolean;
  /** Payments that were presented. */
  readonly presented: number;
  close(): Promise<void>;
}

const MESSAGE = 'Payment required';

export async function startScriptedTool(facilitator: string, payTo: string): Promise<ScriptedTool> {
  let presented = 0;
  const requirements = {
    scheme: 'exact',
    network: STELLAR_TESTNET,
    asset: USDC,
    amount: '100000',
    payTo,
    maxTimeoutSeconds: 300,
    extra: { areFeesSponsored: true },
  };
  const terms = {
    x402Version: 2,
    error: MESSAGE,
    resource: { url: 'mcp://tool/scripted' },
    accepts: [requirements],
  };
  // With members that a buyer of ours does not know, or could not write into a header.
  const newChallenge = () => ({
    ...{ id: 'of the test', realm: 'scripted', method: 'stellar', intent: 'charge' },
    request: {
      ...{ amount: '100000', currency: USDC, recipient: payTo, externalId: 'ä' },
      methodDetails: { network: STELLAR_TESTNET, feePayer: true },
    },
    ...{ description: 'Größe', opaque: { order: '7' }, own: [1] },
    expires: new Date(Date.now() + requirements.maxTimeoutSeconds * 1_000).toISOString(),
  });
  let challenge = newChallenge();
  const asks = (code: number) => {
    challenge = newChallenge();
    const data = { httpStatus: 402, challenges: [{ method: 'tempo' }, challenge] };
    return { error: { code, message: MESSAGE, data } };
  };
  const wrapped = { 'x402/error': { code: 402, message: MESSAGE, data: terms } };

  function unpaid(): object {
    const refused = (more: object): object => ({
      result: { resultType: 'complete', isError: true, ...more },
    });
    const plain = [{ type: 'text', text: MESSAGE }];
    switch (tool.terms) {
      case 'structured':
        return refused({ structuredContent: terms, content: plain });
      case 'wrapped':
        return refused({ structuredContent: wrapped, content: plain });
      case 'text':
        return refused({ content: [{ type: 'text', text: JSON.stringify(wrapped) }] });
      case 'error':
        return { error: { code: 402, message: MESSAGE, data: terms } };
      case 'challenge':
        return asks(PAYMENT_REQUIRED_CODE);
      case 'challenge in a result':
        return refused({
          content: plain,
          _meta: { [REQUIRED_META]: asks(PAYMENT_REQUIRED_CODE).error.data },
        });
    }
  }

  async function settle(paymentPayload: unknown) {
    const answer = await fetch(`${facilitator}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: requirements }),
    });
    return (await answer.json()) as { success: boolean; transaction: string };
  }

  /** The payment in a credential with the unchanged challenge, in the form of x402. */
  function payloadOf(credential: unknown): unknown {
    if (credential === undefined) return undefined;
    const { challenge: sent, payload } = credential as { challenge: unknown; payload: object };
    if (!isDeepStrictEqual(sent, challenge)) return undefined;
    return { x402Version: X402_VERSION, payload, accepted: requirements };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, method, params } = JSON.parse(await text(request)) as {
      id?: number;
      method: string;
      params: { _meta?: Readonly<Record<string, unknown>> };
    };
    if (id === undefined) return void response.writeHead(202).end();
    response.setHeader('content-type', 'application/json');
    const reply = (outcome: object) =>
      void response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
    if (method === 'server/discover') {
      const known = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
      const kept = { ttlMs: 0, cacheScope: 'private', resultType: 'complete' };
      return reply({ result: { ...known, ...kept, serverInfo: { name: 'x', version: '1' } } });
    }
    if (tool.endless) {
      const more = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', more);
      };
      return more();
    }
    const payment = params._meta?.['x402/payment'] ?? payloadOf(params._meta?.[CREDENTIAL_META]);
    if (payment === undefined) return reply(unpaid());
    presented += 1;
    const result = await tool.paid(
      () => settle(payment),
      () => response.destroy(),
      () => asks(VERIFICATION_FAILED_CODE),
    );
    if ('error' in result) return reply(result);
    return reply({ result: { resultType: 'complete', ...result } });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const tool: ScriptedTool = {
    url: `http://127.0.0.1:${port}/mcp`,
    terms: 'structured',
    paid: async (pay) => ({
      content: [{ type: 'text', text: 'the goods' }],
      _meta: { 'x402/payment-response': await pay() },
    }),
    endless: false,
    get presented() {
      return presented;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return tool;
}
