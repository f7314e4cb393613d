import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Facilitator } from '../handlers/facilitator/index.ts';
import { STELLAR_TESTNET, USDC_CONTRACT } from '../protocol/index.ts';
import {
  carriesPayment,
  errorAnswer,
  mppProtocol,
  type Offer,
  type ReceiptKey,
  readTarget,
  type SalePayment,
  type SellerAnswer,
  type SellerProtocol,
  type SellerRequest,
  type Sold,
  sell,
  type Target,
  withReceipts,
  x402Protocol,
} from '../seller/index.ts';
import { clientAddress, clientKey } from '../server/http/rateLimit/index.ts';
import {
  MAX_TIMEOUT_SECONDS,
  type McpConfig,
  type ProxyConfig,
  type Terms,
} from './config/config.ts';
import { plainPath } from './config/readConfig.ts';
import { type Outcome, openCounters } from './counters.ts';
import { didAnswer, discoveryAnswer } from './discovery.ts';
import { clientHeaders, EXPOSED, type Origin, paymentHeaders, upstreamHeaders } from './headers.ts';
import type { McpBackend } from './mcp/backend.ts';
import { type McpSeller, mcpSeller } from './mcp/mcpSeller.ts';
import { openBackend } from './mcp/openBackend.ts';
import { headersOf, type Page } from './page.ts';
import { PAGE_BASE, type PayPageOptions, payPage } from './payPage.ts';
import { priceOf, priceQuestions } from './price.ts';
import { findRoute, type Params } from './routes.ts';
import type { SalesStore } from './salesStore.ts';
import { ownPage, restOf, serveUpstream } from './serveUpstream.ts';
import { discard, Spool, type StoredBody, streamOf } from './spool.ts';

import { connectUpstream, type Upstream } from './upstream.ts';

/** Where the proxy writes what happens. */
export interface ProxyLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface ProxyOptions {
  readonly config: ProxyConfig;
  readonly facilitator: Facilitator;
  readonly sales: SalesStore;
  /** Key of the HMAC over what the upstream learns about a payment. */
  readonly secret: string;
  /** Signs offers and receipts, if the configuration turns them on. */
  readonly receiptKey?: ReceiptKey | undefined;
  /** Folder of long bodies. */
  readonly folder: string;
  readonly log: ProxyLog;
  /** What pays in the page that browsers get. Without it, the page says how to pay from the command line. */
  readonly payPage?: Omit<PayPageOptions, 'elapsed'> | undefined;
  readonly host: string;
  readonly port: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds of a clock that does not jump. */
  readonly elapsed: () => number;
}

export interface RunningProxy {
  readonly url: string;
  readonly port: number;
  /**
   * Replaces the configuration; requests that are under way end with theirs.
   * @param receiptKey if the proxy has none so far, and receipts are turned on
   */
  reload(config: ProxyConfig, receiptKey?: ReceiptKey): void;
  /** Accepts no new connections, and waits for the requests that are under way. */
  close(): Promise<void>;
}

/** A payment is a few kilobytes of base64 in one header. */
const MAX_HEADER_BYTES = 64 << 10;
const HEADERS_MS = 10_000;
const REQUEST_MS = 300_000;
const KEEP_ALIVE_MS = 75_000;
const MAX_CONNECTIONS = 10_000;
/** How long requests that are under way may take when the proxy ends. */
const CLOSE_MS = 30_000;

/** The configuration with what is derived from it. */
interface Live {
  readonly config: ProxyConfig;
  readonly upstream: Upstream;
  /** In the order in which they are offered. */
  readonly protocols: readonly SellerProtocol[];
  /** Signs offers and receipts; `undefined` if they are off. */
  readonly receiptKey: ReceiptKey | undefined;
  readonly askPrice: ReturnType<typeof priceQuestions>;
  readonly mcp: { readonly backend: McpBackend; readonly seller: McpSeller } | undefined;
}

/** One request, with what every step needs. */
interface Exchange {
  readonly live: Live;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  readonly origin: Origin;
  readonly publicOrigin: string;
  /** Whether the client waits for `100 Continue`. */
  readonly expects: boolean;
  /** For the line in the log. */
  readonly facts: { outcome: Outcome; [name: string]: unknown };
}

