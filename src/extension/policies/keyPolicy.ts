import type { KeyLimits, KeyStanding } from '../../protocol/smartAccount/index.ts';

/** Limits of a key that the account itself enforces, with the ledger's data about them. */
export interface KeyPolicy extends Omit<KeyLimits, 'coSigners'> {
  /** `other`: the account holds the key with other limits. */
  readonly held: 'yes' | 'other' | 'no';
  readonly coSigners: readonly { readonly key: string; readonly standing: KeyStanding }[];
}
