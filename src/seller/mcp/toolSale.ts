import type { AtomicAmount } from '../../protocol/index.ts';
import {
  decodeHeaderMessage,
  encodeHeaderMessage,
  formatDecimalAmount,
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
  PAYMENT_SIGNATURE_HEADER,
} from '../../protocol/index.ts';
import {
  ACCEPT_PAYMENT_HEADER,
  CHARGE_INTENT,
  challengeToJson,
  credentialHeader,
  PAYMENT_RECEIPT_HEADER,
  PAYMENT_REQUIRED_CODE,
  RECEIPT_META,
  REQUIRED_META,
  readChallenges,
  readCredential,
  readReceipt,
  STELLAR_METHOD,
  VERIFICATION_FAILED_CODE,
} from '../../protocol/mpp/index.ts';
import type { SellerAnswer, SellerRequest } from '../offer.ts';

/** Member of a result's `_meta` with the settlement (specs/transports-v2/mcp.md). */
export const SETTLEMENT_META = 'x402/payment-response';
/** Members of a result's `_meta` that a seller writes. A tool's own are dropped. */
export const SELLER_META = [SETTLEMENT_META, RECEIPT_META, REQUIRED_META] as const;
/** Member of a listed tool's `_meta` with its price. */
export const PRICE_META = 'svc-x402/price';

const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** A call of a sold tool. */
export interface SoldCall {
  /** Path of the MCP server, as buyers reach it. */
  readonly path: string;
  readonly tool: string;
  /** What was in `_meta["x402/payment"]`; `undefined` without a payment of x402. */
  readonly payment: unknown;
  /** What was in `_meta["org.paymentauth/credential"]`; `undefined` without a payment of MPP. */
  readonly credential: unknown;
  /** The payment methods of MPP that the client declared, as `Accept-Payment` writes them; `undefined` if it declared none. */
  readonly accepts: string | undefined;
  /** Digest of everything else that was asked for. */
  readonly digest: string;
}

/**
 * Returns a call as a request of the engine: each payment is the header of its protocol, and the tool belongs to its target, so that
 * a payment for one tool buys no other.
 */
export function toolRequest(call: SoldCall): SellerRequest {
  const { path, tool, payment, credential, accepts, digest } = call;
  const headers = new Map<string, string>();
  if (payment !== undefined) {
    headers.set(PAYMENT_SIGNATURE_HEADER.toLowerCase(), encodeHeaderMessage(payment));
  }
  if (credential !== undefined) headers.set('authorization', credentialHeader(credential));
  if (accepts !== undefined) headers.set(ACCEPT_PAYMENT_HEADER.toLowerCase(), accepts);
  return {
    method: 'tools/call',
    target: `${path}#${tool}`,
    bodyDigest: digest,
    header: (name) => headers.get(name.toLowerCase()),
  };
}

