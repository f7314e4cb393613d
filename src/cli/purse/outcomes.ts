import { type PaymentOutcome, paymentOutcome, type SorobanRpc } from '../../sdk/exact/index.ts';
import type { Entry } from './receiptBook.ts';

/** Members of a result without a response or a payment. */
export const UNPAID = { receipt: null, redirect: null, status: null, body: null } as const;
export const NOTHING_PAID = 'Nothing was paid.';

/** Returns a payment with its current outcome on the ledger; unchanged if the RPC server does not answer. */
export async function lookUp(entry: Entry, rpc: SorobanRpc): Promise<Entry> {
  return decided(entry, await paymentOutcome(entry.sent, rpc).catch(() => undefined));
}

function decided(entry: Entry, outcome: PaymentOutcome | undefined): Entry {
  switch (outcome?.moneyMoved) {
    case 'yes':
      return { ...entry, outcome: 'settled', transaction: outcome.transaction };
    case 'no':
      return { ...entry, outcome: 'not_settled', transaction: '' };
    default:
      return entry;
  }
}

/** A query may contain a key for the seller. */
export function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
