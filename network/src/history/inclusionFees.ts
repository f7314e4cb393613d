import { xdr } from '@stellar/stellar-sdk';
import { isSorobanBody } from '../transaction/index.ts';
import type { ClosedTransaction } from './closedTransaction.ts';
import type { LedgerHistory } from './ledgerHistory.ts';

/** Inclusion fees that transactions paid, in stroops, without resource fees. */
export interface InclusionFees {
  /** Per operation of each classic transaction. */
  readonly classic: readonly bigint[];
  /** Per Soroban transaction. */
  readonly soroban: readonly bigint[];
  /** How many ledgers were examined. */
  readonly ledgerCount: number;
}

/** Returns the fees that were paid in the newest ledgers. */
export function inclusionFees(history: LedgerHistory, ledgers: number): InclusionFees {
  const first = Math.max(history.oldestSequence, history.latestSequence - ledgers + 1);
  const classic: bigint[] = [];
  const soroban: bigint[] = [];
  for (const ledger of history.ledgersWithTransactions(first, history.latestSequence)) {
    for (const transaction of ledger.transactions) {
      const { operations, resourceFee } = bidOf(transaction.envelope);
      if (resourceFee === undefined) {
        classic.push(transaction.result.feeCharged / BigInt(Math.max(1, operations)));
      } else {
        soroban.push(chargedFirst(transaction) - resourceFee);
      }
    }
  }
  return { classic, soroban, ledgerCount: history.latestSequence - first + 1 };
}

/** The fee charged before the transaction ran, without the later refund for unused resources. */
function chargedFirst({ feeChanges }: ClosedTransaction): bigint {
  let charged = 0n;
  for (const change of feeChanges) {
    if (change.type === 'ledgerEntryState') charged += balanceOf(change.state);
    if (change.type === 'ledgerEntryUpdated') charged -= balanceOf(change.updated);
  }
  return charged;
}

function balanceOf({ data }: xdr.LedgerEntry): bigint {
  return data.type === 'account' ? data.account.balance : 0n;
}

function bidOf(envelope: xdr.TransactionEnvelope): {
  readonly operations: number;
  /** For Soroban transactions only. */
  readonly resourceFee: bigint | undefined;
} {
  const inner =
    envelope.type === 'envelopeTypeTxFeeBump'
      ? xdr.TransactionEnvelope.envelopeTypeTx(envelope.feeBump.tx.innerTx.v1)
      : envelope;
  const { tx } = inner.value;
  const [first] = tx.operations;
  const { ext } = tx;
  const declared = ext.type === 'sorobanData' ? ext.sorobanData.resourceFee : 0n;
  const soroban = first !== undefined && isSorobanBody(first.body);
  return {
    operations: tx.operations.length,
    resourceFee: soroban ? declared : undefined,
  };
}
