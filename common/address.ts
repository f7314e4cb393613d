import { decodeStrKey } from './strKey.ts';

declare const accountBrand: unique symbol;
declare const contractBrand: unique symbol;

/** A classic account, `G…`, with a valid checksum. */
export type AccountAddress = string & { readonly [accountBrand]: true };

/** A contract (an asset's contract or a smart account), `C…`, with a valid checksum. */
export type ContractAddress = string & { readonly [contractBrand]: true };

/** An address that can pay or be paid. Muxed accounts (`M…`) are excluded: see `isMuxedAddress`. */
export type StellarAddress = AccountAddress | ContractAddress;

export function parseAccountAddress(text: string): AccountAddress | undefined {
  return decodeStrKey('account', text) === undefined ? undefined : (text as AccountAddress);
}

export function parseContractAddress(text: string): ContractAddress | undefined {
  return decodeStrKey('contract', text) === undefined ? undefined : (text as ContractAddress);
}

/** Reads a `G…` or `C…` address (spec: paymentRequirements/payTo). */
export function parseStellarAddress(text: string): StellarAddress | undefined {
  return parseAccountAddress(text) ?? parseContractAddress(text);
}

export function isAccountAddress(address: StellarAddress): address is AccountAddress {
  return address.startsWith('G');
}

/**
 * Whether a string has the form of a muxed account. Muxed accounts have their own refusal: a token's transfer event names the
 * underlying account, so a payment to `M…` would look like one to `G…`.
 */
export function isMuxedAddress(text: string): boolean {
  return /^M[A-Z2-7]{68}$/.test(text);
}
