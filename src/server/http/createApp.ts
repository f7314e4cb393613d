import { Hono } from 'hono';
import { ERROR_TABLE } from '../../protocol/index.ts';
import type { Facilitator, Rejection } from '../facilitator/index.ts';
import type { Logger } from '../logger.ts';
import { type Answer, settleAnswer, verifyAnswer } from './answers.ts';
import { type Endpoint, errorBody } from './errorBodies.ts';
import { readPaymentRequest } from './readPaymentRequest.ts';

function refusal(endpoint: Endpoint, rejection: Rejection): Answer {
  return {
    status: ERROR_TABLE[rejection.code].status,
    body: errorBody(endpoint, rejection),
  };
}

function endpointOf(path: string): Endpoint {
  return path === '/verify' ? 'verify' : path === '/settle' ? 'settle' : 'other';
}

/** Codes for what the service did not foresee; they keep the shape the canonical client parses. */
const UNEXPECTED = {
  verify: 'unexpected_verify_error',
  settle: 'unexpected_settle_error',
  other: 'internal_error',
} as const;

/** The HTTP face of the facilitator. It alone knows HTTP; it decides nothing. */
export function createApp(facilitator: Facilitator, logger: Logger): Hono {
  const app = new Hono();
  // A body given as text goes out as it is; `Response.json` would pass through a stream.
  const send = ({ status, body, headers }: Answer): Response =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });

  app.post('/verify', async (c) => {
    const read = await readPaymentRequest(c);
    if (!read.ok) return send(refusal('verify', read.rejection));
    const outcome = await facilitator.verify(read.request);
    if (outcome.status === 'invalid') {
      const { code, detail, payer } = outcome.rejection;
      logger.info({ code, detail, payer }, 'payment refused');
    }
    return send(verifyAnswer(outcome));
  });

  app.post('/settle', async (c) => {
    const read = await readPaymentRequest(c);
    if (!read.ok) return send(refusal('settle', read.rejection));
    const startedAt = performance.now();
    const outcome = await facilitator.settle(read.request);
    const ms = Math.round(performance.now() - startedAt);
    if (outcome.status === 'settled') {
      const { payer, payTo, asset, amount } = outcome.payment;
      logger.info({ hash: outcome.hash, payer, payTo, asset, amount: `${amount}`, ms }, 'settled');
    } else {
      const { code, detail, payer } = outcome.rejection;
      const hash = outcome.status === 'rejected' ? undefined : outcome.hash;
      logger.warn({ code, detail, payer, hash, ms }, 'not settled');
    }
    return send(settleAnswer(outcome));
  });

  app.get('/supported', (c) => c.json(facilitator.supported()));
  app.get('/health', (c) => c.json(facilitator.health()));

  const ALLOWED = { '/verify': 'POST', '/settle': 'POST', '/supported': 'GET', '/health': 'GET' };
  for (const [path, method] of Object.entries(ALLOWED)) {
    app.all(path, () => {
      const answer = refusal(endpointOf(path), { code: 'method_not_allowed' });
      return send({ ...answer, headers: { allow: method } });
    });
  }
  app.notFound(() => send(refusal('other', { code: 'not_found' })));
  app.onError((error, c) => {
    logger.error({ err: error, path: c.req.path }, 'unexpected failure');
    const endpoint = endpointOf(c.req.path);
    return send(refusal(endpoint, { code: UNEXPECTED[endpoint] }));
  });
  return app;
}
