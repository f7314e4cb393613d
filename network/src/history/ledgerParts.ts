import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { ParsedTransaction } from '../transaction/envelope/index.ts';
import { encodeXdr, encodeXdrList, knownXdr, XdrCursor } from '../xdr/index.ts';

/** The XDR of a transaction and of the ledger's records about it. */
export interface TransactionParts {
  /** Hex. */
  readonly hash: string;
  readonly envelope: Uint8Array;
  readonly result: Uint8Array;
  /** A list: its length, then each change. */
  readonly feeChanges: Uint8Array;
  readonly meta: Uint8Array;
}

/** The XDR of the parts of a closed ledger: views that share the ledger's memory. */
export interface LedgerParts {
  readonly header: Uint8Array;
  /** In application order. */
  readonly transactions: readonly TransactionParts[];
}

/** The XDR of the parts of a transaction's meta that clients request. */
export interface MetaParts {
  /** The changes of each operation, as a list: its length, then each change. */
  readonly operationChanges: readonly Uint8Array[];
  readonly operationEvents: readonly (readonly Uint8Array[])[];
  readonly transactionEvents: readonly Uint8Array[];
  readonly diagnosticEvents: readonly Uint8Array[];
}

/** A transaction and the ledger's record of it, decoded. */
export interface WrittenTransaction {
  /** Hex. */
  readonly hash: string;
  readonly envelope: xdr.TransactionEnvelope;
  readonly record: xdr.TransactionResultMetaV1;
}

/** The version of `LedgerCloseMeta` written here. */
const LEDGER_META = 2;
const TRANSACTION_META = 4;
/** The cases of `TransactionPhase`. */
const COMPONENTS = 0;
const NO_META: MetaParts = {
  operationChanges: [],
  operationEvents: [],
  transactionEvents: [],
  diagnosticEvents: [],
};

/**
 * Cuts a `LedgerCloseMeta` into its parts.
 * @throws RangeError if the bytes are not a ledger of the version written here
 */
export function ledgerParts(networkId: Uint8Array, bytes: Uint8Array): LedgerParts {
  const cursor = new XdrCursor(bytes);
  const version = cursor.uint32();
  if (version !== LEDGER_META) throw new RangeError(`it has version ${version}`);
  cursor.skip(xdr.LedgerCloseMetaExt);
  const header = cursor.take(xdr.LedgerHeaderHistoryEntry);
  const envelopes = envelopesOf(cursor);
  const records = cursor.list(() => recordOf(cursor));
  cursor.skipList(xdr.UpgradeEntryMeta);
  cursor.skipList(xdr.ScpHistoryEntry);
  cursor.skip64();
  cursor.skipList(xdr.LedgerKey);
  cursor.end();
  // The set has its own order, so results refer to envelopes by hash.
  const byHash = new Map(envelopes.map((one) => [envelopeHash(networkId, one), one]));
  const transactions = records.map((record) => {
    const envelope = byHash.get(record.hash);
    if (envelope === undefined) throw new RangeError('it has a result without a transaction');
    return { ...record, envelope };
  });
  return { header, transactions };
}

/** The parts of a decoded transaction. They were encoded with its ledger, and most of the XDR is cached. */
export function partsOf({ hash, envelope, record }: WrittenTransaction): TransactionParts {
  return {
    hash,
    envelope: writtenXdr(envelope),
    result: encodeXdr(record.result.result),
    feeChanges: encodeXdrList(record.feeProcessing),
    meta: writtenXdr(record.txApplyProcessing),
  };
}

function writtenXdr(value: xdr.XdrValue): Uint8Array {
  return knownXdr(value) ?? encodeXdr(value);
}

/** The transactions of a set, in the set's order. */
function envelopesOf(cursor: XdrCursor): Uint8Array[] {
  const version = cursor.uint32();
  if (version !== 1) throw new RangeError(`it has a transaction set of version ${version}`);
  cursor.skip(xdr.Hash);
  const take = () => cursor.takeList(xdr.TransactionEnvelope);
  const baseFee = () => {
    if (cursor.uint32() === 1) cursor.skip64();
  };
  const phases = cursor.list(() => {
    if (cursor.uint32() === COMPONENTS) {
      return cursor.list(() => {
        cursor.skip(xdr.TxSetComponentType);
        baseFee();
        return [take()];
      });
    }
    baseFee();
    return cursor.list(() => cursor.list(take));
  });
  return phases.flat(3);
}

function recordOf(cursor: XdrCursor): Omit<TransactionParts, 'envelope'> {
  cursor.skip(xdr.ExtensionPoint);
  const hash = hex(cursor.take(xdr.Hash));
  const result = cursor.take(xdr.TransactionResult);
  const feeChanges = cursor.taken(() => cursor.skipList(xdr.LedgerEntryChange));
  const meta = cursor.take(xdr.TransactionMeta);
  cursor.skipList(xdr.LedgerEntryChange);
  return { hash, result, feeChanges, meta };
}

/** Cuts a `TransactionMeta` into its parts; an older version has none. */
export function metaParts(meta: Uint8Array): MetaParts {
  const cursor = new XdrCursor(meta);
  if (cursor.uint32() !== TRANSACTION_META) return NO_META;
  cursor.skip(xdr.ExtensionPoint);
  cursor.skipList(xdr.LedgerEntryChange);
  const operations = cursor.list(() => {
    cursor.skip(xdr.ExtensionPoint);
    const changes = cursor.taken(() => cursor.skipList(xdr.LedgerEntryChange));
    return { changes, events: cursor.takeList(xdr.ContractEvent) };
  });
  cursor.skipList(xdr.LedgerEntryChange);
  if (cursor.uint32() === 1) cursor.skip(xdr.SorobanTransactionMetaV2);
  return {
    operationChanges: operations.map(({ changes }) => changes),
    operationEvents: operations.map(({ events }) => events),
    transactionEvents: cursor.takeList(xdr.TransactionEvent),
    diagnosticEvents: cursor.takeList(xdr.DiagnosticEvent),
  };
}

/** The cases of `TransactionEnvelope` whose hash covers exactly the bytes that follow the case, up to the signatures. */
const HASHED: ReadonlyMap<number, object> = new Map<number, object>([
  [2, xdr.Transaction],
  [5, xdr.FeeBumpTransaction],
]);

/** The hash by which results and meta refer to a transaction, in hex: that of its `TransactionSignaturePayload`. */
function envelopeHash(networkId: Uint8Array, envelope: Uint8Array): string {
  const cursor = new XdrCursor(envelope);
  const type = HASHED.get(cursor.uint32());
  if (type === undefined) {
    const decoded = xdr.TransactionEnvelope.fromXdr(envelope);
    return new ParsedTransaction(networkId, decoded).hash.toString('hex');
  }
  // The payload uses the same tag as the envelope.
  const tag = envelope.subarray(0, 4);
  return createHash('sha256').update(networkId).update(tag).update(cursor.take(type)).digest('hex');
}

function hex({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}
