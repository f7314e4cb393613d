import { timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { readBody } from '../../../machine/index.ts';
import type { PasskeyTask } from '../../../protocol/policies/index.ts';
import {
  PASSKEY_ERRORS,
  type PasskeyAnswer,
  PasskeyError,
  type Passkeys,
  POLICY_ERRORS,
  PolicyError,
} from '../../policies/index.ts';
import { MAX_BODY_BYTES } from '../bodyLimit.ts';
import { type Environment, send } from '../send.ts';
import { PAGE, PAGE_HEADERS } from './page.ts';

const text = z.string().min(1).max(2_048);
const address = z.string().max(64);
const keyId = z
  .string()
  .regex(/^[\w-]{1,1400}$/)
  .optional();

/** The request of a program on this machine. */
const taskSchema: z.ZodType<PasskeyTask> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('create_account'), name: z.string().min(1).max(64) }),
  z.strictObject({ kind: z.literal('deploy'), policyId: text, keyId }),
  z.strictObject({ kind: z.literal('attach'), policyId: text, keyId }),
  z.strictObject({
    kind: z.literal('change_limits'),
    policy: address,
    // The gateway reads it, with all its problems at once.
    definition: z.unknown(),
    keyId,
  }),
  z.strictObject({ kind: z.literal('revoke'), wallet: address, policy: address, keyId }),
  z.strictObject({ kind: z.literal('remove_key'), wallet: address, key: address, keyId }),
  z.strictObject({ kind: z.literal('add_co_signer'), wallet: address, key: address, keyId }),
  z.strictObject({
    kind: z.literal('add_agent'),
    wallet: address,
    agent: address,
    contracts: z.array(address).max(20),
    policies: z.array(address).max(5),
    keyId,
  }),
]);

const bytes = z
  .string()
  .regex(/^[\w-]{1,8192}$/)
  .transform((encoded): Uint8Array => Buffer.from(encoded, 'base64url'));

/** The page's answer. */
const answerSchema: z.ZodType<PasskeyAnswer> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('made'), keyId: bytes, publicKey: bytes }),
  z.strictObject({
    kind: z.literal('signed'),
    keyId: bytes,
    authenticatorData: bytes,
    clientDataJSON: bytes,
    signature: bytes,
  }),
]);

/** Returns a request header, used to check where the request comes from. */
type Header = (name: string) => string | undefined;

/** Names of this machine that a browser cannot be made to resolve elsewhere, with any port. */
const THIS_MACHINE = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;
/** WebAuthn does not support IP addresses: the passkeys belong to `localhost`. */
const LOCALHOST = /^localhost(:\d{1,5})?$/;

/**
 * Checks that a request is from the page itself: at `localhost` (a name that was rebound to this machine
 * differs), and not sent by another site. A request that changes something must have the page's origin.
 * @throws PasskeyError `wrong_place`
 */
function requireOwnPage(header: Header, { changes }: { changes: boolean }): void {
  const host = header('host') ?? '';
  const origin = header('origin');
  const site = header('sec-fetch-site');
  const own = origin === `http://${host}` || origin === `https://${host}`;
  if (!LOCALHOST.test(host))
    throw new PasskeyError('wrong_place', 'the request does not name localhost');
  if (changes ? !own : origin !== undefined && !own) {
    throw new PasskeyError('wrong_place', 'the request comes from another site');
  }
  // Browsers that support this header send it with every request.
  if (site !== undefined && site !== 'same-origin') {
    throw new PasskeyError('wrong_place', 'the request comes from another site');
  }
}

/**
 * Checks that a document is opened on this machine; any site may link to it. At an IP address it is also served, but redirects
 * itself to `localhost`, because its other paths answer only there.
 * @throws PasskeyError `wrong_place`
 */
function requireThisMachine(header: Header): void {
  if (!THIS_MACHINE.test(header('host') ?? '')) throw new PasskeyError('wrong_place');
}

/**
 * Checks that the caller is a program of this user and not a web page: it sends the secret from the
 * service's own file, and browsers add an origin to requests of pages.
 * @throws PasskeyError `wrong_place`, `not_permitted`
 */
function requirePermitted(header: Header, secret: string): void {
  requireThisMachine(header);
  if (header('origin') !== undefined || header('sec-fetch-site') !== undefined) {
    throw new PasskeyError('wrong_place', 'the request comes from a web page');
  }
  const shown = Buffer.from(header('authorization') ?? '');
  const expected = Buffer.from(`Bearer ${secret}`);
  if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) {
    throw new PasskeyError('not_permitted');
  }
}

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
