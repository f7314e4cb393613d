import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { STELLAR_TESTNET, USDC_CONTRACT } from '../../protocol/index.ts';
import { declaredMethods } from '../../protocol/mpp/index.ts';
import {
  errorAnswer,
  type FacilitatorAnswer,
  type FacilitatorCall,
  type ListedTool,
  type Offer,
  owedAnswer,
  paidMeta,
  type SalePayment,
  SELLER_META,
  type SellerProtocol,
  SOLD_METHODS,
  type SoldCall,
  sell,
  toolAnswerOf,
  toolDeclaration,
  toolRequest,
} from '../../seller/index.ts';
import {
  MAX_TIMEOUT_SECONDS,
  type McpConfig,
  type ProtocolName,
  type ProxyConfig,
  type Terms,
} from '../config/config.ts';
import type { Counters } from '../counters.ts';
import { paymentHeaders } from '../headers.ts';
import type { Page } from '../page.ts';
import type { SalesStore } from '../salesStore.ts';
import { Spool, streamOf } from '../spool.ts';
import { type AddedToAnswer, accessTo, PAYER_META, type ToolCall, withMeta } from './access.ts';
import { type Forwarded, type McpBackend, type McpExchange, sessionOf } from './backend.ts';
import {
  answerText,
  type ClientMessage,
  type ClientRequest,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  REQUEST_CANCELLED,
  type RequestId,
  type RpcOutcome,
  readMessage,
  refusalText,
} from './message.ts';
import {
  canonicalText,
  membersOf,
  objectText,
  type RawObject,
  withMembers,
  withValueAt,
} from './rawJson.ts';
import { Reply } from './reply.ts';
import { pricedList } from './toolList.ts';

/** Longest message of a client. */
const MAX_MESSAGE_BYTES = 10 << 20;
/** How long a client waits for the headers of an answer before it gets those of a stream. */
const STREAM_MS = 1_000;
/** Tools whose descriptions are remembered for catalogs. */
const MAX_TOOLS = 1_000;
/** Sessions whose clients' payment methods are remembered. */
const MAX_SESSIONS = 10_000;
/** Members of `_meta` with the revision and the client's capabilities, which clients send from 2026-07-28 on. */
const REVISION_META = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_META = 'io.modelcontextprotocol/clientCapabilities';

