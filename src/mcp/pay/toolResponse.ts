import type { CallToolResult, ProtocolError } from '@modelcontextprotocol/client';
import { z } from 'zod';
import {
  encodeHeaderMessage,
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
} from '../../protocol/index.ts';
import {
  encodeJson,
  PAYMENT_RECEIPT_HEADER,
  PAYMENT_REQUIRED_CODE,
  RECEIPT_META,
  REQUIRED_META,
  type ReceivedChallenge,
  readRequired,
  VERIFICATION_FAILED_CODE,
  writeChallenge,
} from '../../protocol/mpp/index.ts';

/** Where a payment of x402 is sent, and where its settlement is returned (specs/transports-v2/mcp.md). */
export const PAYMENT_META = 'x402/payment';
const SETTLEMENT_META = 'x402/payment-response';
const ERROR_MEMBER = 'x402/error';
/** Code of a JSON-RPC error that requests a payment, sent by sellers that use x402's first MCP transport. */
const PAYMENT_REQUIRED = 402;

const terms = z.looseObject({ x402Version: z.number(), accepts: z.array(z.unknown()) });
const wrapped = z.looseObject({ [ERROR_MEMBER]: z.looseObject({ data: terms }) });
type Terms = z.infer<typeof terms>;

/** A tool's answer as one of HTTP, so that both are paid by the same rules. */
export interface ToolResponse {
  readonly response: Response;
  /** The challenges of MPP in it. */
  readonly challenges: readonly ReceivedChallenge[];
}

/** Converts a tool's result to an HTTP response: 402 if it requests a payment, 500 for any other error. */
export function responseOfResult(result: CallToolResult): ToolResponse {
  const required = result.isError === true ? termsOf(result) : undefined;
  const settlement = result._meta?.[SETTLEMENT_META] ?? required?.[SETTLEMENT_META];
  const receipt = result._meta?.[RECEIPT_META];
  // A result with a receipt is delivered, even if it asks for another payment.
  const challenges =
    receipt === undefined ? (readRequired(result._meta?.[REQUIRED_META]) ?? []) : [];
  const { content, structuredContent, isError = false } = result;
  const asks = required !== undefined || challenges.length > 0;
  const shown = {
    isError,
    content,
    ...(structuredContent === undefined ? {} : { structuredContent }),
  };
  const status = asks ? PAYMENT_REQUIRED : isError ? 500 : 200;
  return response(status, shown, { required, settlement, challenges, receipt });
}

/** The parts of an error of MPP that are read. */
const failed = z.looseObject({
  failure: z.looseObject({ reason: z.unknown().optional() }).optional().catch(undefined),
  problem: z.looseObject({ type: z.unknown().optional() }).optional().catch(undefined),
});

/** Converts a JSON-RPC error to an HTTP response. */
export function responseOfError({ code, message, data }: ProtocolError): ToolResponse {
  const required = code === PAYMENT_REQUIRED ? terms.safeParse(data).data : undefined;
  const settlement = required?.[SETTLEMENT_META];
  // Other servers use the first of these codes to open a URL: only challenges ask for a payment.
  const asksByMpp = code === PAYMENT_REQUIRED_CODE || code === VERIFICATION_FAILED_CODE;
  const challenges = asksByMpp ? (readRequired(data) ?? []) : [];
  if (challenges.length > 0) {
    const { failure, problem } = failed.safeParse(data).data ?? {};
    const body = { error: failure?.reason, type: problem?.type, code, message };
    return response(PAYMENT_REQUIRED, body, { challenges });
  }
  const status = required === undefined ? 500 : PAYMENT_REQUIRED;
  return response(status, { error: { code, message } }, { required, settlement, challenges });
}

/** What an answer says about a payment. */
interface Paying {
  readonly required?: Terms | undefined;
  readonly settlement?: unknown;
  readonly challenges: readonly ReceivedChallenge[];
  readonly receipt?: unknown;
}

function response(
  status: number,
  body: object,
  { required, settlement, challenges, receipt }: Paying,
): ToolResponse {
  const text = JSON.stringify(body);
  const headers = new Headers({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  });
  if (required !== undefined) headers.set(PAYMENT_REQUIRED_HEADER, encodeHeaderMessage(required));
  if (settlement !== undefined)
    headers.set(PAYMENT_RESPONSE_HEADER, encodeHeaderMessage(settlement));
  for (const { challenge } of challenges)
    headers.append('WWW-Authenticate', writeChallenge(challenge));
  if (receipt !== undefined) headers.set(PAYMENT_RECEIPT_HEADER, encodeJson(receipt));
  return { response: new Response(text, { status, headers }), challenges };
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
