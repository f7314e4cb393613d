import { createHash } from 'node:crypto';
import { type SettlementHash, settlementHash } from '../../src/protocol/index.ts';
import type { SettledPayment } from '../../src/server/catalog/settledPayment.ts';
import { testKey } from './payer.ts';
import { USDC } from './payment.ts';

/** What a test sets in a settled payment; the rest is valid. */
export interface CatalogPaymentParts {
  readonly url?: string;
  readonly payTo?: string;
  readonly payer?: string;
  readonly amount?: string;
  readonly moved?: bigint;
  readonly asset?: string;
  readonly resource?: Readonly<Record<string, unknown>>;
  readonly bazaar?: Readonly<Record<string, unknown>>;
  readonly extensions?: Readonly<Record<string, unknown>> | null;
  /** Declares a tool instead of a route. */
  readonly tool?: string;
  readonly hash?: SettlementHash;
  readonly isProved?: boolean;
}

let settlements = 0;

/** The hash of a settlement that nobody else has. */
export function hashOf(name: string): SettlementHash {
  return settlementHash(createHash('sha256').update(name).digest());
}

function declaration({ tool }: CatalogPaymentParts) {
  const input =
    tool === undefined
      ? { type: 'http', method: 'GET', queryParams: {} }
      : { type: 'mcp', toolName: tool, inputSchema: { type: 'object' } };
  return {
    info: { input },
    schema: { type: 'object', properties: { input: { type: 'object' } }, required: ['input'] },
  };
}

/** A settled payment with its declaration, as the facilitator's hook brings it. */
export function catalogPayment(parts: CatalogPaymentParts = {}): SettledPayment {
  settlements += 1;
  const payTo = parts.payTo ?? testKey('seller').address;
  const bazaar = { ...declaration(parts), ...parts.bazaar };
  return {
    hash: parts.hash ?? hashOf(`settlement ${settlements}`),
    payer: testKey(parts.payer ?? 'payer').address,
    payTo,
    moved: parts.moved ?? 100_000n,
    isProved: parts.isProved ?? true,
    option: {
      scheme: 'exact',
      network: 'stellar:testnet',
      asset: parts.asset ?? USDC,
      amount: parts.amount ?? '100000',
      payTo,
      maxTimeoutSeconds: 60,
      extra: { areFeesSponsored: true },
    },
    declared: {
      resource: { url: parts.url ?? 'https://api.seller.dev/quote', ...parts.resource },
      extensions: parts.extensions === null ? undefined : { bazaar, ...parts.extensions },
    },
  };
}