/** Where the seller writes what happens. */
interface McpLog {
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** A facilitator, as sellers call it. */
interface Settler {
  ask(call: FacilitatorCall): Promise<FacilitatorAnswer>;
  extra(): Promise<Readonly<Record<string, unknown>> | undefined>;
}

export interface McpSellerOptions {
  readonly backend: McpBackend;
  readonly facilitator: Settler;
  readonly sales: SalesStore;
  readonly counters: Counters;
  /** The protocols in which tools can be sold. */
  readonly spoken: Readonly<Record<ProtocolName, SellerProtocol>>;
  /** Key of the HMAC over what a server over HTTP learns about a payment. */
  readonly secret: string;
  /** Path of a server over HTTP, which the HMAC covers. */
  readonly upstreamPath: string;
  /** Folder of long results. */
  readonly folder: string;
  readonly log: McpLog;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Sells tools of an MCP server over Streamable HTTP. */
export interface McpSeller {
  /** Answers one HTTP request at the server's path. */
  handle(exchange: McpExchange, config: ProxyConfig, mcp: McpConfig): Promise<void>;
}

/** Creates the seller of one MCP server's tools. */
export function mcpSeller(options: McpSellerOptions): McpSeller {
  const { backend, facilitator, sales, counters, spoken, secret, folder, log, now } = options;
  const known = new Map<string, ListedTool>();
  /** The payment methods that the clients of sessions declared. */
  const declared = new Map<string, string>();

  async function handle(exchange: McpExchange, config: ProxyConfig, mcp: McpConfig): Promise<void> {
    const { request, response, facts } = exchange;
    const reply = new Reply(exchange);
    facts.outcome = 'refused';
    if (!isAllowedOrigin(request.headers.origin, config.publicOrigin)) {
      return refuse(reply, 403, null, 'Pages of other sites may not use this server.');
    }
    switch (request.method) {
      case 'OPTIONS':
        reply.add([
          ['allow', 'GET, POST, DELETE, OPTIONS'],
          ['access-control-allow-methods', 'GET, POST, DELETE'],
          [
            'access-control-allow-headers',
            request.headers['access-control-request-headers'] ?? 'content-type',
          ],
        ]);
        facts.outcome = 'own';
        return reply.body(204, '', Buffer.alloc(0));
      case 'GET': {
        if (!reply.takesStream) return refuse(reply, 406, null, 'Accept text/event-stream.');
        const stream = await backend.listen(exchange, whenClosed(response));
        facts.outcome = 'free';
        if (stream.status < 300 && stream.body === undefined) reply.open();
        return pass(reply, stream, null, undefined);
      }
      case 'DELETE':
        facts.outcome = 'free';
        return pass(reply, await backend.end(exchange), null, undefined);
      case 'POST':
        return post(exchange, reply, config, mcp);
      default:
        reply.add([['allow', 'GET, POST, DELETE, OPTIONS']]);
        return refuse(reply, 405, null, 'Use POST, GET or DELETE.');
    }
  }

  async function post(
    exchange: McpExchange,
    reply: Reply,
    config: ProxyConfig,
    mcp: McpConfig,
  ): Promise<void> {
    const { request, response, facts } = exchange;
    const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
    if (!/^application\/json\s*(?:;|$)/i.test(type) || encoding !== undefined) {
      return refuse(
        reply,
        415,
        null,
        'Send JSON without compression, with Content-Type: application/json.',
      );
    }
    if (exchange.expects) response.writeContinue();
    const bytes = await readAll(
      request,
      Math.min(config.limits.maxRequestBytes, MAX_MESSAGE_BYTES),
    );
    if (bytes === undefined) {
      reply.add([['connection', 'close']]);
      return refuse(reply, 413, null, 'The message is too long.');
    }
    const read = readMessage(bytes);
    if (!read.ok) return reply.finish(refusalText(read.refusal), 400);
    const { message } = read;
    const access = accessTo(message, mcp);
    if (message.kind !== 'answer') facts['method'] = message.method.slice(0, 100);
    switch (access.kind) {
      case 'refused': {
        const id = message.kind === 'request' ? message.id : null;
        const refusal = refusalText({ id, code: access.code, message: access.message });
        return reply.finish(refusal, id === null ? 400 : 200);
      }
      case 'free':
        facts.outcome = 'free';
        return free(exchange, reply, access.message, { adds: access.adds, config, mcp });
      case 'sold':
        return sold(exchange, reply, config, access);
    }
  }

  async function free(
    exchange: McpExchange,
    reply: Reply,
    message: ClientMessage,
    addition: Addition,
  ): Promise<void> {
    if (message.kind !== 'request') {
      return pass(reply, await backend.send(exchange, message), null, undefined);
    }
    const signal = whenClosed(exchange.response);
    const answer = await backend.request(exchange, message, { headers: [], isSold: false, signal });
    if (message.method === 'initialize') remember(answer, message);
    return pass(reply, answer, message.id, addition);
  }

  /** Remembers what the client of a new session declared. Without it, the client gets the terms of all protocols. */
  function remember({ headers }: Forwarded, { params }: ClientRequest): void {
    const session = headers.find(([name]) => name.toLowerCase() === 'mcp-session-id')?.[1];
    const methods = declaredMethods(JSON.parse(params?.get('capabilities') ?? 'null'));
    if (session === undefined || methods === undefined) return;
    if (declared.size >= MAX_SESSIONS) declared.clear();
    declared.set(session, methods);
  }

  /** Returns the payment methods of MPP that a client declared: with the request, with the call, or when it opened its session. */
  function acceptedBy(exchange: McpExchange, { meta }: ToolCall): string | undefined {
    const header = exchange.request.headers['accept-payment'];
    if (header !== undefined) return String(header);
    const capabilities: unknown = JSON.parse(meta.get(CAPABILITIES_META) ?? 'null');
    return declaredMethods(capabilities) ?? declared.get(sessionOf(exchange));
  }

  /** Passes on what the server sent. */
  async function pass(
    reply: Reply,
    answer: Forwarded,
    id: RequestId | null,
    addition: Addition | undefined,
  ): Promise<void> {
    reply.add(answer.headers);
    const { status, body } = answer;
    const timer =
      body === undefined && id !== null && status < 300
        ? setTimeout(() => reply.open(), STREAM_MS)
        : undefined;
    try {
      for await (const message of answer.messages) {
        if (message.kind === 'other') {
          await reply.message(message.text);
          if (!reply.isOpen) return;
        } else
          return reply.finish(answerText(message.id, added(message.outcome, addition)), status);
      }
    } catch {
      // Broken off: below.
    } finally {
      clearTimeout(timer);
      answer.destroy();
    }
    if (body !== undefined) return reply.body(status, body.type, body.bytes);
    if (id === null) return reply.hasBegun ? reply.end() : reply.body(status, '', Buffer.alloc(0));
    if (answer.isCancelled()) {
      // No message, if the client can do without one: it waits for none, and reports one that comes.
      if (reply.open()) return reply.end();
      const message = 'The client cancelled this request.';
      return reply.finish(refusalText({ id, code: REQUEST_CANCELLED, message }), 200);
    }
    const gone = { id, code: INTERNAL_ERROR, message: 'The MCP server ended without an answer.' };
    reply.finish(refusalText(gone), status < 300 ? 502 : status);
  }

  function added(outcome: RpcOutcome, addition: Addition | undefined): RpcOutcome {
    if (addition?.adds === undefined || !('result' in outcome)) return outcome;
    const { adds, config, mcp } = addition;
    if (adds === 'methods') {
      return {
        result: config.protocols.includes('mpp') ? described(outcome.result) : outcome.result,
      };
    }
    const { result, tools } = pricedList(outcome.result, mcp, config.protocols);
    for (const tool of tools) {
      if (known.size >= MAX_TOOLS) known.clear();
      known.set(tool.name, tool);
    }
    return { result };
  }

  function offerOf(
    exchange: McpExchange,
    config: ProxyConfig,
    terms: Terms,
    { name }: ToolCall,
    extra: Offer['extra'],
  ): Offer {
    const { price, settle, mimeType = 'application/json', tags } = terms;
    const tool = known.get(name);
    const description = terms.description ?? tool?.description;
    return {
      ...{ network: STELLAR_TESTNET, asset: USDC_CONTRACT, payTo: config.payTo, extra, settle },
      amount: price.kind === 'fixed' ? price.amount : price.max,
      maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
      extensions:
        tool === undefined
          ? terms.extensions
          : { ...terms.extensions, bazaar: toolDeclaration({ ...tool, description }) },
      resource: {
        url: `${exchange.publicOrigin}${exchange.target.path}`,
        mimeType,
        ...(description === undefined ? {} : { description }),
        ...(config.serviceName === undefined ? {} : { serviceName: config.serviceName }),
        ...(tags === undefined ? {} : { tags }),
      },
    };
  }

  /** Sells a call: verify, forward, settle, answer. */
  async function sold(
    exchange: McpExchange,
    reply: Reply,
    config: ProxyConfig,
    { request, call, terms }: Sale,
  ): Promise<void> {
    const { facts } = exchange;
    const isNew = call.meta.has(REVISION_META);
    const finish = (answer: ReturnType<typeof toolAnswerOf>): void => {
      const ended = isNew ? { resultType: 'complete' } : {};
      const outcome =
        'error' in answer
          ? { error: JSON.stringify(answer.error) }
          : { result: JSON.stringify({ ...answer.result, ...ended }) };
      reply.finish(answerText(request.id, outcome));
    };
    facts['tool'] = call.name;
    const soldCall: SoldCall = {
      path: exchange.target.path,
      tool: call.name,
      payment: call.payment === undefined ? undefined : JSON.parse(call.payment),
      credential: call.credential === undefined ? undefined : JSON.parse(call.credential),
      accepts: acceptedBy(exchange, call),
      digest: digestOf(call.params),
    };
    const extra = await facilitator.extra();
    if (extra === undefined) {
      const answer = errorAnswer(
        503,
        'facilitator_unavailable',
        'The facilitator does not answer, so nothing is sold now. Nothing was taken.',
      );
      return finish(toolAnswerOf(answer, soldCall));
    }
    const offer = offerOf(exchange, config, terms, call, extra);
    const asked = toolRequest(soldCall);
    // The server's failure, which is not kept.
    const failures: Failure[] = [];
    const result = await sell<Page>(offer, asked, {
      protocols: config.protocols.map((name) => spoken[name]),
      book: sales,
      ask: (each) => facilitator.ask(each),
      async serve(paid, transaction) {
        const served = await serve(exchange, reply, config, {
          request,
          call,
          offer,
          paid,
          transaction,
        });
        if ('page' in served) return served.page;
        failures.push(served);
        return failedPage(served);
      },
      pause: (milliseconds) => pause(milliseconds),
      onError: (error) => log.error({ err: error }, 'a sale could not be stored'),
    });
    switch (result.kind) {
      case 'answer':
        facts.outcome = result.reason === 'unpaid' ? 'unpaid' : 'refused';
        facts['reason'] = result.reason;
        return finish(toolAnswerOf(result.answer, soldCall));
      case 'failed': {
        facts.outcome = result.owed ? 'owed' : 'failed';
        facts['reason'] = result.response.problem;
        const [failed] = failures;
        if (failed === undefined) throw new Error('nothing failed');
        if (result.owed) {
          const { outcome } = failed;
          const words = 'result' in outcome ? outcome.result : outcome.error;
          return finish(owedAnswer(soldCall, paidMeta(result.headers, soldCall), words));
        }
        if (failed.forwarded?.body !== undefined && !reply.hasBegun) {
          const { status, body, headers } = failed.forwarded;
          reply.add(headers);
          return reply.body(status, body.type, body.bytes);
        }
        const status = failed.forwarded?.status ?? 200;
        return reply.finish(answerText(request.id, failed.outcome), status < 400 ? 200 : status);
      }
      case 'sold': {
        facts.outcome = result.repeated ? 'repeated' : 'sold';
        facts['payer'] = result.paid.payer;
        facts['transaction'] = result.transaction;
        if (!result.repeated) counters.sale(result.paid.payment.amount);
        const { body } = result.response;
        const kept = body === undefined ? '{}' : await text(streamOf(body));
        const outcome = { result: withPaidMeta(kept, paidMeta(result.headers, soldCall)) };
        const isThere = reply.isOpen;
        reply.finish(answerText(request.id, outcome));
        if (!isThere && offer.settle === 'before') facts.outcome = 'owed';
        await result.ended(isThere ? 'delivered' : 'broken');
      }
    }
  }

  /** Calls the tool, and keeps its result. Messages that it sends meanwhile are not sold: they reach the client at once. */
  async function serve(
    exchange: McpExchange,
    reply: Reply,
    { limits }: ProxyConfig,
    { request, call, offer, paid, transaction }: Serving,
  ): Promise<Failure | { readonly page: Page }> {
    const amount = paid.payment.amount.toString();
    const who = {
      ...{ protocol: paid.protocol.name, payer: paid.payer, amount, asset: offer.asset },
      transaction: transaction ?? '',
    };
    const meta = new Map(call.meta).set(PAYER_META, JSON.stringify(who));
    const headers = paymentHeaders(
      {
        ...{ paid, asset: offer.asset, transaction: transaction ?? '', method: 'POST' },
        ...{ target: `${options.upstreamPath}${exchange.target.query}` },
        time: Math.floor(now() / 1_000),
      },
      secret,
    );
    const forwarded = await backend.request(
      exchange,
      { ...request, params: withMeta(call.params, meta) },
      { headers, isSold: true, signal: AbortSignal.timeout(limits.timeoutMs + limits.holdMs) },
    );
    reply.add(forwarded.headers.filter(([name]) => /^mcp-/i.test(name)));
    let outcome: RpcOutcome | undefined;
    try {
      for await (const message of forwarded.messages) {
        if (message.kind === 'other') await reply.message(message.text);
        else {
          outcome = message.outcome;
          break;
        }
      }
    } catch {
      // Broken off: below.
    } finally {
      forwarded.destroy();
    }
    if (outcome === undefined) {
      const gone = { code: INTERNAL_ERROR, message: 'The MCP server did not answer the call.' };
      return {
        outcome: { error: JSON.stringify(gone) },
        forwarded,
        problem: `the server answered ${forwarded.status} without a result`,
      };
    }
    const problem = problemOf(outcome, forwarded.status);
    if (problem !== undefined || !('result' in outcome)) {
      return { outcome, forwarded: undefined, problem: problem ?? 'the server answered an error' };
    }
    const spool = new Spool(folder, limits.maxResponseBytes);
    if (!(await spool.add(Buffer.from(outcome.result)))) {
      const long = { code: INTERNAL_ERROR, message: 'The result is longer than the proxy sells.' };
      return {
        outcome: { error: JSON.stringify(long) },
        forwarded: undefined,
        problem: 'the result is too long',
      };
    }
    return {
      page: {
        ...{ good: true, whole: true, status: 200, body: await spool.taken(), rest: undefined },
        rawHeaders: ['Content-Type', 'application/json'],
      },
    };
  }

  return { handle };
}

/** What is added to the answer of a free request. */
interface Addition {
  readonly adds: AddedToAnswer | undefined;
  readonly config: ProxyConfig;
  readonly mcp: McpConfig;
}

interface Sale {
  readonly request: ClientRequest;
  readonly call: ToolCall;
  readonly terms: Terms;
}

interface Serving {
  readonly request: ClientRequest;
  readonly call: ToolCall;
  readonly offer: Offer;
  readonly paid: SalePayment;
  readonly transaction: string | undefined;
}

/** What a server sent instead of a result that is sold. */
interface Failure {
  readonly outcome: RpcOutcome;
  /** If it sent no message. */
  readonly forwarded: Forwarded | undefined;
  readonly problem: string;
}

function failedPage({ problem }: Failure): Page {
  return {
    ...{ good: false, whole: true, status: 502, rawHeaders: [], body: undefined },
    ...{ rest: undefined, problem },
  };
}

/** Why an outcome is not sold; `undefined` if it is. */
function problemOf(outcome: RpcOutcome, status: number): string | undefined {
  if (!('result' in outcome)) return 'the server answered an error';
  if (status >= 300) return `the server answered ${status}`;
  const result = membersOf(outcome.result);
  if (result === undefined) return 'the result is not an object';
  if (JSON.parse(result.get('isError') ?? 'false') !== false) return 'the tool failed';
  const type: unknown = JSON.parse(result.get('resultType') ?? '"complete"');
  return type === 'complete' ? undefined : `the result is ${String(type)}`;
}

/** Adds what is known of the payment to the `_meta` of a result, in place of what the tool says about one. */
function withPaidMeta(result: string, paid: Readonly<Record<string, unknown>>): string {
  const members: RawObject = membersOf(result) ?? new Map<string, string>();
  const meta = membersOf(members.get('_meta') ?? '{}') ?? new Map<string, string>();
  const changes = SELLER_META.map((name) => [
    name,
    Object.hasOwn(paid, name) ? JSON.stringify(paid[name]) : undefined,
  ]);
  const changed = withMembers(meta, Object.fromEntries(changes));
  return objectText(new Map(members).set('_meta', objectText(changed)));
}

/** Adds to the result that names a server's capabilities how its tools can be paid. */
function described(result: string): string {
  return Object.entries(SOLD_METHODS.methods).reduce(
    (text, [method, how]) =>
      withValueAt(
        text,
        ['capabilities', 'experimental', 'payment', 'methods', method],
        JSON.stringify(how),
      ),
    result,
  );
}

/** Digest of what is asked for: everything but `_meta`, in which clients write other values each time. */
function digestOf(params: RawObject): string {
  const asked = new Map(params);
  asked.delete('_meta');
  return createHash('sha256')
    .update(canonicalText(objectText(asked)))
    .digest('base64');
}

function refuse(reply: Reply, status: number, id: RequestId | null, message: string): void {
  reply.finish(refusalText({ id, code: INVALID_REQUEST, message }), status);
}

/** Pages on this machine, and those of the proxy's own address. Others could reach a server that listens here only (DNS rebinding). */
function isAllowedOrigin(origin: string | undefined, publicOrigin: string | undefined): boolean {
  if (origin === undefined || origin === publicOrigin) return true;
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(origin);
}

async function readAll(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return undefined;
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += (piece as Buffer).length;
    if (length > limit) return undefined;
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}

/** Aborts when the client has gone. */
function whenClosed(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
