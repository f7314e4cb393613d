import type { IncomingMessage } from 'node:http';
import type { getRequestListener } from '@hono/node-server';
import { ERROR_TABLE, STELLAR_TESTNET } from '../../protocol/index.ts';
import type { Health, Readiness } from '../../protocol/wire/index.ts';
import { type Draining, drained } from '../facilitator/index.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Signers } from '../settlement/index.ts';
import { endpointOf, errorBody } from './errorBodies.ts';
import { type DrainParts, isOperator, NOT_OPERATOR, setDraining } from './operator/index.ts';

/** Answers a request. */
export type Handler = Parameters<typeof getRequestListener>[0];

/**
 * Answers while the service cannot serve yet: `/health` with 200, `/ready` with what the service waits for, and everything else
 * with a refusal. Nothing is read of a payment, so its outcome is unknown: an earlier run may have settled it.
 */
export function waitingApp(
  { sponsor, channels }: Signers,
  reason: Readiness['reasons'][number],
  draining: Draining,
): Handler {
  const health: Health = {
    status: 'ok',
    network: STELLAR_TESTNET,
    reverifyPending: 0,
    channels: { total: channels.length, free: 0 },
    sponsor: { address: sponsor.address, balance: null, reserved: '0' },
  };
  const readiness: Readiness = { status: 'not_ready', reasons: [reason] };
  return (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/health') return Response.json(health);
    if (pathname === '/ready') return Response.json(drained(readiness, draining), { status: 503 });
    const { status } = ERROR_TABLE.not_ready;
    const body = errorBody(endpointOf(pathname), {
      code: 'not_ready',
      detail: reason.message,
      known: { moneyMoved: 'unknown' },
    });
    return Response.json(body, { status, headers: { 'retry-after': '5' } });
  };
}

/** What the operator can ask of a service that cannot serve. */
export interface Operations extends DrainParts {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  readonly operatorToken: string | undefined;
}

/**
 * Answers metrics and `/operator/drain` beside other routes, as long as these answer neither.
 * @param isShown whether a request may use them; all others are left to the other routes
 */
export function withOperations(
  app: Handler,
  { metrics, operatorToken, ...parts }: Operations,
  isShown: (incoming: IncomingMessage) => boolean,
): Handler {
  return async (request, env) => {
    const { pathname, searchParams } = new URL(request.url);
    parts.activity.note(pathname);
    if (!('incoming' in env) || !isShown(env.incoming as IncomingMessage)) return app(request, env);
    if (pathname === '/metrics') {
      const headers = { 'content-type': metrics.contentType };
      return new Response(await metrics.text(), { headers });
    }
    const isDrain = pathname === '/operator/drain' && request.method === 'POST';
    if (!isDrain || operatorToken === undefined) return app(request, env);
    if (!isOperator(request.headers, operatorToken)) {
      const body = { error: 'not_permitted', message: NOT_OPERATOR };
      return Response.json(body, { status: 403, headers: { 'cache-control': 'no-store' } });
    }
    return Response.json(setDraining(parts, searchParams.get('resume')));
  };
}
