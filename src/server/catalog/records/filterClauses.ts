import { USDC_CONTRACT } from '../../../protocol/index.ts';
import type { SqlValue } from '../../store/index.ts';
import type { EntryFilters } from '../entry.ts';
import { amountOrder } from '../paymentOption.ts';

/** A condition on entries `e`, with its parameters. */
export interface Clauses {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** Escapes the characters that `LIKE` reads as wildcards. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, (letter) => `\\${letter}`);
}

/**
 * An entry has few options, which are found by its key. If an amount has bounds, SQLite prefers the index of assets and reads
 * the options of all entries for each entry, unless the asset is an expression.
 */
const ASSET = "(o.asset || '')";

/** Returns the conditions that a single option of an entry must meet. */
function optionClauses(filters: EntryFilters): Clauses {
  const parts: string[] = [];
  const params: SqlValue[] = [];
  for (const name of ['scheme', 'network', 'asset'] as const) {
    const value = filters[name];
    if (value === undefined) continue;
    parts.push(`${name === 'asset' ? ASSET : `o.${name}`} = ?`);
    params.push(value);
  }
  if (filters.minAmount !== undefined) {
    parts.push('o.amount_order >= ?');
    params.push(amountOrder(filters.minAmount));
  }
  if (filters.maxAmount !== undefined) {
    parts.push('o.amount_order <= ?');
    params.push(amountOrder(filters.maxAmount));
  }
  if (filters.maxUsdPrice !== undefined) {
    parts.push(`${ASSET} = ? AND o.amount_order <= ?`);
    params.push(USDC_CONTRACT, amountOrder(filters.maxUsdPrice));
  }
  if (parts.length === 0) return { sql: '', params };
  const sql = `EXISTS (SELECT 1 FROM catalog_options o WHERE o.key = e.key AND ${parts.join(' AND ')})`;
  return { sql, params };
}

/** Returns the condition for listed entries that match the filters. */
export function filterClauses(filters: EntryFilters): Clauses {
  const parts = ['e.listed = 1'];
  const params: SqlValue[] = [];
  if (filters.type !== undefined) {
    parts.push('e.type = ?');
    params.push(filters.type);
  }
  if (filters.origin !== undefined) {
    parts.push('e.origin = ?');
    params.push(filters.origin);
  }
  if (filters.payTo !== undefined) {
    parts.push('e.pay_to = ?');
    params.push(filters.payTo);
  }
  // Every entry has the discovery extension, so this filter has no effect.
  for (const name of [filters.extensions ?? []].flat()) {
    if (name === 'bazaar') continue;
    parts.push("e.extension_names LIKE ? ESCAPE '\\'");
    params.push(`%|${literal(name)}|%`);
  }
  if (filters.urlSubstring !== undefined) {
    parts.push("LOWER(e.url_key) LIKE ? ESCAPE '\\'");
    params.push(`%${literal(filters.urlSubstring.toLowerCase())}%`);
  }
  if (filters.minSettlements !== undefined) {
    parts.push('e.settlements >= ?');
    params.push(Math.min(filters.minSettlements, Number.MAX_SAFE_INTEGER));
  }
  if (filters.ownerVerified !== undefined) {
    parts.push(`e.owner_state ${filters.ownerVerified ? '=' : '<>'} 'verified'`);
  }
  if (filters.protocol !== undefined) {
    parts.push('e.protocols LIKE ?');
    params.push(`%|${filters.protocol}|%`);
  }
  const option = optionClauses(filters);
  if (option.sql !== '') parts.push(option.sql);
  return { sql: parts.join(' AND '), params: [...params, ...option.params] };
}
