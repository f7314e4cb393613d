import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { askedUsdc } from '../../friendbot/askedUsdc.ts';
import type { Friendbot } from '../../friendbot/friendbot.ts';
import { FriendbotError } from '../../friendbot/friendbotError.ts';
import type { FoundTransaction } from '../../history/index.ts';

/** A problem in the form that friendbot's clients know. */
interface FriendbotProblem {
  readonly type: string;
  readonly title: string;
  readonly status: ContentfulStatusCode;
  readonly detail: string;
}

/**
 * `/friendbot?addr=` by GET or a posted form, with `usdc=` for an amount of USDC instead of XLM.
 * @param resource formats the funding transaction as Horizon does
 */
export function friendbotRoute(
  friendbot: Friendbot,
  resource: (found: FoundTransaction, baseUrl: string) => object,
): Hono {
  const app = new Hono();
  app.on(['GET', 'POST'], '/friendbot', async (context) => {
    const form = context.req.method === 'POST' ? await context.req.parseBody() : {};
    const [address, usdc] = ['addr', 'usdc'].map((name) => context.req.query(name) ?? form[name]);
    try {
      const asked = typeof usdc === 'string' ? askedUsdc(usdc) : undefined;
      const found = await friendbot.fund(typeof address === 'string' ? address : '', asked);
      return context.json(resource(found, new URL(context.req.url).origin));
    } catch (error) {
      if (!(error instanceof FriendbotError)) throw error;
      const problem = problemOf(error);
      return context.body(JSON.stringify(problem, undefined, 2), problem.status, {
        'Content-Type': 'application/problem+json',
      });
    }
  });
  return app;
}

function problemOf({ code, detail }: FriendbotError): FriendbotProblem {
  const horizonErrors = 'https://stellar.org/horizon-errors';
  return code === 'NOT_FUNDED'
    ? {
        type: `${horizonErrors}/transaction_failed`,
        title: 'Transaction Failed',
        status: 503,
        detail,
      }
    : { type: `${horizonErrors}/bad_request`, title: 'Bad Request', status: 400, detail };
}
