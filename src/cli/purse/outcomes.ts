import type { Outcome } from '../../mcp/pay/purse.ts';
import { moneyMovedBy, readFate } from '../../protocol/fate/index.ts';
import type { ContractAddress, MoneyMoved, StellarAddress } from '../../protocol/index.ts';
import { type PaymentOutcome, paymentOutcome, type SorobanRpc } from '../../sdk/exact/index.ts';
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

const UNKNOWN: PaymentOutcome = { moneyMoved: 'unknown' };

/** Returns a payment with its current outcome on the ledger, which is unknown if the RPC server does not answer. */
export async function lookUp(entry: Entry, rpc: SorobanRpc): Promise<Entry> {
  if (!isUndecided(entry)) return entry;
  const found = await paymentOutcome(entry.sent, rpc).catch(() => UNKNOWN);
  const outcome = outcomeBy(
    found.moneyMoved === 'unknown' ? await openOrUnknown(entry, rpc) : found.moneyMoved,
  );
  if (outcome === 'settled' && 'transaction' in found) {
    return { ...entry, outcome, transaction: found.transaction };
  }
  return { ...entry, outcome, ...(outcome === 'not_settled' ? { transaction: '' } : {}) };
}

/** Distinguishes a payment that can still settle from one about which nothing could be read. */
async function openOrUnknown({ sent }: Entry, rpc: SorobanRpc): Promise<MoneyMoved> {
  const transfer = {
    asset: sent.asset as ContractAddress,
    from: sent.payer as StellarAddress,
    to: sent.payTo as StellarAddress,
    nonce: sent.nonce,
    amount: sent.amount,
    expirationLedger: sent.expirationLedger,
    firstLedger: sent.signedLedger,
  };
  const fate = await readFate(transfer, {
    entries: (keys) => rpc.entries(keys),
    // Only the entry of the nonce is asked for here: what the history says was looked up before.
    movements: async () => undefined,
    transaction: async () => undefined,
  }).catch(() => undefined);
  return fate?.state === 'open' ? moneyMovedBy(fate) : 'unknown';
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
