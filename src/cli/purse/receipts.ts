import type { Receipt, SellerSum } from '../../mcp/pay/purse.ts';
import { formatDecimalAmount } from '../../protocol/index.ts';
import { type Entry, isUndecided } from './receiptBook.ts';

/** A payment in the form that agents see. */
export function receiptOf(entry: Entry): Receipt {
  const { time, method, url, sent, outcome, transaction, delivered } = entry;
  const { amount, payer, payTo, expirationLedger } = sent;
  return {
    ...{ time, method, url, amount: formatDecimalAmount(amount), payer, payTo, outcome },
    transaction: transaction === '' ? null : transaction,
    expirationLedger,
    delivered,
  };
}

/** Returns the amounts paid to each seller, largest first. A seller is an origin and a recipient. */
export function sumsOf(entries: readonly Entry[]): readonly SellerSum[] {
  const sums = new Map<string, { seller: string; payTo: string; list: Entry[] }>();
  for (const entry of entries) {
    if (entry.outcome === 'not_settled') continue;
    const { origin: seller } = new URL(entry.url);
    const { payTo } = entry.sent;
    const known = sums.get(`${seller} ${payTo}`) ?? { seller, payTo, list: [] };
    known.list.push(entry);
    sums.set(`${seller} ${payTo}`, known);
  }
  return [...sums.values()]
    .map(({ seller, payTo, list }) => ({
      ...{ seller, payTo, payments: list.length },
      spent: total(list.filter(({ outcome }) => outcome === 'settled')),
      undecided: total(list.filter(isUndecided)),
    }))
    .sort((a, b) => Number(b.spent) - Number(a.spent));
}

function total(entries: readonly Entry[]): string {
  return formatDecimalAmount(entries.reduce((sum, { sent }) => sum + sent.amount, 0n));
}
