// Generated from contracts/wasm/spending-limit.wasm by `npm run bindings`; not edited by hand.
import type { StellarAddress } from '../address.ts';

/** Numbers of the contract's errors, with their names. */
export interface SpendingLimitErrors {
  /** The payment is over what is left, or it is no payment that this policy knows. */
  readonly 1: 'NotAllowed';
  /** The limit or the window is not above zero, or two of the addresses are one. */
  readonly 4: 'InvalidConfig';
  /** The caller is not the account that this policy is made for. */
  readonly 5: 'WrongWallet';
  /** What is released is not what was reserved. */
  readonly 6: 'BadRelease';
}

/** Arguments of the constructor, by name. */
export interface SpendingLimitArguments {
  readonly wallet: StellarAddress;
  readonly token: StellarAddress;
  readonly upto: StellarAddress | null;
  readonly limit: bigint;
  readonly window: bigint;
}

/** Names and types of the arguments of the constructor, in its order. */
export const SPENDING_LIMIT_CONSTRUCTOR = [
  { name: 'wallet', type: 'Address' },
  { name: 'token', type: 'Address' },
  { name: 'upto', type: 'Option<Address>' },
  { name: 'limit', type: 'i128' },
  { name: 'window', type: 'u64' },
] as const;
