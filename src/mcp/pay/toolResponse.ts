import type { CallToolResult, ProtocolError } from '@modelcontextprotocol/client';
import { z } from 'zod';
import {
  encodeHeaderMessage,
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
} from '../../protocol/index.ts';

/** Where a payment is sent, and where its settlement is returned (specs/transports-v2/mcp.md). */
export const PAYMENT_META = 'x402/payment';
const SETTLEMENT_META = 'x402/payment-response';
const ERROR_MEMBER = 'x402/error';
/** Code of a JSON-RPC error that requests a payment, sent by sellers that use x402's first MCP transport. */
const PAYMENT_REQUIRED = 402;

const terms = z.looseObject({ x402Version: z.number(), accepts: z.array(z.unknown()) });
const wrapped = z.looseObject({ [ERROR_MEMBER]: z.looseObject({ data: terms }) });
type Terms = z.infer<typeof terms>;

/** Converts a tool's result to an HTTP response: 402 if it requests a payment, 500 for any other error. */
export function responseOfResult(result: CallToolResult): Response {
  const required = result.isError === true ? termsOf(result) : undefined;
  const settlement = result._meta?.[SETTLEMENT_META] ?? required?.[SETTLEMENT_META];
  const { content, structuredContent, isError = false } = result;
  const status = required === undefined ? (isError ? 500 : 200) : PAYMENT_REQUIRED;
  const shown = {
    isError,
    content,
    ...(structuredContent === undefined ? {} : { structuredContent }),
  };
  return response(status, shown, required, settlement);
}

/** Converts a JSON-RPC error to an HTTP response. */
export function responseOfError({ code, message, data }: ProtocolError): Response {
  const required = code === PAYMENT_REQUIRED ? terms.safeParse(data).data : undefined;
  const status = required === undefined ? 500 : PAYMENT_REQUIRED;
  return response(status, { error: { code, message } }, required, required?.[SETTLEMENT_META]);
}

function response(status: number, body: object, required: unknown, settlement: unknown): Response {
  const headers = new Headers();
  if (required !== undefined) headers.set(PAYMENT_REQUIRED_HEADER, encodeHeaderMessage(required));
  if (settlement !== undefined)
    headers.set(PAYMENT_RESPONSE_HEADER, encodeHeaderMessage(settlement));
  return Response.json(body, { status, headers });
}

/** The terms, in the order in which the transport requires clients to look for them. */
function termsOf({ content, structuredContent }: CallToolResult): Terms | undefined {
  const [first] = content;
  const text = first?.type === 'text' ? parseJson(first.text) : undefined;
  for (const value of [structuredContent, text]) {
    const direct = terms.safeParse(value).data;
    const inside = wrapped.safeParse(value).data?.[ERROR_MEMBER].data;
    if (direct !== undefined || inside !== undefined) return direct ?? inside;
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
