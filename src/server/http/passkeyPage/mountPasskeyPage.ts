import type { Context, Hono } from 'hono';
import type { z } from 'zod';
import { readBody } from '../../../machine/index.ts';
import {
  PASSKEY_ERRORS,
  PasskeyError,
  type Passkeys,
  POLICY_ERRORS,
  PolicyError,
} from '../../policies/index.ts';
import { MAX_BODY_BYTES } from '../bodyLimit.ts';
import { type Environment, send } from '../send.ts';
import { PAGE, PAGE_HEADERS } from './page.ts';
import { requireOwnPage, requirePermitted, requireThisMachine } from './place.ts';
import { answerSchema, taskSchema } from './schemas.ts';

type C = Context<Environment>;

const PRIVATE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/**
 * Serves the page that asks owners for their passkey, and lets programs of this user open requests
 * for it. Other origins have no access: nothing here sends an `access-control` header.
 * @param secret the credential of such a program, stored in the service's own file
 */
export function mountPasskeyPage(app: Hono<Environment>, passkeys: Passkeys, secret: string): void {
  const permitted = (c: C) => requirePermitted(headerOf(c), secret);
  const own = (c: C, changes: boolean) => requireOwnPage(headerOf(c), { changes });
  const token = (c: C) => c.req.param('token') ?? '';
  const id = (c: C) => c.req.param('id') ?? '';

  app.post('/passkeys', (c) =>
    answering(c, async () => {
      permitted(c);
      return passkeys.open(await read(c, taskSchema));
    }),
  );
  app.get('/passkeys/:id', (c) =>
    answering(c, async () => {
      permitted(c);
      return passkeys.status(id(c));
    }),
  );
  app.delete('/passkeys/:id', (c) =>
    answering(c, async () => {
      permitted(c);
      return passkeys.cancel(id(c));
    }),
  );
  app.get('/passkeys/page/:token', (c) =>
    answering(c, async () => {
      requireThisMachine(headerOf(c));
      // The page itself explains the problem with its request.
      const headers = { ...c.get('headers'), ...PAGE_HEADERS };
      return new Response(PAGE, { status: pageStatus(passkeys, token(c)), headers });
    }),
  );
  app.get('/passkeys/page/:token/request', (c) =>
    answering(c, async () => {
      own(c, false);
      return passkeys.page(token(c));
    }),
  );
  app.post('/passkeys/page/:token/answer', (c) =>
    answering(c, async () => {
      own(c, true);
      return passkeys.answer(token(c), await read(c, answerSchema));
    }),
  );
  app.post('/passkeys/page/:token/decline', (c) =>
    answering(c, async () => {
      own(c, true);
      return passkeys.decline(token(c));
    }),
  );
}

function pageStatus(passkeys: Passkeys, token: string): number {
  try {
    passkeys.page(token);
    return 200;
  } catch (error) {
    return told(error).status;
  }
}

const headerOf = (c: C) => (name: string) => c.req.header(name);

async function answering(c: C, work: () => Promise<object>): Promise<Response> {
  try {
    const answer = await work();
    return answer instanceof Response
      ? answer
      : send(c, { status: 200, body: answer, headers: PRIVATE });
  } catch (error) {
    const { code, status, title, fix, detail } = told(error);
    if (code === 'internal_error') c.get('log').error({ err: error }, 'unexpected failure');
    else c.get('log').info({ code, detail }, 'passkey request refused');
    const body = { type: `urn:svc-x402:passkeys:${code}`, title, status, detail, code, fix };
    return new Response(JSON.stringify(body), {
      status,
      headers: { ...c.get('headers'), ...PRIVATE, 'content-type': 'application/problem+json' },
    });
  }
}

function told(error: unknown) {
  if (error instanceof PasskeyError) {
    return { code: error.code, detail: error.message, ...PASSKEY_ERRORS[error.code] };
  }
  const known = error instanceof PolicyError ? error : new PolicyError('internal_error');
  return { code: known.code, detail: known.message, ...POLICY_ERRORS[known.code] };
}

/** Reads a body with a JSON content type, which a page of another site cannot send without a preflight. */
async function read<T>(c: C, schema: z.ZodType<T>): Promise<T> {
  if (!/^application\/json\b/.test(c.req.header('content-type') ?? '')) {
    throw new PasskeyError('malformed_request', 'send application/json');
  }
  const body = await readBody(c.env.incoming, MAX_BODY_BYTES);
  if (body.status !== 'whole') throw new PasskeyError('malformed_request', 'the body is not whole');
  const parsed = schema.safeParse(parse(body.text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PasskeyError('malformed_request', `${issue?.path.join('.')}: ${issue?.message}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
