import type { AtomicAmount } from '../../protocol/index.ts';
import {
  decodeHeaderMessage,
  encodeHeaderMessage,
  formatDecimalAmount,
  PAYMENT_REQUIRED_HEADER,
  PAYMENT_RESPONSE_HEADER,
  PAYMENT_SIGNATURE_HEADER,
} from '../../protocol/index.ts';
import type { SellerAnswer, SellerRequest } from '../offer.ts';

/** Member of a result's `_meta` with the settlement (specs/transports-v2/mcp.md). */
export const SETTLEMENT_META = 'x402/payment-response';
/** Member of a listed tool's `_meta` with its price. */
export const PRICE_META = 'svc-x402/price';

/** A call of a sold tool. */
export interface SoldCall {
  /** Path of the MCP server, as buyers reach it. */
  readonly path: string;
  readonly tool: string;
  /** What was in `_meta["x402/payment"]`; `undefined` without a payment. */
  readonly payment: unknown;
  /** Digest of everything else that was asked for. */
  readonly digest: string;
}

/**
 * Returns a call as a request of the engine: the payment is its header, and the tool belongs to its target, so that a payment
 * for one tool buys no other.
 */
export function toolRequest({ path, tool, payment, digest }: SoldCall): SellerRequest {
  const header = payment === undefined ? undefined : encodeHeaderMessage(payment);
  return {
    method: 'tools/call',
    target: `${path}#${tool}`,
    bodyDigest: digest,
    header: (name) =>
      name.toLowerCase() === PAYMENT_SIGNATURE_HEADER.toLowerCase() ? header : undefined,
  };
}

/** A result of `tools/call`. */
export interface ToolResult {
  readonly isError: true;
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

function headerIn({ headers }: Pick<SellerAnswer, 'headers'>, name: string): unknown {
  const found = headers.find(([each]) => each.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : decodeHeaderMessage(found[1]);
}

/** Returns the settlement that a response's headers carry, as it is written into `_meta`. */
export function settlementIn(headers: SellerAnswer['headers']): unknown {
  return headerIn({ headers }, PAYMENT_RESPONSE_HEADER);
}

/**
 * Returns the engine's own answer as a result: terms as x402's MCP transport writes them, in both places; anything else as an
 * error in words.
 */
export function toolResultOf(answer: SellerAnswer): ToolResult {
  const terms = headerIn(answer, PAYMENT_REQUIRED_HEADER);
  const settlement = settlementIn(answer.headers);
  const meta = settlement === undefined ? {} : { _meta: { [SETTLEMENT_META]: settlement } };
  if (terms === undefined) {
    return { isError: true, content: [{ type: 'text', text: answer.body }], ...meta };
  }
  const text = JSON.stringify(terms);
  return { isError: true, structuredContent: terms, content: [{ type: 'text', text }], ...meta };
}

/** What a listed tool says about itself. */
export interface ListedTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: unknown;
}

/** The sentence that a sold tool's description ends with. */
export function priceSentence(amount: AtomicAmount): string {
  return `Costs ${formatDecimalAmount(amount)} USDC on the Stellar test network for each call (x402).`;
}

/** The price in the `_meta` of a listed tool. */
export function priceMeta(amount: AtomicAmount, network: string): object {
  return { amount: formatDecimalAmount(amount), currency: 'USDC', network, protocols: ['x402'] };
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
