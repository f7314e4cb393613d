import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerService } from '../close/index.ts';
import type { FoundTransaction } from '../history/index.ts';
import { type AddressNames, callWords, contractBook, traceTransaction } from '../trace/index.ts';

/** Maximum number of transactions described at once, and of failures explained. */
const MOST = 60;
const MAX_FAILURES = 8;

/** A transaction in words. */
export interface TransactionWords {
  /** The contract calls that it made; null if it made none. */
  readonly calls: string | null;
  /** Why it failed; null if it succeeded or the cause was not determined. */
  readonly failure: string | null;
}

/** Describes transactions, given their hashes in hex. Those that are not in history are left out. */
export function transactionWords(
  { history, engine }: LedgerService,
  hashes: readonly string[],
  names: AddressNames,
): Record<string, TransactionWords> {
  const book = contractBook(engine.state);
  let failures = 0;
  const described: [string, TransactionWords][] = [];
  for (const hash of hashes.slice(0, MOST)) {
    const found = history.transaction(hash);
    if (found === undefined) continue;
    const words = operationsOf(found.transaction.envelope).flatMap(
      (operation) => callWords(operation, book) ?? [],
    );
    const explained = !found.transaction.successful && failures < MAX_FAILURES;
    if (explained) failures += 1;
    described.push([
      hash,
      {
        calls: words.join('; ') || null,
        failure: explained ? failureWords(found, engine, names) : null,
      },
    ]);
  }
  return Object.fromEntries(described);
}

function failureWords(
  found: FoundTransaction,
  engine: LedgerService['engine'],
  names: AddressNames,
): string {
  const { failure, result } = traceTransaction(found, engine, names);
  if (failure === null) return result;
  const { contract, function: name, meaning } = failure;
  const what = failure.name === null ? meaning : `${failure.name}: ${meaning}`;
  return contract === null ? what : `${contract.name ?? contract.id}.${name}: ${what}`;
}

function operationsOf(envelope: xdr.TransactionEnvelope): readonly xdr.Operation[] {
  switch (envelope.type) {
    case 'envelopeTypeTxFeeBump':
      return envelope.feeBump.tx.innerTx.v1.tx.operations;
    case 'envelopeTypeTxV0':
      return envelope.v0.tx.operations;
    default:
      return envelope.v1.tx.operations;
  }
}
