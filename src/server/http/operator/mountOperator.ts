import { timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { readBody } from '../../../machine/index.ts';
import type { Drained, OperatorStatus } from '../../../protocol/wire/index.ts';
import { type Catalog, OPERATOR_ACTIONS, readTarget } from '../../catalog/index.ts';
import type { Draining, Facilitator } from '../../facilitator/index.ts';
import { MAX_BODY_BYTES } from '../bodyLimit.ts';
import { type Environment, send } from '../send.ts';
import type { Activity } from './activity.ts';
import type { RpcCalls } from './rpcCalls.ts';

type C = Context<Environment>;

const MAX_REASON = 1_000;
const JOURNAL_PAGE = 100;
const MAX_JOURNAL_PAGE = 1_000;

const operationSchema = z.object({
  action: z.enum(OPERATOR_ACTIONS),
  target: z.string(),
  reason: z.string().max(MAX_REASON).default(''),
});

function refuse(c: C, status: 400 | 403, error: string, message: string): Response {
  return send(c, { status, body: { error, message }, headers: { 'cache-control': 'no-store' } });
}

/** Requires that the caller is the operator: a program that can read `service.json`, never a web page. */
export function isOperator(headers: Headers, secret: string): boolean {
  if (headers.has('origin') || headers.has('sec-fetch-site')) return false;
  const shown = Buffer.from(headers.get('authorization') ?? '');
  const expected = Buffer.from(`Bearer ${secret}`);
  return shown.length === expected.length && timingSafeEqual(shown, expected);
}

async function readOperation(c: C): Promise<unknown> {
  const read = await readBody(c.env.incoming, MAX_BODY_BYTES);
  if (read.status !== 'whole') return undefined;
  try {
    return JSON.parse(read.text);
  } catch {
    return undefined;
  }
}

async function operate(c: C, catalog: Catalog): Promise<Response> {
  const parsed = operationSchema.safeParse(await readOperation(c));
  if (!parsed.success) {
    return refuse(
      c,
      400,
      'invalid_request',
      `Send action (${OPERATOR_ACTIONS.join(', ')}), target and, if you like, reason.`,
    );
  }
  const { action, reason } = parsed.data;
  const target = readTarget(parsed.data.target);
  if (target === undefined) {
    return refuse(
      c,
      400,
      'invalid_request',
      'The target is neither a URL nor an address (G…, C…).',
    );
  }
  const { gone, changed } = await catalog.operate({ action, target, reason });
  return send(c, { status: 200, body: { action, target, removed: gone, changed } });
}

/** What a caller is answered that is not the operator. */
export const NOT_OPERATOR = 'Send `authorization: Bearer` with operatorToken of service.json.';

/** What `drain` changes and reports, whether or not the service can serve. */
export interface DrainParts {
  readonly draining: Draining;
  readonly activity: Activity;
  /** How many requests and recovered settlements are in flight here. */
  readonly inFlight: () => number;
}

/** Drains this instance, or accepts payments again. @param resumes the parameter `resume` of the request, if any */
export function setDraining(
  { draining, activity, inFlight }: DrainParts,
  resumes: string | null | undefined,
): Drained {
  draining.set(resumes == null);
  return { draining: draining.isOn, here: inFlight(), idleMs: activity.idleMs() };
}

/** What the operator's routes use. */
export interface OperatorParts extends DrainParts {
  readonly facilitator: Facilitator;
  readonly catalog: Catalog;
  readonly rpcCalls: RpcCalls;
}

async function status({ facilitator, rpcCalls }: OperatorParts): Promise<OperatorStatus> {
  const { rpc, ...known } = await facilitator.status();
  return { ...known, rpc: { ...rpc, ...rpcCalls.lastMinute() } };
}

/**
 * Serves the requests of `svc-x402 catalog` (changes to the catalog, its rules and its journal) and of
 * `svc-x402 facilitator status` and `drain`.
 * @param secret `operatorToken` of the service's own file
 */
export function mountOperator(app: Hono<Environment>, parts: OperatorParts, secret: string): void {
  const { catalog } = parts;
  app.use('/operator/*', async (c, next) => {
    if (isOperator(c.req.raw.headers, secret)) return next();
    return refuse(c, 403, 'not_permitted', NOT_OPERATOR);
  });
  app.get('/operator/status', async (c) => send(c, { status: 200, body: await status(parts) }));
  app.post('/operator/drain', (c) =>
    send(c, { status: 200, body: setDraining(parts, c.req.query('resume')) }),
  );
  app.post('/operator/catalog', (c) => operate(c, catalog));
  app.get('/operator/catalog', async (c) => {
    const asked = Number(c.req.query('limit') ?? JOURNAL_PAGE);
    const limit =
      Number.isInteger(asked) && asked > 0 ? Math.min(asked, MAX_JOURNAL_PAGE) : JOURNAL_PAGE;
    const [rules, journal] = await Promise.all([catalog.rules(), catalog.journal(limit)]);
    return send(c, { status: 200, body: { rules, journal } });
  });
}
