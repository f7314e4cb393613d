import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Outcome } from '../counters.ts';
import type { Origin } from '../headers.ts';
import type { ClientMessage, ClientRequest, RequestId, ServerMessage } from './message.ts';

/** One HTTP request of an MCP client, with what every step needs. */
export interface McpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Canonical path, and the query with its `?`. */
  readonly target: { readonly path: string; readonly query: string };
  readonly origin: Origin;
  readonly publicOrigin: string;
  /** Whether the client waits for `100 Continue`. */
  readonly expects: boolean;
  /** For the line in the log. */
  readonly facts: { outcome: Outcome; [name: string]: unknown };
}

export type Header = readonly [name: string, value: string];

/** What the MCP server sent back. */
export interface Forwarded {
  readonly status: number;
  /** Those that the client gets. */
  readonly headers: readonly Header[];
  /** Messages up to the answer; of a stream, until it ends. */
  readonly messages: AsyncIterable<ServerMessage>;
  /** Whether the client cancelled the request before its answer. */
  isCancelled(): boolean;
  /** A body that is not a message, with its type. */
  readonly body: { readonly type: string; readonly bytes: Buffer } | undefined;
  /** Ends the connection. */
  destroy(): void;
}

/** How a request goes to the server. */
export interface Sending {
  /** Headers about a payment. */
  readonly headers: readonly Header[];
  /** Whether it is paid: then its client cannot cancel it. */
  readonly isSold: boolean;
  readonly signal: AbortSignal;
}

/** A server whose tools are sold. Nothing rejects: what failed has a status of 400 or more. */
export interface McpBackend {
  /**
   * Sends a request. Its id is replaced on the way, so that no other request can get its answer; the answer that comes back has
   * the client's id again, and answers to other requests are dropped.
   */
  request(exchange: McpExchange, request: ClientRequest, sending: Sending): Promise<Forwarded>;
  /** Sends a notification, or an answer to what the server asked. */
  send(exchange: McpExchange, message: Exclude<ClientMessage, ClientRequest>): Promise<Forwarded>;
  /** Opens the stream of messages that belong to no request. */
  listen(exchange: McpExchange, signal: AbortSignal): Promise<Forwarded>;
  /** Ends a session. */
  end(exchange: McpExchange): Promise<Forwarded>;
  /** Why nothing could be sold now; `undefined` if it can. */
  problem(): Promise<string | undefined>;
  /** Ends the streams that `listen` opened; requests continue. */
  endStreams(): void;
  close(): Promise<void>;
}

/** Longest body of an error that is passed on. */
export const MAX_ERROR_BYTES = 256 << 10;

async function* none(): AsyncGenerator<ServerMessage> {}

/** Returns an answer without messages. */
export function withoutMessages(
  status: number,
  headers: readonly Header[] = [],
  body?: Forwarded['body'],
): Forwarded {
  return { status, headers, messages: none(), isCancelled: () => false, body, destroy: () => {} };
}

/** Returns the proxy's own error in place of an answer. */
export function failure(status: number, error: string, message: string): Forwarded {
  const bytes = Buffer.from(JSON.stringify({ error, message }));
  return withoutMessages(status, [], { type: 'application/json', bytes });
}

/** Returns the answer to a request among others'. @param id that the server got */
export function answerTo(
  message: ServerMessage,
  id: RequestId,
  clientId: RequestId,
): ServerMessage | undefined {
  if (message.kind === 'other') return message;
  // Servers that could not read a request answer it without its id.
  const isMine = message.id === id || (message.id === null && 'error' in message.outcome);
  return isMine ? { ...message, id: clientId } : undefined;
}

/** The session that a client names; empty without one. */
export function sessionOf({ request }: Pick<McpExchange, 'request'>): string {
  const value = request.headers['mcp-session-id'];
  return typeof value === 'string' ? value : '';
}
