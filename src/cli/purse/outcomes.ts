import { type PaymentOutcome, paymentOutcome, type SorobanRpc } from '../../sdk/exact/index.ts';
import type { Entry } from './receiptBook.ts';

/** Members of a result without a response or a payment. */
export const UNPAID = { receipt: null, redirect: null, status: null, body: null } as const;
export const NOTHING_PAID = 'Nothing was paid.';

const UNKNOWN: PaymentOutcome = { moneyMoved: 'unknown' };

/** Returns a payment with its current outcome on the ledger; unchanged if the RPC server does not answer. */
export async function lookUp(entry: Entry, rpc: SorobanRpc): Promise<Entry> {
  return decided(entry, await paymentOutcome(entry.sent, rpc).catch(() => UNKNOWN));
}

function decided(entry: Entry, outcome: PaymentOutcome): Entry {
  if (outcome.moneyMoved === 'unknown') return entry;
  if (outcome.moneyMoved === 'no') return { ...entry, outcome: 'not_settled', transaction: '' };
  const { transaction } = outcome;
  return { ...entry, outcome: 'settled', transaction };
}

/** A query may contain a key for the seller. */
export function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
