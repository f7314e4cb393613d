import type { Outcome } from '../../mcp/pay/purse.ts';
import type { MoneyMoved } from '../../protocol/index.ts';
import { paymentOutcome, type SorobanRpc } from '../../sdk/exact/index.ts';
import { type Entry, isUndecided } from './receiptBook.ts';

/** Members of a result without a response or a payment. */
export const UNPAID = {
  alreadyPaid: false,
  receipt: null,
  redirect: null,
  status: null,
  body: null,
} as const;
export const NOTHING_PAID = 'Nothing was paid.';

/** Returns a payment with its current outcome on the ledger, which is unknown if the RPC server does not answer. */
export async function lookUp(entry: Entry, rpc: SorobanRpc): Promise<Entry> {
  if (!isUndecided(entry)) return entry;
  const found = await paymentOutcome(entry.sent, rpc).catch(() => undefined);
  const outcome = outcomeBy(found?.moneyMoved ?? 'unknown');
  if (found?.moneyMoved === 'yes') return { ...entry, outcome, transaction: found.transaction };
  return { ...entry, outcome, ...(outcome === 'not_settled' ? { transaction: '' } : {}) };
}

function outcomeBy(moneyMoved: MoneyMoved): Outcome {
  switch (moneyMoved) {
    case 'yes':
      return 'settled';
    case 'not_yet':
      return 'not_yet';
    case 'no':
    case 'fees':
      return 'not_settled';
    case 'unknown':
      return 'unknown';
  }
}

/** What is known of an undecided payment, and what to do, in sentences. */
export function undecidedInWords({ outcome, sent: { expirationLedger } }: Entry): string {
  const now =
    outcome === 'not_yet'
      ? `Nothing was paid so far, and it can still settle until ledger ${expirationLedger}.`
      : `Whether it was paid is not known now; it can still settle until ledger ${expirationLedger}, if that has not passed.`;
  return `${now} It counts as spent until the ledger decides. Call again with the same arguments, which pays nothing while it can settle; do not pay in another way.`;
}