/** Starts a proxy. @throws Error if it cannot listen */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { facilitator, sales, secret, folder, log, now, elapsed } = options;
  const inPage = options.payPage && payPage({ ...options.payPage, elapsed });
  const counters = openCounters(() => sales.owed());
  const upstreams = new Map<string, Upstream>();
  // One secret is kept. The API may have it too, but a challenge that the proxy would not make itself buys nothing.
  const challengeKey = createHmac('sha256', secret).update('ids of MPP challenges').digest('hex');
  const spoken = { x402: x402Protocol, mpp: mppProtocol({ secret: challengeKey, now }) };
  const tools = new Map<string, NonNullable<Live['mcp']>>();
  let live = enter(options.config, options.receiptKey);
  let isClosing = false;

  function enter(config: ProxyConfig, key: ReceiptKey | undefined): Live {
    const url = config.upstream ?? mcpUrl(config.mcp) ?? NOWHERE;
    const upstreamKey = `${url.href} ${config.limits.timeoutMs}`;
    const upstream = upstreams.get(upstreamKey) ?? connectUpstream(url, config.limits.timeoutMs);
    upstreams.set(upstreamKey, upstream);
    const receiptKey = config.receipts ? key : undefined;
    if (config.receipts && receiptKey === undefined) throw new Error('receipts need a key');
    const x402 =
      receiptKey === undefined ? x402Protocol : withReceipts(x402Protocol, receiptKey, now);
    const askPrice = priceQuestions(upstream, config, elapsed);
    const protocols = config.protocols.map((name) => (name === 'x402' ? x402 : spoken[name]));
    const mcp = enterMcp(config, upstream);
    return { config, upstream, protocols, receiptKey, askPrice, mcp };
  }

  /** The sessions of an MCP server outlive a change of its prices. */
  function enterMcp({ mcp, limits }: ProxyConfig, upstream: Upstream): Live['mcp'] {
    if (mcp === undefined) return undefined;
    const key = JSON.stringify([mcp.upstream, limits]);
    const known = tools.get(key);
    if (known !== undefined) return known;
    const backend = openBackend(mcp.upstream, { upstream, limits, log, elapsed });
    const upstreamPath = mcp.upstream.kind === 'http' ? mcp.upstream.url.pathname : mcp.path;
    const entered = {
      backend,
      seller: mcpSeller({
        ...{
          backend,
          facilitator,
          sales,
          counters,
          spoken,
          secret,
          upstreamPath,
          folder,
          log,
          now,
        },
      }),
    };
    tools.set(key, entered);
    return entered;
  }

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    expects: boolean,
  ): Promise<void> {
    const started = elapsed();
    const id = randomUUID();
    const host = request.headers.host ?? '';
    const { config } = live;
    const hops = config.trustedHops > 0;
    const forwarded = hops ? String(request.headers['x-forwarded-for'] ?? '') : '';
    const protocol = hops && request.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
    const exchange: Exchange = {
      ...{ live, request, response, expects },
      target: readTarget(request.url ?? ''),
      origin: {
        address: request.socket.remoteAddress ?? '',
        host,
        protocol,
        forwardedFor: forwarded,
      },
      publicOrigin: config.publicOrigin ?? `${protocol}://${host}`,
      facts: { outcome: 'error' },
    };
    try {
      await route(exchange);
    } catch (error) {
      log.error({ id, err: error }, 'request failed');
      if (!response.headersSent) {
        answer(
          exchange,
          errorAnswer(500, 'proxy_failed', 'The proxy failed. Send the identical request again.'),
        );
      } else response.destroy();
    } finally {
      const { facts } = exchange;
      counters.request(facts.outcome, (elapsed() - started) / 1_000);
      const { path } = exchange.target;
      const ms = Math.round(elapsed() - started);
      log.info(
        { id, method: request.method, path, status: response.statusCode, ms, ...facts },
        'request',
      );
    }
  }

  async function route(exchange: Exchange): Promise<void> {
    const {
      request,
      target,
      facts,
      live: { config },
    } = exchange;
    const { method = '' } = request;
    if (hostsOf(request) > 1) {
      facts.outcome = 'refused';
      const message = 'The request names several hosts, of which servers choose different ones.';
      return answer(exchange, errorAnswer(400, 'several_hosts', message));
    }
    if (target.path.startsWith('/-/')) return own(exchange);
    const { mcp } = exchange.live;
    if (mcp !== undefined && config.mcp !== undefined) {
      if (target.problems.length === 0 && plainPath(target.path) === config.mcp.path) {
        return mcp.seller.handle(exchange, config, config.mcp);
      }
      facts.outcome = 'closed';
      const message = `The MCP server is at ${config.mcp.path}.`;
      return answer(exchange, errorAnswer(404, 'not_sold', message));
    }
    const access = findRoute(config.routes, {
      method,
      target,
      contentType: request.headers['content-type'],
    });
    switch (access.kind) {
      case 'route':
        facts['route'] = access.route.text;
        return access.route.about === undefined
          ? free(exchange)
          : sold(exchange, access.route.about, access.params);
      case 'otherwise':
        return otherwise(exchange);
      case 'head':
        facts.outcome = 'own';
        // It cannot be paid for, and shows nothing of the resource.
        return answer(exchange, {
          status: 200,
          headers: [['cache-control', 'no-store']],
          body: '',
        });
      case 'options':
        facts.outcome = 'own';
        return options204(exchange, access.methods);
      case 'method':
        facts.outcome = 'closed';
        return answer(
          exchange,
          errorAnswer(405, 'method_not_sold', 'This path is sold for other methods.', [
            ['allow', access.methods.join(', ')],
          ]),
        );
      case 'ambiguous':
        facts.outcome = 'refused';
        return answer(
          exchange,
          errorAnswer(
            400,
            'ambiguous_path',
            `Servers read this request differently (${access.why}), so it is not forwarded. Send the plain spelling.`,
          ),
        );
    }
  }

  async function otherwise(exchange: Exchange): Promise<void> {
    const {
      request,
      target,
      facts,
      live: { config },
    } = exchange;
    const { otherwise: rule } = config;
    const { method } = request;
    if (method === 'GET' && /^\/(?:\.well-known\/x402|openapi\.json)$/.test(target.path))
      return discovery(exchange);
    if (method === 'GET' && target.path === '/.well-known/did.json') {
      const document = receiptDocument(exchange.live);
      if (document !== undefined) {
        facts.outcome = 'own';
        return answer(exchange, document);
      }
    }
    if (rule === 'free') return free(exchange);
    if (rule !== 'closed') {
      if (method === 'OPTIONS') {
        facts.outcome = 'own';
        return options204(exchange, ['*']);
      }
      if (method === 'HEAD') {
        facts.outcome = 'own';
        return answer(exchange, {
          status: 200,
          headers: [['cache-control', 'no-store']],
          body: '',
        });
      }
      return sold(exchange, rule, {});
    }
    facts.outcome = 'closed';
    answer(exchange, errorAnswer(404, 'not_sold', 'Nothing is sold or free at this path.'));
  }

  /** Answers a preflight of a browser, and other questions for the methods of a sold path, without the upstream. */
  function options204(exchange: Exchange, methods: readonly string[]): void {
    const allowed = methods.includes('*') ? 'GET, POST, PUT, PATCH, DELETE' : methods.join(', ');
    const wanted = exchange.request.headers['access-control-request-headers'];
    const preflight: SellerAnswer['headers'] =
      exchange.request.headers['access-control-request-method'] === undefined
        ? []
        : [
            ['access-control-allow-methods', allowed],
            ['access-control-allow-headers', wanted ?? '*'],
            ['access-control-max-age', '600'],
          ];
    answer(exchange, {
      status: 204,
      headers: [['allow', `${allowed}, HEAD, OPTIONS`], ...preflight],
      body: '',
    });
  }

  /** `/-/health`, `/-/ready`, `/-/metrics`, and what the page for people needs. */
  async function own(exchange: Exchange): Promise<void> {
    const { request, response, target, origin, facts, live } = exchange;
    facts.outcome = 'own';
    if (target.path.startsWith(`${PAGE_BASE}/`) && inPage && live.config.page) {
      const { address, forwardedFor } = origin;
      const client = clientAddress(address, forwardedFor || undefined, live.config.trustedHops);
      return inPage(target.path, clientKey(client ?? ''), request, response);
    }
    if (target.path === '/-/health') return json(exchange, 200, { status: 'ok' });
    if (target.path === '/-/ready') {
      const reasons = await notReady(exchange.live);
      return json(exchange, reasons.length === 0 ? 200 : 503, {
        status: reasons.length === 0 ? 'ready' : 'not_ready',
        reasons,
      });
    }
    // Figures about the business are for this machine only.
    const isLocal = /^(?:::ffff:)?127\.|^::1$/.test(origin.address);
    if (
      target.path === '/-/metrics' &&
      isLocal &&
      request.headers['x-forwarded-for'] === undefined
    ) {
      const text = await counters.text();
      return answer(exchange, {
        status: 200,
        headers: [['content-type', 'text/plain; version=0.0.4']],
        body: text,
      });
    }
    json(exchange, 404, { error: 'not_found', message: 'No such path.' });
  }

  async function notReady({
    upstream,
    mcp,
  }: Live): Promise<readonly { readonly code: string; readonly message: string }[]> {
    const reasons: { code: string; message: string }[] = [];
    if (isClosing) reasons.push({ code: 'stopping', message: 'The proxy is ending.' });
    const ready = await fetch(`${facilitator.url}/ready`, {
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined);
    // Facilitators of others have no such route; what they support is asked instead.
    const settles =
      ready?.status === 404 ? (await facilitator.extra()) !== undefined : ready?.ok === true;
    if (!settles)
      reasons.push({
        code: 'facilitator_unavailable',
        message: 'The facilitator would not settle now.',
      });
    await sales.recall({ key: 'readiness', request: '' }).catch(() => {
      reasons.push({ code: 'store_unavailable', message: 'The sales cannot be read.' });
    });
    if (mcp !== undefined) {
      const problem = await mcp.backend.problem();
      if (problem !== undefined) reasons.push({ code: 'upstream_unreachable', message: problem });
      return reasons;
    }
    const probe = {
      method: 'HEAD',
      target: '/',
      headers: ['Host', upstream.host],
      body: undefined,
    };
    await upstream.send({ ...probe, signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.resume(),
      () =>
        reasons.push({
          code: 'upstream_unreachable',
          message: 'The API behind this proxy does not answer.',
        }),
    );
    return reasons;
  }

  /** The upstream's own document if it has one, else the proxy's. */
  async function discovery(exchange: Exchange): Promise<void> {
    const {
      live: { config, upstream },
      target,
      publicOrigin,
      facts,
      request,
    } = exchange;
    const page = await fromUpstream(exchange, request.method ?? '', undefined);
    if (page.status === 200) {
      facts.outcome = 'free';
      return void (await deliver(exchange, page, [], false));
    }
    page.rest?.destroy();
    facts.outcome = 'own';
    answer(exchange, discoveryAnswer(target.path, config, publicOrigin, upstream.host));
  }

  /** Forwards a request that has no price, once its body is whole: slow clients hold no connection to the API. */
  async function free(exchange: Exchange): Promise<void> {
    const { request, facts } = exchange;
    facts.outcome = 'free';
    const body = hasBody(request) ? await stored(exchange) : undefined;
    if (body === 'too_large') return tooLarge(exchange);
    try {
      const page = await fromUpstream(exchange, request.method ?? '', body);
      await deliver(exchange, page, [], false);
    } finally {
      if (body !== undefined) await discard(body);
    }
  }

  /** Sends a request upstream, and returns its answer as it arrives. */
  async function fromUpstream(
    { request, response, target, origin, live: { upstream } }: Exchange,
    method: string,
    body: StoredBody | undefined,
  ): Promise<Page> {
    try {
      const answered = await upstream.send({
        method,
        target: `${target.path}${target.query}`,
        headers: upstreamHeaders(
          request.rawHeaders,
          origin,
          upstream.host,
          lengthHeader(method, body),
        ),
        body: body === undefined || body.length === 0 ? undefined : () => streamOf(body),
        onHints: (link) => response.writeEarlyHints({ link }),
        signal: whenClosed(response),
      });
      const pieces: AsyncIterator<Buffer> = answered[Symbol.asyncIterator]();
      return {
        ...{
          good: true,
          whole: false,
          status: answered.statusCode ?? 502,
          rawHeaders: answered.rawHeaders,
        },
        ...{ body: undefined, rest: restOf(answered, pieces) },
      };
    } catch (error) {
      const why = error instanceof Error ? error.message : 'no answer';
      return ownPage(502, 'upstream_unreachable', 'The API behind this proxy did not answer.', why);
    }
  }

  function tooLarge(exchange: Exchange): void {
    exchange.facts.outcome = 'refused';
    answer(
      exchange,
      errorAnswer(
        413,
        'body_too_large',
        'The body of the request is longer than the proxy forwards.',
        [['connection', 'close']],
      ),
    );
  }

  /** Sells a request. */
  async function sold(exchange: Exchange, terms: Terms, params: Params): Promise<void> {
    const {
      request,
      live: { config, protocols, askPrice },
      target,
      facts,
    } = exchange;
    const header = (name: string): string | undefined => {
      const value = request.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(', ') : value;
    };
    const bodies: (StoredBody | 'too_large')[] = [];
    const body = async (): Promise<StoredBody | undefined> => {
      if (bodies.length === 0) bodies.push(await stored(exchange));
      const [read] = bodies;
      if (read === 'too_large') throw new TooLarge();
      return read;
    };
    try {
      const extra = await facilitator.extra();
      if (extra === undefined) {
        facts.outcome = 'refused';
        return answer(
          exchange,
          errorAnswer(
            503,
            'facilitator_unavailable',
            'The facilitator does not answer, so nothing is sold now. Nothing was taken.',
            [['retry-after', '5']],
          ),
        );
      }
      const quote = await priceOf(
        terms.price,
        { query: target.query, params, header, body },
        askPrice,
      );
      if (!quote.ok) {
        facts.outcome = 'refused';
        return answer(exchange, errorAnswer(quote.status, quote.error, quote.message));
      }
      const isNeeded =
        carriesPayment(header, protocols) || (protocols.includes(spoken.mpp) && isShort(exchange));
      const bodyDigest = isNeeded ? ((await body())?.digest ?? '') : '';
      const offer: Offer = {
        ...{
          network: STELLAR_TESTNET,
          asset: USDC_CONTRACT,
          amount: quote.amount,
          payTo: config.payTo,
          extra,
        },
        ...{
          maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
          extensions: terms.extensions,
          settle: terms.settle,
        },
        page: config.page && {
          ...config.page,
          nonce: randomBytes(16).toString('base64'),
          base: inPage && PAGE_BASE,
        },
        resource: {
          url: `${exchange.publicOrigin}${target.path}${target.query}`,
          ...(terms.description === undefined ? {} : { description: terms.description }),
          ...(terms.mimeType === undefined ? {} : { mimeType: terms.mimeType }),
          ...(config.serviceName === undefined ? {} : { serviceName: config.serviceName }),
          ...(terms.tags === undefined ? {} : { tags: terms.tags }),
        },
      };
      const asked: SellerRequest = {
        ...{
          method: request.method ?? '',
          target: `${target.path}${target.query}`,
          bodyDigest,
          header,
        },
      };
      const result = await sell<Page>(offer, asked, {
        protocols,
        book: sales,
        ask: (call) => facilitator.ask(call),
        serve: (paid, transaction) => serve(exchange, offer, paid, transaction, bodies),
        pause: (ms) => pause(ms),
        onError: (error) => log.error({ err: error }, 'a sale could not be stored'),
      });
      await finish(exchange, result);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      tooLarge(exchange);
    } finally {
      for (const each of bodies) if (each !== 'too_large') await discard(each);
    }
  }

  /** Reads the body of a request: one that is free, pays, or whose price counts something in it. */
  async function stored({
    request,
    response,
    expects,
    live: { config },
  }: Exchange): Promise<StoredBody | 'too_large'> {
    const spool = new Spool(folder, config.limits.maxRequestBytes);
    if (Number(request.headers['content-length'] ?? 0) > config.limits.maxRequestBytes)
      return 'too_large';
    if (expects) response.writeContinue();
    try {
      for await (const piece of request) {
        if (!(await spool.add(piece as Buffer))) {
          await spool.drop();
          return 'too_large';
        }
      }
    } catch (error) {
      await spool.drop();
      throw error;
    }
    return spool.taken();
  }

  async function serve(
    { request, target, origin, live: { upstream, config }, response }: Exchange,
    { asset, settle }: Offer,
    paid: SalePayment,
    transaction: string | undefined,
    bodies: readonly (StoredBody | 'too_large')[],
  ): Promise<Page> {
    const { method = '' } = request;
    const path = `${target.path}${target.query}`;
    const [body] = bodies;
    const whole =
      body === undefined || body === 'too_large' || body.length === 0 ? undefined : body;
    const facts = {
      ...{ paid, asset, transaction: transaction ?? '', method },
      ...{ target: upstream.pathOf(path), time: Math.floor(now() / 1_000) },
    };
    const isSettled = settle === 'before' || transaction !== undefined;
    return serveUpstream(
      upstream,
      {
        ...{ method, target: path },
        headers: upstreamHeaders(request.rawHeaders, origin, upstream.host, [
          ...lengthHeader(method, whole),
          ...paymentHeaders(facts, secret),
        ]),
        body: whole === undefined ? undefined : () => streamOf(whole),
        // A response that is kept is fetched to its end, whether or not its buyer still waits.
        signal: isSettled
          ? whenClosed(response)
          : AbortSignal.timeout(config.limits.timeoutMs + config.limits.holdMs),
      },
      {
        folder,
        maxBytes: config.limits.maxResponseBytes,
        holdMs: config.limits.holdMs,
        isSettled,
        path,
      },
    );
  }

  async function finish(exchange: Exchange, result: Sold<Page>): Promise<void> {
    const { facts, target } = exchange;
    switch (result.kind) {
      case 'answer':
        facts.outcome = result.reason === 'unpaid' ? 'unpaid' : 'refused';
        facts['reason'] = result.reason;
        return answer(exchange, result.answer);
      case 'failed':
        facts.outcome = result.owed ? 'owed' : 'failed';
        facts['reason'] = result.response.problem;
        await deliver(exchange, result.response, result.headers, true);
        return;
      case 'sold': {
        facts.outcome = result.repeated ? 'repeated' : 'sold';
        facts['payer'] = result.paid.payer;
        facts['transaction'] = result.transaction;
        if (!result.repeated) counters.sale(result.paid.payment.amount);
        if (!result.response.whole)
          log.info({ path: target.path }, 'settled before the end of a streamed response');
        const how = await deliver(exchange, result.response, result.headers, true);
        if (how === 'broken') {
          facts.outcome = 'owed';
          log.warn(
            { path: target.path, transaction: result.transaction },
            'a paid response broke off: it is owed',
          );
        }
        await result.ended(how);
      }
    }
  }

  /** Sends the proxy's own answer. */
  function answer({ request, response }: Exchange, { status, headers, body }: SellerAnswer): void {
    const { origin } = request.headers;
    const cors: readonly (readonly [string, string])[] =
      origin === undefined
        ? []
        : [
            ['access-control-allow-origin', '*'],
            ['access-control-expose-headers', EXPOSED],
          ];
    const length: readonly (readonly [string, string])[] =
      status === 204 ? [] : [['content-length', String(Buffer.byteLength(body))]];
    response.writeHead(status, [...headers, ...cors, ...length].flat());
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  function json(exchange: Exchange, status: number, body: object): void {
    const headers: SellerAnswer['headers'] = [
      ['content-type', 'application/json'],
      ['cache-control', 'no-store'],
    ];
    answer(exchange, { status, headers, body: JSON.stringify(body) });
  }

  /** Sends a page. @returns `broken` if the upstream's part broke off */
  async function deliver(
    { request, response, live: { upstream }, publicOrigin }: Exchange,
    page: Page,
    headers: SellerAnswer['headers'],
    isSold: boolean,
  ): Promise<'delivered' | 'broken'> {
    const bodiless = page.status === 204 || page.status === 304;
    response.writeHead(
      page.status,
      clientHeaders(page.rawHeaders, {
        ...{ headers, sold: isSold, pageOrigin: request.headers.origin },
        ...{ upstreamOrigin: upstream.origin, publicOrigin },
        length: page.rest === undefined && !bodiless ? (page.body?.length ?? 0) : undefined,
      }),
    );
    try {
      if (page.body !== undefined && page.body.length > 0 && request.method !== 'HEAD') {
        for await (const piece of streamOf(page.body)) await write(response, piece as Buffer);
      }
      const { rest } = page;
      if (rest !== undefined) {
        for (let read = await rest.pieces.next(); !read.done; read = await rest.pieces.next()) {
          await write(response, read.value);
          if (response.destroyed) break;
        }
        const trailers = rest.trailers();
        if (trailers.length > 0 && !response.destroyed) {
          response.addTrailers(Object.fromEntries(headersOf(trailers)));
        }
      }
    } catch {
      page.rest?.destroy();
      // The client must not take what arrived for the whole.
      const left = response.destroyed;
      response.destroy();
      return left ? 'delivered' : 'broken';
    } finally {
      if (response.destroyed) page.rest?.destroy();
      // A file that is not kept belongs to this response alone.
      if (page.rest !== undefined && page.body !== undefined) await discard(page.body);
    }
    response.end();
    return 'delivered';
  }

  const server: Server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    noDelay: true,
  });
  server.maxConnections = MAX_CONNECTIONS;
  // Node counts a connection that never sent a request as busy: clients open such ones.
  const idle = new Set<Socket>();
  server.on('connection', (socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
  });
  const busy = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    idle.delete(socket);
    response.once('close', () => {
      if (isClosing) socket.destroySoon();
      else if (!socket.destroyed) idle.add(socket);
    });
  };
  server.on('request', busy);
  server.on('checkContinue', busy);
  server.on('request', (request, response) => void handle(request, response, false));
  server.on('checkContinue', (request, response) => void handle(request, response, true));
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const name = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${name}:${port}`,
    port,
    reload(config, receiptKey) {
      live = enter(config, receiptKey ?? live.receiptKey ?? options.receiptKey);
    },
    async close() {
      isClosing = true;
      const closed = once(server, 'close');
      server.close();
      for (const socket of idle) socket.destroy();
      for (const { backend } of tools.values()) backend.endStreams();
      const cut = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
      await closed;
      clearTimeout(cut);
      await Promise.all([...tools.values()].map(({ backend }) => backend.close()));
      for (const upstream of upstreams.values()) upstream.close();
    },
  };
}

/** The document of `did:web` that names the key of receipts; `undefined` if there is none. */
function receiptDocument({ config, receiptKey }: Live): SellerAnswer | undefined {
  // The method asks for it over HTTPS alone.
  if (receiptKey === undefined || !config.publicOrigin?.startsWith('https:')) return undefined;
  return didAnswer(config.publicOrigin, receiptKey.publicKey);
}

/** Longest body whose digest is in the challenge, in bytes. Longer ones are not read before a payment comes with them. */
const MAX_DIGESTED_BYTES = 64 << 10;

/** Whether the body of a request is read for its price, so that the challenge names its digest. */
function isShort({ request: { headers }, expects }: Exchange): boolean {
  const { 'content-length': length } = headers;
  return length !== undefined && Number(length) <= MAX_DIGESTED_BYTES && !expects;
}

/** Where a proxy for a local program forwards HTTP requests: it has none that it forwards. */
const NOWHERE = new URL('http://127.0.0.1:9');

function mcpUrl(mcp: McpConfig | undefined): URL | undefined {
  return mcp?.upstream.kind === 'http' ? mcp.upstream.url : undefined;
}

/** The body of a request is longer than the proxy forwards. */
class TooLarge extends Error {}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/** How many `Host` headers a request has. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
}

/** The length of a body that is whole. A request whose method usually has a body says that it has none. */
function lengthHeader(method: string, body: StoredBody | undefined): (readonly [string, string])[] {
  if (body !== undefined && body.length > 0) return [['Content-Length', String(body.length)]];
  return /^(?:POST|PUT|PATCH)$/.test(method) ? [['Content-Length', '0']] : [];
}

/** Aborts when the client has gone. */
function whenClosed(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

async function write(response: ServerResponse, piece: Buffer): Promise<void> {
  if (response.destroyed) throw new Error('the client has gone');
  if (response.write(piece)) return;
  const done = new AbortController();
  const { signal } = done;
  await Promise.race([
    once(response, 'drain', { signal }),
    once(response, 'close', { signal }),
  ]).finally(() => done.abort());
}
