import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { z } from 'zod';
import { parseAccountAddress, parseDecimalAmount, USDC_ISSUER } from '../protocol/index.ts';
import { createRateLimiter } from '../server/http/rateLimit/index.ts';

/** Path below which the proxy serves what pays in the page. The proxy owns all paths below `/-/`: no route is sold there. */
export const PAGE_BASE = '/-/page';

/** The network that pays, as the page reaches it through the proxy. */
export interface PageNetwork {
  readonly rpcUrl: string;
  readonly horizonUrl: string;
  readonly friendbotUrl: string;
}

export interface PayPageOptions {
  /** The page's script. */
  readonly script: Uint8Array;
  readonly network: PageNetwork;
  /** Milliseconds of a clock that does not jump. */
  readonly elapsed: () => number;
}

/** What a buyer calls; no other method of an RPC passes, and none that controls the embedded network. */
const RPC_METHODS = [
  ...['getHealth', 'getLatestLedger', 'getLedgerEntries', 'getEvents'],
  ...['getTransaction', 'simulateTransaction', 'sendTransaction'],
] as const;

const rpcCall = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.number(),
  method: z.enum(RPC_METHODS),
  params: z.record(z.string(), z.unknown()).optional(),
});
const friendbotCall = z.strictObject({
  address: z.string().refine((text) => parseAccountAddress(text) !== undefined),
});
const quoteCall = z.strictObject({
  amount: z
    .string()
    .max(20)
    .refine((text) => (parseDecimalAmount(text) ?? 0n) > 0n),
});

/** A signed payment is a few kilobytes. */
const MAX_REQUEST_BYTES = 64 << 10;
const MAX_ANSWER_BYTES = 1 << 20;
const ANSWER_MS = 20_000;
/** Requests to the network at a time. */
const MAX_AT_A_TIME = 32;
/** Requests in a minute, of one client and of all; those that create accounts are fewer. A payment takes about thirty calls. */
const CALLS_A_MINUTE = { client: 600, all: 3_000 };
const ACCOUNTS_A_MINUTE = { client: 6, all: 60 };

/**
 * The document of the frame in which a bought page is shown. It has no origin, so that the page in it reaches neither this origin nor
 * its keys, and its policy permits the page's own scripts and no requests.
 */
const FRAME = `<!doctype html><meta charset="utf-8"><title>-</title><script>
addEventListener('message', ({ data, source }) => {
  if (source !== parent || typeof data !== 'string') return;
  document.open(); document.write(data); document.close();
}, { once: true });
</script>`;
const FRAME_POLICY =
  "sandbox allow-scripts; default-src data: blob: 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

function json(status: number, body: object, headers: Reply['headers'] = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  };
}

const refused = (status: number, error: string, message: string): Reply =>
  json(status, { error, message }, status === 503 || status === 429 ? { 'retry-after': '5' } : {});

/** Returns whether a client may continue: by what it asked for in the last minute, and then by what all did. */
function limiter(
  { client: ofClient, all }: typeof CALLS_A_MINUTE,
  elapsed: () => number,
): (client: string) => boolean {
  const each = createRateLimiter(ofClient, { now: elapsed });
  const together = createRateLimiter(all, { now: elapsed });
  return (client) => each.take(client).allowed && together.take('').allowed;
}

