import type { SettlementHash } from '../../../protocol/index.ts';
import {
  type ExtensionResponses,
  type FacilitatorRequest,
  notCataloged,
} from '../../../protocol/wire/index.ts';
import type { SearchStatus } from '../../search/index.ts';
import type { PreparedPayment } from './paymentScheme.ts';

/** A payment that the ledger has settled. */
export interface Settlement {
  readonly request: FacilitatorRequest;
  readonly payment: PreparedPayment;
  readonly hash: SettlementHash;
  readonly ledger: number;
}

/**
 * The catalog's door (spec: Settlement path, 4). Called after each settlement; its answer goes into
 * the `extension-responses` header, and whatever it does or throws changes nothing else. After an
 * end of the process it may be called again with a settlement that it knows: the hash tells.
 */
export type OnSettled = (settlement: Settlement) => Promise<ExtensionResponses>;

/**
 * What is answered for a payment that declares nothing to discover, with or without a catalog; `undefined` for one
 * that does.
 */
export function answerUndeclared({
  paymentPayload,
}: FacilitatorRequest): ExtensionResponses | undefined {
  const declared = paymentPayload.extensions?.bazaar ?? undefined;
  return declared === undefined ? { bazaar: notCataloged('no_discovery_extension') } : undefined;
}

/** The answer of a service without catalog: nothing was cataloged, and why as far as it is known. */
export const settledWithoutCatalog: OnSettled = async ({ request }) =>
  answerUndeclared(request) ?? { bazaar: notCataloged('cataloging_error') };

/** What the catalog tells in `/health` (spec: Health). */
export interface CatalogHealth {
  readonly frozen: boolean;
  readonly unverifiable: number;
  readonly reverifyPending: number;
  readonly search: SearchStatus;
}

/** The catalog as the facilitator knows it. */
export interface FacilitatorCatalog {
  readonly onSettled: OnSettled;
  status(): CatalogHealth;
}
