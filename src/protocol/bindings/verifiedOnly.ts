// Generated from contracts/wasm/verified-only.wasm by `npm run bindings`; not edited by hand.
import type { StellarAddress } from '../../../common/address.ts';

/** Numbers of the contract's errors, with their names. */
export interface VerifiedOnlyErrors {
  /** The recipient is not a contract that is currently attested. */
  readonly 11: 'NotVerified';
  /** The call is not a payment that this policy recognizes. */
  readonly 12: 'NotAllowed';
  /** The caller is not the account that this policy was deployed for. */
  readonly 15: 'WrongWallet';
}

/** Arguments of the constructor, by name. */
export interface VerifiedOnlyArguments {
  readonly wallet: StellarAddress;
  readonly registry: StellarAddress;
}

/** Names and types of the arguments of the constructor, in its order. */
export const VERIFIED_ONLY_CONSTRUCTOR = [
  { name: 'wallet', type: 'Address' },
  { name: 'registry', type: 'Address' },
] as const;
