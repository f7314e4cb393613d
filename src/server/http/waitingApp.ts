import type { IncomingMessage } from 'node:http';
import type { getRequestListener } from '@hono/node-server';
import { ERROR_TABLE, STELLAR_TESTNET } from '../../protocol/index.ts';
import type { Health, Readiness } from '../../protocol/wire/index.ts';
import type { Metrics } from '../metrics/index.ts';
import type { Signers } from '../settlement/index.ts';
import { endpointOf, errorBody } from './errorBodies.ts';

/** Answers a request. */
export type Handler = Parameters<typeof getRequestListener>[0];

/**
 * Answers while the service cannot serve yet: `/health` with 200, `/ready` with what the service waits for, and everything else
 * with a refusal. Nothing is read of a payment, so its outcome is unknown: an earlier run may have settled it.
 */
export function waitingApp(
  { sponsor, channels }: Signers,
  reason: Readiness['reasons'][number],
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
    if (pathname === '/ready') return Response.json(readiness, { status: 503 });
    const { status } = ERROR_TABLE.not_ready;
    const body = errorBody(endpointOf(pathname), {
      code: 'not_ready',
      detail: reason.message,
      known: { moneyMoved: 'unknown' },
    });
    return Response.json(body, { status, headers: { 'retry-after': '5' } });
  };
}

/**
 * Answers metrics beside other routes, as long as these answer no metrics themselves.
 * @param isShown whether a request may read them; all others are left to the other routes
 */
export function withMetrics(
  app: Handler,
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  isShown: (incoming: IncomingMessage) => boolean,
): Handler {
  return async (request, env) => {
    const isAsked = new URL(request.url).pathname === '/metrics';
    if (!isAsked || !('incoming' in env) || !isShown(env.incoming as IncomingMessage)) {
      return app(request, env);
    }
    const headers = { 'content-type': metrics.contentType };
    return new Response(await metrics.text(), { headers });
  };
}
