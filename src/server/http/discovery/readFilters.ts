import {
  canonicalPayTo,
  PAYMENT_PROTOCOLS,
  type PaymentProtocol,
} from '../../../protocol/index.ts';
import { type EntryFilters, ORDERS, type Order } from '../../catalog/index.ts';
import { BadParameter, type Parameters } from './parameters.ts';

/** Longest `asset` (spec: Limits/asset filter). */
const MAX_ASSET_LENGTH = 56;
const DEFAULT_LIMIT = 20;
/** Most entries of one answer. */
export const MAX_LIMIT = 100;

type SharedFilters = Pick<EntryFilters, 'type' | 'payTo' | 'scheme' | 'network' | 'extensions'>;

/** Returns a copy without undefined members. */
function given<T extends object>(members: { [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as T;
}

/** Converts a network to CAIP-2, also from the form of x402's first version. */
function networkOf(given: string | undefined): string | undefined {
  return given?.toLowerCase().replace(/^stellar[-_](?=testnet$|pubnet$)/, 'stellar:');
}

/**
 * The filters that list and search share (spec: GET /discovery/resources).
 * @throws BadParameter
 */
export function readSharedFilters(parameters: Parameters): SharedFilters {
  const verifiedOnly = parameters.text('verified_only');
  if (verifiedOnly !== undefined && verifiedOnly !== 'false') {
    throw new BadParameter('no_verdict_source_configured');
  }
  const type = parameters.text('type');
  if (type !== undefined && type !== 'http' && type !== 'mcp') {
    throw new BadParameter('invalid_parameter', 'type is http or mcp');
  }
  const payTo = parameters.text('payTo');
  const extensions = parameters.texts('extensions');
  return given<SharedFilters>({
    type,
    // In canonical form, as stored; a text that is not an address matches nothing.
    payTo: payTo === undefined ? undefined : (canonicalPayTo(payTo) ?? payTo),
    scheme: parameters.text('scheme'),
    network: networkOf(parameters.text('network')),
    extensions: extensions.length === 0 ? undefined : extensions,
  });
}

/**
 * Reads the filters that narrow a search. It has those of the list except the asset (spec: GET
 * /discovery/search), and without an asset an amount in atomic units means nothing: the price is in USDC.
 * @throws BadParameter
 */
export function readNarrowing(
  parameters: Parameters,
): Pick<
  EntryFilters,
  'urlSubstring' | 'minSettlements' | 'ownerVerified' | 'protocol' | 'maxUsdPrice'
> {
  const minSettlements = parameters.amount('minSettlements');
  return given({
    urlSubstring: parameters.text('urlSubstring'),
    minSettlements: minSettlements === undefined ? undefined : Number(minSettlements),
    ownerVerified: parameters.flag('ownerVerified'),
    protocol: readProtocol(parameters),
    maxUsdPrice: parameters.usdc('maxUsdPrice'),
  });
}

/** @throws BadParameter */
function readProtocol(parameters: Parameters): PaymentProtocol | undefined {
  const text = parameters.text('protocol');
  const protocol = PAYMENT_PROTOCOLS.find((known) => known === text?.toLowerCase());
  if (text === undefined || protocol !== undefined) return protocol;
  throw new BadParameter('invalid_parameter', `protocol is ${PAYMENT_PROTOCOLS.join(' or ')}`);
}

/**
 * Reads the filters of the list: the shared ones, the asset, a price range, a part of the URL, and the
 * state of an entry.
 * @throws BadParameter
 */
export function readListFilters(parameters: Parameters): EntryFilters {
  return given<EntryFilters>({
    ...readSharedFilters(parameters),
    ...readNarrowing(parameters),
    asset: parameters.text('asset', MAX_ASSET_LENGTH),
    minAmount: parameters.amount('minAmount'),
    maxAmount: parameters.amount('maxAmount'),
  });
}

/** Reads the order of the list. Default: oldest first. @throws BadParameter */
export function readOrder(parameters: Parameters): Order {
  const text = parameters.text('order') ?? 'oldest';
  const order = ORDERS.find((known) => known === text);
  if (order !== undefined) return order;
  throw new BadParameter('invalid_parameter', `order is ${ORDERS.join(', ')}`);
}

/** @throws BadParameter */
export function readLimit(parameters: Parameters): number {
  return parameters.integer('limit', DEFAULT_LIMIT, 1, MAX_LIMIT);
}

/** @throws BadParameter */
export function readOffset(parameters: Parameters): number {
  return parameters.integer('offset', 0, 0, Number.MAX_SAFE_INTEGER);
}
