import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { paymentRequiredSchema } from '../../../src/protocol/wire/index.ts';
import { freshPayment } from '../../support/freshPayment.ts';
import type { LocalStack } from '../../support/localStack.ts';
import type { TestKey } from '../../support/payer.ts';
import { ask } from './shop.ts';

/** Program of an MCP server that knows nothing of payments. */
export const toolServer = fileURLToPath(new URL('toolServer.mjs', import.meta.url));

export interface ToolServer {
  readonly url: string;
  close(): void;
}

/** Starts it over HTTP. */
export async function startToolServer(kind: 'http' | 'json'): Promise<ToolServer> {
  const child: ChildProcess = spawn(process.execPath, [toolServer, kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { stdout } = child;
  if (stdout === null) throw new Error('no output');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the tool server ended with ${code}`)));
  });
  return { url, close: () => child.kill('SIGKILL') };
}

/** A result of a tool, as far as these tests read it. */
export interface Result {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly tools?: readonly {
    readonly name: string;
    readonly description: string;
    readonly outputSchema?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface Rpc {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** All messages, the answer last. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly id: unknown;
  readonly result: Result | undefined;
  readonly error: { readonly code: number; readonly message: string } | undefined;
}

/** A client of MCP over HTTP that sends what it is given, byte for byte. */
export class RawClient {
  readonly #url: URL;
  session: string | undefined;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Sends a body unchanged. */
  async raw(body: string, headers: Record<string, string> = {}, method = 'POST'): Promise<Rpc> {
    const answer = await ask(this.#url.origin, this.#url.pathname, {
      method,
      ...(method === 'POST' ? { body } : {}),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
        ...headers,
      },
    });
    const text = String(answer.body);
    const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
    const messages = isStream
      ? text
          .split('\n')
          .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
      : text.startsWith('{')
        ? [JSON.parse(text)]
        : [];
    const last = messages.at(-1) ?? {};
    const { id, result, error } = last;
    return {
      ...{ status: answer.status, headers: answer.headers, body: text },
      messages,
      id,
      result,
      error,
    };
  }

  request(method: string, params: object = {}, id: unknown = 1): Promise<Rpc> {
    return this.raw(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  }

  async open(): Promise<this> {
    const opened = await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    this.session = String(opened.headers['mcp-session-id']);
    await this.raw('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return this;
  }

  call(name: string, args: object = {}, payment?: unknown, more: object = {}): Promise<Rpc> {
    const _meta = { ...(payment === undefined ? {} : { 'x402/payment': payment }), ...more };
    return this.request('tools/call', { name, arguments: args, _meta });
  }
}

/** Asks for the price of a call, and signs a payment for it. */
export async function signCall(
  stack: LocalStack,
  payer: TestKey,
  payTo: TestKey,
  challenge: Rpc,
): Promise<object> {
  const terms = paymentRequiredSchema.parse(challenge.result?.structuredContent);
  const [accepted] = terms.accepts;
  const expirationLedger = (await stack.network.getLatestLedger()) + 20;
  const { paymentPayload } = await freshPayment(stack, payer, payTo, {
    amount: BigInt(accepted?.amount ?? 0),
    entry: { expirationLedger },
  });
  return { ...paymentPayload, accepted };
}
