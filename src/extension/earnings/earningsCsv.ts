import { formatDecimalAmount } from '../../protocol/index.ts';
import type { Settlement } from '../chain/index.ts';

const HEAD = ['time', 'amount', 'asset', 'route', 'payer', 'transaction'];

/**
 * Settlements as CSV (RFC 4180), newest first, in the order read. Amounts are exact.
 * @param routeOfHash the route that a settlement was for, where it is known
 */
export function earningsCsv(
  settlements: readonly Settlement[],
  routeOfHash: (hash: string) => string | undefined,
): string {
  const lines = settlements.map(({ at, amount, from, hash }) => [
    at.toISOString(),
    formatDecimalAmount(amount),
    'USDC',
    routeOfHash(hash) ?? '',
    from,
    hash,
  ]);
  return [HEAD, ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

/** Prefixes text that spreadsheets would run as a formula with an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
