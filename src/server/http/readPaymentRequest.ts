import type { IncomingMessage } from 'node:http';
import { readBody } from '../../machine/index.ts';
import type { ErrorCode } from '../../protocol/index.ts';
import { type FacilitatorRequest, parseFacilitatorRequest } from '../../protocol/wire/index.ts';
import type { Rejection } from '../facilitator/index.ts';
import { MAX_BODY_BYTES } from './bodyLimit.ts';

/** Maximum nesting depth of a body. A discovery extension with its JSON schema needs a dozen levels. */
const MAX_DEPTH = 64;

export type ReadRequest =
  | { readonly ok: true; readonly request: FacilitatorRequest }
  | {
      readonly ok: false;
      readonly rejection: Rejection;
      /** What is at the place of the buyer's transaction. */
      readonly envelope: unknown;
    };

function refuse(code: ErrorCode, detail?: string, envelope?: unknown): ReadRequest {
  return { ok: false, rejection: detail === undefined ? { code } : { code, detail }, envelope };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns what a body that is not a payment has in the place of the buyer's transaction. */
function envelopeIn(body: unknown): unknown {
  return member(member(member(body, 'paymentPayload'), 'payload'), 'transaction');
}

/** Reads the request of `/verify` or `/settle` from bytes to typed values; never throws. */
export async function readPaymentRequest(incoming: IncomingMessage): Promise<ReadRequest> {
  const read = await readBody(incoming, MAX_BODY_BYTES);
  if (read.status === 'too_large') return refuse('body_too_large');
  if (read.status === 'broken_off') return refuse('invalid_http', 'the body is incomplete');
  if (isDeeperThan(read.text, MAX_DEPTH)) {
    return refuse('invalid_request', `it is nested deeper than ${MAX_DEPTH}`);
  }
  let body: unknown;
  try {
    body = JSON.parse(read.text);
  } catch {
    return refuse('invalid_request', 'it is not JSON');
  }
  const parsed = parseFacilitatorRequest(body);
  return parsed.ok ? parsed : refuse(parsed.code, parsed.detail, envelopeIn(body));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/**
 * Whether arrays and objects in a JSON text are nested deeper than `limit`. It checks the text before
 * it is parsed, since code that walks the value later may be recursive.
 */
export function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) {
      inString = true;
    } else if (OPEN.has(code)) {
      depth += 1;
      if (depth > limit) return true;
    } else if (CLOSE.has(code)) {
      depth -= 1;
    }
  }
  return false;
}
