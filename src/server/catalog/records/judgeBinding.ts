import type { StellarAddress } from '../../../protocol/index.ts';
import type { CatalogReason } from '../../../protocol/wire/index.ts';
import type { EntryRow } from './entryRow.ts';

export type BindingRefusal = Extract<
  CatalogReason,
  'binding_refused' | 'ownership_tombstone_mismatch' | 'unbound_payto'
>;

export type BindingVerdict =
  /** The key is free: the first payment for it binds it, if nobody else's route covers it. */
  | { readonly kind: 'unbound' }
  /** The recipient's own, listed or to be listed again. */
  | { readonly kind: 'own'; readonly row: EntryRow }
  | { readonly kind: 'refused'; readonly reason: BindingRefusal };

/**
 * Who owns a key (spec: Catalog ownership binding). Of the three refusals exactly one applies:
 * - `binding_refused`: an entry is listed under this key for another recipient;
 * - `ownership_tombstone_mismatch`: no entry is listed, and another recipient owned the last one;
 * - `unbound_payto`: nobody ever owned the key, and trust on first use is not open for it, since
 *   another recipient owns a route that covers it, or is covered by it, or a tool of the same server
 *   (`isForeignRoute`, asked only for a key that is free).
 */
export function judgeBinding(row: EntryRow | undefined, payTo: StellarAddress): BindingVerdict {
  if (row === undefined) return { kind: 'unbound' };
  if (row.pay_to === payTo) return { kind: 'own', row };
  return {
    kind: 'refused',
    reason: row.listed === 1 ? 'binding_refused' : 'ownership_tombstone_mismatch',
  };
}
