import type { StellarAddress } from '../../../protocol/index.ts';
import type { CatalogReason } from '../../../protocol/wire/index.ts';
import type { EntryRow } from './entryRow.ts';

export type BindingRefusal = Extract<
  CatalogReason,
  'binding_refused' | 'ownership_tombstone_mismatch' | 'unbound_payto'
>;

export type BindingVerdict =
  /** The key is free: the first payment for it binds it, unless another recipient's route covers it. */
  | { readonly kind: 'unbound' }
  /** The recipient's own, listed or to be listed again. */
  | { readonly kind: 'own'; readonly row: EntryRow }
  | { readonly kind: 'refused'; readonly reason: BindingRefusal };

/**
 * Determines who owns a key (spec: Catalog ownership binding). Exactly one of the three refusals applies:
 * - `binding_refused`: an entry is listed under this key for another recipient;
 * - `ownership_tombstone_mismatch`: no entry is listed, and another recipient owned the last one;
 * - `unbound_payto`: nobody ever owned the key, but trust on first use does not apply to it, because
 *   another recipient owns a route that covers it or is covered by it, or a tool of the same server
 *   (`isForeignRoute`, called only for a free key).
 */
export function judgeBinding(row: EntryRow | undefined, payTo: StellarAddress): BindingVerdict {
  if (row === undefined) return { kind: 'unbound' };
  if (row.pay_to === payTo) return { kind: 'own', row };
  return {
    kind: 'refused',
    reason: row.listed === 1 ? 'binding_refused' : 'ownership_tombstone_mismatch',
  };
}
