import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import { readBody } from '../../../machine/index.ts';
import { type Policies, PolicyError } from '../../policies/index.ts';
import { MAX_BODY_BYTES } from '../bodyLimit.ts';
import { preflightHeaders, readableBy } from '../pageOrigin.ts';
import { type Environment, send } from '../send.ts';
import { PROBLEM_TYPE, problemDetails } from './problemDetails.ts';
import { POLICY_ROUTES } from './routes.ts';
import { deployBody, policySliceSchema, recordBody } from './schemas.ts';

type C = Context<Environment>;

async function readJson(c: C): Promise<unknown> {
  const read = await readBody(c.env.incoming, MAX_BODY_BYTES);
  if (read.status === 'too_large') throw new PolicyError('body_too_large');
  if (read.status === 'broken_off') throw new PolicyError('invalid_json', 'it is incomplete');
  // Routes that do not need a body accept none, as from `curl -X POST`.
  if (read.text === '') return {};
  try {
    return JSON.parse(read.text);
  } catch {
    throw new PolicyError('invalid_json');
  }
}

async function readAs<T>(c: C, schema: z.ZodType<T>): Promise<T> {
  return judged(schema, await readJson(c));
}

function judged<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PolicyError('invalid_request', `${issue?.path.join('.')}: ${issue?.message}`);
}

/** The handler of each route. */
const ANSWERS = {
  templates: async (policies: Policies) => ({ templates: policies.templates() }),
  validate: async (policies: Policies, c: C) => policies.validate(await readJson(c)),
  generate: async (policies: Policies, c: C) => policies.generate(await readJson(c)),
  simulate: async (policies: Policies, c: C) => policies.simulate(idOf(c)),
  deployInstance: async (policies: Policies, c: C) => {
    const { proof } = await readAs(c, deployBody);
    return policies.deployInstance(idOf(c), proof, c.get('client') ?? '');
  },
  record: async (policies: Policies, c: C) => {
    const { id, attachTxHash } = await readAs(c, recordBody);
    return policies.record(id, attachTxHash);
  },
  ofWallet: async (policies: Policies, c: C) => {
    const { limit, offset } = judged(policySliceSchema, c.req.query());
    const page = await policies.ofWallet(idOf(c), { limit, offset });
    return { policies: page.policies, pagination: { limit, offset, total: page.total } };
  },
} as const;

function idOf(c: C): string {
  return c.req.param('id') ?? '';
}

/**
 * Serves the routes of the policy gateway (spec: Policy gateway). Any page may read; pages of allowed
 * origins may write.
 */
export function mountPolicies(
  app: Hono<Environment>,
  policies: Policies,
  allowedOrigins: readonly string[],
): void {
  const page = (c: C) => ({
    method: c.req.method,
    origin: c.req.header('origin'),
    host: c.req.header('host'),
  });
  app.options('/policies/*', (c) => {
    const headers = { ...c.get('headers'), ...preflightHeaders(page(c), allowedOrigins) };
    return new Response(null, { status: 204, headers });
  });
  for (const { path, method, name } of POLICY_ROUTES) {
    app.on(method, path, async (c) => {
      try {
        const body = await ANSWERS[name](policies, c);
        return send(c, { status: 200, body, headers: readableBy(page(c), allowedOrigins) });
      } catch (error) {
        const refusal = error instanceof PolicyError ? error : new PolicyError('internal_error');
        if (refusal === error) {
          c.get('log').info(
            { code: refusal.code, detail: refusal.message },
            'policy request refused',
          );
        } else c.get('log').error({ err: error, path }, 'unexpected failure');
        const { status, body } = problemDetails(refusal);
        const headers = {
          ...readableBy(page(c), allowedOrigins),
          'content-type': PROBLEM_TYPE,
        };
        return new Response(JSON.stringify(body), {
          status,
          headers: { ...c.get('headers'), ...headers },
        });
      }
    });
    app.all(path, (c) => {
      const { status, body } = problemDetails(new PolicyError('method_not_allowed'));
      const headers = {
        ...readableBy(page(c), allowedOrigins),
        'content-type': PROBLEM_TYPE,
        allow: method,
      };
      return new Response(JSON.stringify(body), {
        status,
        headers: { ...c.get('headers'), ...headers },
      });
    });
  }
}
