import type { Context } from 'hono';
import type { ErrorCode } from '../../protocol/index.ts';
import { type FacilitatorRequest, parseFacilitatorRequest } from '../../protocol/wire/index.ts';
import type { Rejection } from '../facilitator/index.ts';
import { readBody } from './readBody.ts';

export type ReadRequest =
  | { readonly ok: true; readonly request: FacilitatorRequest }
  | { readonly ok: false; readonly rejection: Rejection };

function refuse(code: ErrorCode, detail?: string): ReadRequest {
  return { ok: false, rejection: detail === undefined ? { code } : { code, detail } };
}

/** Reads the request of `/verify` or `/settle` from bytes to typed values; never throws. */
export async function readPaymentRequest(c: Context): Promise<ReadRequest> {
  const text = await readBody(c.req.raw);
  if (text === undefined) return refuse('body_too_large');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refuse('invalid_request', 'it is not JSON');
  }
  const parsed = parseFacilitatorRequest(body);
  return parsed.ok ? parsed : refuse(parsed.code, parsed.detail);
}
