import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { isLoopbackHost } from '../../machine/index.ts';
import { type Facilitator, type Rejection, refusalOf, resourceOf } from '../facilitator/index.ts';
import { type Logger, withContext } from '../logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Policies } from '../policies/index.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { createGate, type GateOptions } from './admission.ts';
import { type Answer, refusal, settleAnswer, verifyAnswer } from './answers.ts';
import { mountCatalogPage } from './catalogPage/index.ts';
import { askDiscovery, mountDiscovery } from './discovery/index.ts';
import { endpointOf } from './errorBodies.ts';
import { mountMcp, type OpenMcp } from './mcp/index.ts';
import { openApiText } from './openApi/document.ts';
import { isFromThisMachine, mountOperator, type OperatorParts } from './operator/index.ts';
import { mountPasskeyPage } from './passkeyPage/mountPasskeyPage.ts';
import { mountPolicies } from './policies/mountPolicies.ts';
import { type ReadRequest, readPaymentRequest } from './readPaymentRequest.ts';
import { METHODS, routeOf } from './routes.ts';
import { type Environment, send } from './send.ts';
import { mountSettlements } from './settlements/mountSettlements.ts';
import { mountWellKnown } from './wellKnown/index.ts';

export interface AppParts extends GateOptions, OperatorParts {
  readonly policies: Policies;
  /** Secret for opening passkey requests on this machine; with `undefined`, there is no page for them. */
  readonly passkeyToken: string | undefined;
  /** Opens the tools for agents at `/mcp`; if undefined, the route does not exist. */
  readonly openMcp: OpenMcp | undefined;
  /** Token with which the operator may change the catalog; with `undefined` nobody may. */
  readonly operatorToken: string | undefined;
  /** Whether metrics and the operator's routes are on another port, and not here. */
  readonly hasOperatorPort: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/** Refuses before the payment could be looked up: an earlier request may have settled it. */
function refusalUnseen(path: string, rejection: Rejection): Answer {
  const endpoint = endpointOf(path);
  const isPayment = endpoint === 'verify' || endpoint === 'settle' || endpoint === 'settlements';
  return isPayment
    ? refusal(path, { ...rejection, known: { moneyMoved: 'unknown' } })
    : refusal(path, rejection);
}

/** Refuses a request whose body is not a payment, with what is known of an authorization in it. */
async function refuseUnread(
  { rejection, envelope }: Extract<ReadRequest, { readonly ok: false }>,
  facilitator: Facilitator,
) {
  return facilitator.lookUp(refusalOf(rejection, undefined), envelope);
}

/** Codes for unexpected failures; they keep the shape that the canonical client parses. */
const UNEXPECTED = {
  verify: 'unexpected_verify_error',
  settle: 'unexpected_settle_error',
  settlements: 'internal_error',
  discovery: 'internal_error',
  mcp: 'internal_error',
  other: 'internal_error',
} as const;

const LONGEST_URL = 500;

/** The resource that a payment names, for logs. A buyer wrote it: its length is bounded. */
function resourceIn(read: ReadRequest): string | undefined {
  if (!read.ok) return undefined;
  return resourceOf(read.request.paymentPayload.resource)?.slice(0, LONGEST_URL);
}

async function verify(c: Context<Environment>, { facilitator, metrics }: AppParts) {
  const log = c.get('log');
  const read = await readPaymentRequest(c.env.incoming);
  const outcome = read.ok
    ? await facilitator.verify(read.request, log)
    : ({ status: 'invalid', rejection: await refuseUnread(read, facilitator) } as const);
  metrics.verified(outcome.status === 'valid' ? 'valid' : outcome.rejection.code);
  const resource = resourceIn(read);
  if (outcome.status === 'invalid') {
    const { code, detail, payer } = outcome.rejection;
    log.info({ resource, code, detail, payer }, 'payment refused');
  } else if (read.ok) {
    const { payTo, asset, amount } = read.request.paymentRequirements;
    log.info({ resource, payer: outcome.payer, payTo, asset, amount }, 'verified');
  }
  return send(c, verifyAnswer(outcome));
}

async function settle(c: Context<Environment>, { facilitator, metrics }: AppParts) {
  const log = c.get('log');
  const startedAt = performance.now();
  const caller = { delivered: whenDelivered(c.env), client: c.get('client') };
  const read = await readPaymentRequest(c.env.incoming);
  const outcome = read.ok
    ? await facilitator.settle(read.request, log, caller)
    : ({ status: 'rejected', rejection: await refuseUnread(read, facilitator) } as const);
  const ms = performance.now() - startedAt;
  const rounded = Math.round(ms);
  const resource = resourceIn(read);
  if (outcome.status === 'settled') {
    const { payer, payTo, asset, amount } = outcome.payment;
    const sponsorBalance = facilitator.health().sponsor.balance;
    log.info(
      {
        ...{ resource, hash: outcome.hash, payer, payTo, asset, amount: `${amount}` },
        ...{ sponsorBalance, ms: rounded },
      },
      'settled',
    );
    metrics.settled('settled', ms / 1_000);
  } else {
    const { code, detail, payer } = outcome.rejection;
    const hash = outcome.status === 'rejected' ? undefined : outcome.hash;
    log.warn({ resource, code, detail, payer, hash, ms: rounded }, 'not settled');
    metrics.settled(code, ms / 1_000);
  }
  return send(c, settleAnswer(outcome));
}

/** Answers metrics and the operator's routes. */
function mountForOperator(app: Hono<Environment>, parts: AppParts): void {
  const { metrics, operatorToken } = parts;
  if (operatorToken !== undefined) mountOperator(app, parts, operatorToken);
  app.get('/metrics', async (c) => {
    const headers = { 'content-type': metrics.contentType, ...c.get('headers') };
    return new Response(await metrics.text(), { headers });
  });
}

/** Mounts them beside the public routes: for programs on this machine, unless they have a port of their own. */
function mountOperations(app: Hono<Environment>, parts: AppParts): void {
  const isHidden = (c: Context<Environment>) =>
    parts.hasOperatorPort || !isFromThisMachine(c.env.incoming);
  for (const path of ['/metrics', '/operator/*']) {
    app.use(path, async (c, next) => {
      if (isHidden(c)) return send(c, refusal(c.req.path, { code: 'not_found' }));
      return next();
    });
  }
  mountForOperator(app, parts);
}

function mountProbes(app: Hono<Environment>, facilitator: Facilitator): void {
  app.get('/health', (c) => send(c, { status: 200, body: facilitator.health() }));
  app.get('/ready', (c) => {
    const body = facilitator.readiness();
    return send(c, { status: body.status === 'ready' ? 200 : 503, body });
  });
}

/**
 * Creates the HTTP interface of the operator's own port: probes, metrics and the operator's routes. Requests to it are not
 * limited in rate.
 * @param loopbackNamesOnly whether to answer only requests whose Host names this machine
 */
export function createOperatorApp(parts: AppParts, loopbackNamesOnly: boolean): Hono<Environment> {
  const app = new Hono<Environment>();
  app.use(async (c, next) => {
    c.set('headers', {});
    if (loopbackNamesOnly && !isLoopbackHost(c.req.header('host'))) {
      return send(c, refusal(c.req.path, { code: 'wrong_host' }));
    }
    return next();
  });
  mountProbes(app, parts.facilitator);
  mountForOperator(app, parts);
  app.notFound((c) => send(c, refusal(c.req.path, { code: 'not_found' })));
  app.onError((error, c) => {
    parts.logger.error({ err: error, path: routeOf(c.req.path) }, 'unexpected failure');
    return send(c, refusal(c.req.path, { code: 'internal_error' }));
  });
  return app;
}

/** Whether a body follows the headers (RFC 9112, section 6). */
function carriesBody({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return (headers['content-length'] ?? '0') !== '0';
}

/** Creates the facilitator's HTTP interface. Only this layer knows HTTP; it makes no decisions. */
export function createApp(parts: AppParts): Hono<Environment> {
  const { facilitator, logger, metrics } = parts;
  const app = new Hono<Environment>();
  const nextId = createRequestIds();
  const gate = createGate(parts);

  app.use((c, next) => {
    const { method, path } = c.req;
    const request = { method, route: routeOf(path), headers: c.env.incoming.headers };
    return parts.tracing.request(request, next, () => c.res.status);
  });
  app.use(async (c, next) => {
    const startedAt = performance.now();
    const id = nextId();
    const log = withContext(logger, { request: id });
    c.set('log', log);
    const { path, method } = c.req;
    parts.activity.note(path);
    const peer = c.env.incoming.socket.remoteAddress;
    const { rejection, headers, client, apiKey } = await gate({
      path,
      method,
      peer,
      host: c.req.header('host'),
      forwardedFor: c.req.header('x-forwarded-for'),
      authorization: c.req.header('authorization'),
      origin: c.req.header('origin'),
      fetchSite: c.req.header('sec-fetch-site'),
      contentType: c.req.header('content-type'),
      hasBody: carriesBody(c.env.incoming),
    });
    c.set('headers', { 'x-request-id': id, ...headers });
    c.set('client', client);
    if (apiKey !== undefined) c.set('log', withContext(log, { key: apiKey }));
    if (rejection === undefined) await next();
    else c.res = send(c, refusalUnseen(path, rejection));
    const { status } = c.res;
    const ms = performance.now() - startedAt;
    metrics.request(routeOf(path), status, ms / 1_000);
    log.debug({ method, path: routeOf(path), status, ms: Math.round(ms) }, 'answered');
  });

  app.post('/verify', (c) => verify(c, parts));
  app.post('/settle', (c) => settle(c, parts));
  app.get('/supported', (c) => send(c, { status: 200, body: facilitator.supported() }));
  mountProbes(app, facilitator);
  mountSettlements(app, facilitator);
  mountDiscovery(app, parts.catalog, parts.allowedOrigins);
  const ask = (url: URL) => askDiscovery(parts.catalog, url);
  mountMcp(app, parts, ask);
  const supported = () => facilitator.supported();
  mountWellKnown(app, { supported, ask, hasMcp: parts.openMcp !== undefined });
  mountCatalogPage(app);
  mountPolicies(app, parts.policies, parts.allowedOrigins);
  if (parts.passkeyToken !== undefined) {
    mountPasskeyPage(app, parts.policies.passkeys, parts.passkeyToken);
  }
  app.get('/openapi.json', (c) => {
    const headers = { 'content-type': 'application/json', ...c.get('headers') };
    return new Response(openApiText(), { headers });
  });
  mountOperations(app, parts);

  for (const [path, method] of Object.entries(METHODS)) {
    app.all(path.replace('{hash}', ':hash'), (c) => {
      const answer = refusal(path, { code: 'method_not_allowed' });
      return send(c, { ...answer, headers: { allow: method } });
    });
  }
  app.notFound((c) => send(c, refusal(c.req.path, { code: 'not_found' })));
  app.onError((error, c) => {
    c.get('log').error({ err: error, path: routeOf(c.req.path) }, 'unexpected failure');
    return send(c, refusalUnseen(c.req.path, { code: UNEXPECTED[endpointOf(c.req.path)] }));
  });
  return app;
}

/**
 * Resolves to whether the response to a request reaches its connection: true once it was flushed to a
 * socket that was still open, false as soon as the connection has ended without it. Call it before
 * anything is awaited, so that the end of the connection is not missed.
 */
export function whenDelivered({ incoming, outgoing }: HttpBindings): Promise<boolean> {
  const { socket } = incoming;
  return new Promise((resolve) => {
    const lost = (): void => resolve(false);
    // A client that has closed its sending side may still wait for the response, but the server closes the connection with it.
    socket.once('end', lost);
    socket.once('close', lost);
    outgoing.once('close', lost);
    outgoing.once('finish', () => resolve(!socket.destroyed && socket.errored === null));
    void new Promise<void>((settled) => outgoing.once('close', settled)).then(() => {
      socket.off('end', lost);
      socket.off('close', lost);
    });
  });
}

/**
 * Creates request ids from a few random letters for the process and a counter. An id sent by a client is ignored, so that
 * nobody can write to the log under another client's id.
 */
export function createRequestIds(): () => string {
  const process = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}