/** Answers requests below `PAGE_BASE`. @param client who is counted (`clientKey`) */
export type PayPage = (
  path: string,
  client: string,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

/**
 * Serves the page's script, the frame for what was bought, and what the page asks of the network: calls of a fixed set of RPC methods,
 * test money for an account, and the price of test USDC. The page so reaches its own origin alone, and what a stranger can ask of the
 * network through it is bounded.
 */
export function payPage({ script, network, elapsed }: PayPageOptions): PayPage {
  const etag = `"${createHash('sha256').update(script).digest('base64url').slice(0, 22)}"`;
  let compressed: Promise<{ readonly br: Uint8Array; readonly gzip: Uint8Array }> | undefined;
  const mayCall = limiter(CALLS_A_MINUTE, elapsed);
  const mayCreate = limiter(ACCOUNTS_A_MINUTE, elapsed);
  let atATime = 0;

  async function scriptFor(request: IncomingMessage): Promise<Reply> {
    const headers = {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
      etag,
    };
    if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: '' };
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const coding = (['br', 'gzip'] as const).find((name) =>
      new RegExp(`(?:^|,)\\s*${name}\\s*(?:,|$)`, 'i').test(accepted),
    );
    if (coding === undefined) return { status: 200, headers, body: script };
    compressed ??= Promise.all([promisify(brotliCompress)(script), promisify(gzip)(script)]).then(
      ([br, zipped]) => ({ br, gzip: zipped }),
    );
    const body = (await compressed)[coding];
    return { status: 200, headers: { ...headers, 'content-encoding': coding }, body };
  }

  async function relay(path: string, client: string, request: IncomingMessage): Promise<Reply> {
    if (request.method !== 'POST') return refused(405, 'method_not_allowed', 'Use POST.');
    // With another type, a page of any origin could send it without being asked for permission.
    const type = String(request.headers['content-type'] ?? '');
    if (!/^application\/json(?:$|;)/.test(type)) {
      return refused(415, 'not_json', 'Send JSON.');
    }
    const asked = await jsonOf(request);
    const call = asked === undefined ? undefined : callOf(path, asked, network);
    if (call === undefined) return refused(400, 'invalid_request', 'The page sends no such call.');
    if (!mayCall(client) || (path === '/friendbot' && !mayCreate(client))) {
      return refused(429, 'too_many_requests', 'Too many requests. Try again in a minute.');
    }
    if (atATime >= MAX_AT_A_TIME) {
      return refused(503, 'busy', 'Too many requests are under way. Try again.');
    }
    atATime += 1;
    try {
      const answer = await fetch(call.url, {
        ...call.init,
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await textOf(answer);
      if (answer.status !== 200 || text === undefined) {
        return refused(502, 'network_refused', `The network answered with ${answer.status}.`);
      }
      return json(200, JSON.parse(text));
    } catch {
      return refused(502, 'network_unreachable', 'The network cannot be reached.');
    } finally {
      atATime -= 1;
    }
  }

  return async (path, client, request, response) => {
    const reply =
      request.method === 'GET' && path === `${PAGE_BASE}/pay.js`
        ? await scriptFor(request)
        : request.method === 'GET' && path === `${PAGE_BASE}/frame`
          ? FRAME_REPLY
          : await relay(path.slice(PAGE_BASE.length), client, request);
    response.writeHead(reply.status, {
      ...reply.headers,
      ...(reply.status === 304
        ? {}
        : { 'content-length': String(Buffer.byteLength(reply.body as string)) }),
    });
    response.end(reply.body);
  };
}

const FRAME_REPLY: Reply = {
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': FRAME_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  },
  body: FRAME,
};

interface NetworkCall {
  readonly url: string;
  readonly init: RequestInit;
}

/** Returns the request to the network for one of the page; `undefined` for anything else. */
function callOf(path: string, asked: unknown, network: PageNetwork): NetworkCall | undefined {
  if (path === '/rpc') {
    const { data } = rpcCall.safeParse(asked);
    if (data === undefined) return undefined;
    const headers = { 'content-type': 'application/json' };
    return { url: network.rpcUrl, init: { method: 'POST', headers, body: JSON.stringify(data) } };
  }
  if (path === '/friendbot') {
    const { data } = friendbotCall.safeParse(asked);
    return data && { url: `${network.friendbotUrl}?addr=${data.address}`, init: {} };
  }
  if (path === '/quote') {
    const { data } = quoteCall.safeParse(asked);
    if (data === undefined) return undefined;
    const query = new URLSearchParams({
      source_assets: 'native',
      destination_asset_type: 'credit_alphanum4',
      destination_asset_code: 'USDC',
      destination_asset_issuer: USDC_ISSUER,
      destination_amount: data.amount,
    });
    return { url: `${network.horizonUrl}/paths/strict-receive?${query}`, init: {} };
  }
  return undefined;
}

/** Reads the JSON of a request; `undefined` if it is none, or too long. */
async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += (piece as Buffer).length;
    if (length > MAX_REQUEST_BYTES) return undefined;
    pieces.push(piece as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString());
  } catch {
    return undefined;
  }
}

/** Reads the text of an answer; `undefined` if it is too long. */
async function textOf(answer: Response): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of answer.body ?? []) {
    length += piece.length;
    if (length > MAX_ANSWER_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
