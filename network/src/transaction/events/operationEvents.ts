import type { xdr } from '@stellar/stellar-sdk';

/**
 * Collects the unified asset events (CAP-67) of one classic operation. Rules call it wherever value moves; a network that does
 * not emit classic events passes a collector that drops them.
 *
 * Addresses are passed as written in the transaction: a multiplexed destination, or the transaction's memo, becomes the
 * `to_muxed_id` of the event as the CAP specifies.
 */
export interface OperationEvents {
  /**
   * Records that value moved: as `mint` if it left the asset's issuer, as `burn` if it returned there, otherwise as `transfer`.
   */
  transfer(
    asset: xdr.Asset,
    from: EventParty,
    to: EventParty,
    amount: bigint,
    options?: { readonly allowMuxedIdOrMemo?: boolean },
  ): void;
  burn(asset: xdr.Asset, from: EventParty, amount: bigint): void;
  clawback(asset: xdr.Asset, from: EventParty, amount: bigint): void;
  setAuthorized(asset: xdr.Asset, account: xdr.PublicKey, authorized: boolean): void;
  /** Records one transfer in each direction for every offer or pool that an exchange crossed. */
  claims(source: xdr.MuxedAccount, claims: readonly xdr.ClaimAtom[]): void;
}

/** A party from or to which value moved. */
export type EventParty = xdr.MuxedAccount | xdr.ScAddress;
