import type { SettlementHash, StellarAddress } from '../../../protocol/index.ts';
import {
  type ExtensionResponses,
  type FacilitatorRequest,
  notCataloged,
} from '../../../protocol/wire/index.ts';
import type { SearchStatus } from '../../search/index.ts';
import type { PreparedPayment } from './paymentScheme.ts';
import type { Refusal } from './rejection.ts';

/** The outcome of `/verify`. */
export type VerifyOutcome =
  | { readonly status: 'valid'; readonly payer: StellarAddress }
  | { readonly status: 'invalid'; readonly rejection: Refusal };

/** The outcome of `/settle`, which is always based on evidence (spec: Settlement outcomes). */
export type SettleOutcome =
  | {
      readonly status: 'settled';
      readonly payment: PreparedPayment;
      readonly hash: SettlementHash;
      readonly extensions: ExtensionResponses;
    }
  /** Nothing was submitted. */
  | { readonly status: 'rejected'; readonly rejection: Refusal }
  /** Submitted, and failed on the ledger or never included in it. */
  | { readonly status: 'failed'; readonly hash: SettlementHash; readonly rejection: Refusal }
  /** Submitted, but not decided in time. */
  | { readonly status: 'pending'; readonly hash: SettlementHash; readonly rejection: Refusal };

/** A payment that the ledger has settled. */
export interface Settlement {
  readonly request: FacilitatorRequest;
  readonly payment: PreparedPayment;
  readonly hash: SettlementHash;
  readonly ledger: number;
  /** Whether the ledger itself moved the asset. What only a token reports proves nothing. */
  readonly isProved: boolean;
}

/**
 * The catalog's hook (spec: Settlement path, 4). Called after each settlement; its result goes into the `extension-responses`
 * header, and nothing it does or throws affects anything else. After a restart it may be called again for the same settlement,
 * identified by the hash.
 */
export type OnSettled = (settlement: Settlement) => Promise<ExtensionResponses>;

/**
 * Returns the response for a payment that declares no discovery extension, with or without a catalog; `undefined` for
 * one that does.
 */
export function answerUndeclared({
  paymentPayload,
}: FacilitatorRequest): ExtensionResponses | undefined {
  const declared = paymentPayload.extensions?.bazaar ?? undefined;
  return declared === undefined ? { bazaar: notCataloged('no_discovery_extension') } : undefined;
}

/** The hook of a service without a catalog, which lists nothing and gives the reason if it is known. */
export const settledWithoutCatalog: OnSettled = async ({ request }) =>
  answerUndeclared(request) ?? { bazaar: notCataloged('cataloging_error') };

/** The catalog's members of `/health` (spec: Health). */
export interface CatalogHealth {
  readonly frozen: boolean;
  readonly unverifiable: number;
  readonly reverifyPending: number;
  /** Keys of stored rows that cannot be read and are left out. */
  readonly damagedRows: readonly string[];
  readonly search: SearchStatus;
}

/** The part of the catalog that the facilitator uses. */
export interface FacilitatorCatalog {
  readonly onSettled: OnSettled;
  status(): CatalogHealth;
}
