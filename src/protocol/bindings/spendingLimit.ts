// Generated from contracts/wasm/spending-limit.wasm by `npm run bindings`; not edited by hand.
import type { StellarAddress } from '../../../common/address.ts';

/** Numbers of the contract's errors, with their names. */
export interface SpendingLimitErrors {
  /** The payment exceeds what is left, or is not a payment that this policy recognizes. */
  readonly 1: 'NotAllowed';
  /** The payment exceeds the maximum for one payment. */
  readonly 2: 'OverOnePayment';
  /** The recipient is not on the list of recipients. */
  readonly 3: 'NotARecipient';
  /** The limit, the window or the number of payments is not above zero, two of the addresses are the same, the maximum for one payment exceeds the limit, or the list of recipients is empty, too long or contains the account. */
  readonly 4: 'InvalidConfig';
  /** The caller is not the account that this policy was deployed for. */
  readonly 5: 'WrongWallet';
  /** The release does not match what was reserved. */
  readonly 6: 'BadRelease';
  /** The window already has its maximum number of payments. */
  readonly 7: 'TooManyPayments';
  /** The limits have changed since this change was prepared. */
  readonly 8: 'Outdated';
}

/** Arguments of the constructor, by name. */
export interface SpendingLimitArguments {
  readonly wallet: StellarAddress;
  readonly token: StellarAddress;
  readonly upto: StellarAddress | null;
  readonly limit: bigint;
  readonly window: bigint;
  readonly per_payment: bigint | null;
  readonly recipients: readonly StellarAddress[] | null;
  readonly payments: number | null;
  readonly sliding: boolean;
}

/** Names and types of the arguments of the constructor, in its order. */
export const SPENDING_LIMIT_CONSTRUCTOR = [
  { name: 'wallet', type: 'Address' },
  { name: 'token', type: 'Address' },
  { name: 'upto', type: 'Option<Address>' },
  { name: 'limit', type: 'i128' },
  { name: 'window', type: 'u64' },
  { name: 'per_payment', type: 'Option<i128>' },
  { name: 'recipients', type: 'Option<Vec<Address>>' },
  { name: 'payments', type: 'Option<u32>' },
  { name: 'sliding', type: 'bool' },
] as const;

/** Arguments of `change_limits`, by name. */
export interface SpendingLimitChangeArguments {
  readonly revision: number;
  readonly limit: bigint;
  readonly window: bigint;
  readonly per_payment: bigint | null;
  readonly recipients: readonly StellarAddress[] | null;
  readonly payments: number | null;
  readonly sliding: boolean;
}

/** Names and types of the arguments of `change_limits`, in its order. */
export const SPENDING_LIMIT_CHANGE = [
  { name: 'revision', type: 'u32' },
  { name: 'limit', type: 'i128' },
  { name: 'window', type: 'u64' },
  { name: 'per_payment', type: 'Option<i128>' },
  { name: 'recipients', type: 'Option<Vec<Address>>' },
  { name: 'payments', type: 'Option<u32>' },
  { name: 'sliding', type: 'bool' },
] as const;