/** A result of `tools/call`. */
export interface ToolResult {
  readonly isError: true;
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** An error of JSON-RPC. */
export interface ToolError {
  readonly code: number;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function headerIn(headers: SellerAnswer['headers'], name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}

/** Whether the answer to a call is in the form of MPP: it was paid so, or can be paid in no other way. */
function isByMpp({ payment, credential }: SoldCall, { headers }: SellerAnswer): boolean {
  if (payment !== undefined) return false;
  const isOffered = headerIn(headers, 'WWW-Authenticate') !== undefined;
  const isOther = headerIn(headers, PAYMENT_REQUIRED_HEADER) !== undefined;
  return credential !== undefined || (isOffered && !isOther);
}

/**
 * Returns the members of a result's `_meta` about the payment of a call: the settlement of x402, or the receipt of MPP.
 * @param headers of the engine's response
 */
export function paidMeta(
  headers: SellerAnswer['headers'],
  call: SoldCall,
): Readonly<Record<string, unknown>> {
  const settlement = headerIn(headers, PAYMENT_RESPONSE_HEADER);
  const receipt = readReceipt(headerIn(headers, PAYMENT_RECEIPT_HEADER) ?? '');
  const challengeId = readCredential(credentialHeader(call.credential ?? null))?.challenge.id;
  return {
    ...(settlement === undefined ? {} : { [SETTLEMENT_META]: decodeHeaderMessage(settlement) }),
    ...(receipt === undefined ? {} : { [RECEIPT_META]: { ...receipt, challengeId } }),
  };
}

/**
 * Returns the engine's own answer to a call. x402's MCP transport asks with a result, MPP's with an error. A client that declared
 * nothing gets a result that has the terms of both.
 */
export function toolAnswerOf(
  answer: SellerAnswer,
  call: SoldCall,
): { readonly result: ToolResult } | { readonly error: ToolError } {
  return isByMpp(call, answer)
    ? { error: toolErrorOf(answer) }
    : { result: toolResultOf(answer, call) };
}

/** As a result: terms as x402's MCP transport writes them, in both places; anything else as an error in words. */
function toolResultOf(answer: SellerAnswer, call: SoldCall): ToolResult {
  const { headers, body } = answer;
  const terms = headerIn(headers, PAYMENT_REQUIRED_HEADER);
  const required = requiredOf(answer);
  const meta = {
    ...paidMeta(headers, call),
    ...(required === undefined ? {} : { [REQUIRED_META]: required }),
  };
  const named = Object.keys(meta).length === 0 ? {} : { _meta: meta };
  if (terms === undefined) {
    return { isError: true, content: [{ type: 'text', text: body }], ...named };
  }
  const structuredContent = decodeHeaderMessage(terms);
  const text = JSON.stringify(structuredContent);
  return { isError: true, structuredContent, content: [{ type: 'text', text }], ...named };
}

/** What MPP says in `data` of an error, or in `_meta`, to ask for a payment; `undefined` if the answer asks for none by MPP. */
function requiredOf({ status, headers, body }: SellerAnswer) {
  const challenges = readChallenges(headerIn(headers, 'WWW-Authenticate') ?? '');
  if (challenges.length === 0) return undefined;
  const { type, title, detail, challengeId } = membersOf(body);
  return {
    httpStatus: status,
    challenges: challenges.map(challengeToJson),
    problem: { type, title, status, detail, challengeId },
  };
}

/**
 * As an error: with a challenge if another payment may be signed, and without one in all other cases. Clients sign again at a
 * challenge, so a settlement that is not decided must not have one.
 */
function toolErrorOf(answer: SellerAnswer): ToolError {
  const { status, headers, body } = answer;
  const { error: reason, title, detail, message } = membersOf(body);
  const required = requiredOf(answer);
  if (required !== undefined && status === 402 && reason !== 'malformed-credential') {
    const failure = { reason, detail };
    return reason === 'Payment required'
      ? { code: PAYMENT_REQUIRED_CODE, message: 'Payment Required', data: required }
      : {
          code: VERIFICATION_FAILED_CODE,
          message: 'Payment Verification Failed',
          data: { ...required, failure },
        };
  }
  if (required !== undefined) {
    const { problem } = required;
    const data = { httpStatus: status, detail, problem };
    return { code: INVALID_PARAMS, message: `Invalid params: ${title}`, data };
  }
  const retryAfter = headerIn(headers, 'retry-after');
  return {
    code: INTERNAL_ERROR,
    message: typeof message === 'string' ? message : 'The seller failed.',
    data: {
      ...{ httpStatus: status, reason, detail: message },
      ...(retryAfter === undefined ? {} : { retryAfter: Number(retryAfter) }),
    },
  };
}

function membersOf(body: string): Readonly<Record<string, unknown>> {
  return JSON.parse(body) as Readonly<Record<string, unknown>>;
}

/**
 * Returns the answer to a call whose tool failed after the money was taken: the identical call is served again.
 * @param meta of the payment
 * @param failure the server's words
 */
export function owedAnswer(
  call: SoldCall,
  meta: Readonly<Record<string, unknown>>,
  failure: string,
): { readonly result: ToolResult } | { readonly error: ToolError } {
  const text = `The tool failed after it was paid. Send the identical call with the same payment again. The server: ${failure}`;
  if (call.payment === undefined) {
    const data = { httpStatus: 502, reason: 'sale_owed', detail: text };
    return { error: { code: INTERNAL_ERROR, message: text, data } };
  }
  return { result: { isError: true, content: [{ type: 'text', text }], _meta: meta } };
}

/** Names of the payment protocols, in the order in which they are offered. */
type Names = readonly ('x402' | 'mpp')[];

/** What a server that sells tools by MPP says about itself, in `experimental.payment` of its capabilities. */
export const SOLD_METHODS = { methods: { [STELLAR_METHOD]: { intents: [CHARGE_INTENT] } } };

/** What a listed tool says about itself. */
export interface ListedTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: unknown;
}

/** The sentence that a sold tool's description ends with. */
export function priceSentence(amount: AtomicAmount, protocols: Names): string {
  const by = protocols.map((name) => (name === 'mpp' ? 'MPP' : name)).join(' or ');
  return `Costs ${formatDecimalAmount(amount)} USDC on the Stellar test network for each call (${by}).`;
}

/** The price in the `_meta` of a listed tool. */
export function priceMeta(amount: AtomicAmount, network: string, protocols: Names): object {
  return { amount: formatDecimalAmount(amount), currency: 'USDC', network, protocols };
}

/** Returns the declaration of a tool for catalogs (extension `bazaar`). */
export function toolDeclaration({ name, description, inputSchema }: ListedTool): object {
  const described = description === undefined ? {} : { description };
  const text = { type: 'string' };
  return {
    info: {
      input: {
        ...{ type: 'mcp', toolName: name },
        ...described,
        ...{ transport: 'streamable-http', inputSchema },
      },
    },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { ...text, const: 'mcp' },
            toolName: text,
            ...(description === undefined ? {} : { description: text }),
            transport: { ...text, enum: ['streamable-http'] },
            inputSchema: { type: 'object' },
          },
          required: ['type', 'toolName', 'inputSchema'],
          additionalProperties: false,
        },
      },
      required: ['input'],
    },
  };
}
