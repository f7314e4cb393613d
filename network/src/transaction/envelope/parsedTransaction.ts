import { xdr } from '@stellar/stellar-sdk';
import { sha256, sha256Of } from '../../../../common/machine/sha256.ts';
import { encodeXdr } from '../../xdr/index.ts';
import { accountOfMuxed } from '../balances/index.ts';

/** The outer part of a fee bump (CAP-15). */
export interface FeeBump {
  readonly hash: Buffer;
  readonly feeSource: xdr.PublicKey;
  /** The total that the fee source bids, in stroops. */
  readonly fee: bigint;
  readonly signatures: readonly xdr.DecoratedSignature[];
}

/** A transaction as the network handles it: plain or wrapped in a fee bump. */
export class ParsedTransaction {
  readonly envelope: xdr.TransactionEnvelope;
  readonly inner: InnerTransaction;
  readonly feeBump: FeeBump | undefined;
  #fullHash: Buffer | undefined;

  constructor(networkId: Uint8Array, envelope: xdr.TransactionEnvelope) {
    this.envelope = envelope;
    if (envelope.type === 'envelopeTypeTxFeeBump') {
      const { tx, signatures } = envelope.feeBump;
      this.inner = new InnerTransaction(
        networkId,
        xdr.TransactionEnvelope.envelopeTypeTx(tx.innerTx.v1),
      );
      this.feeBump = {
        hash: feeBumpHash(networkId, tx),
        feeSource: accountOfMuxed(tx.feeSource),
        fee: tx.fee,
        signatures,
      };
    } else {
      this.inner = new InnerTransaction(networkId, envelope);
      this.feeBump = undefined;
    }
  }

  /** The hash by which results and meta refer to it: that of the fee bump, if there is one. */
  get hash(): Buffer {
    return this.feeBump?.hash ?? this.inner.hash;
  }

  /** SHA-256 of the entire envelope including signatures, by which transactions are ordered in a set. */
  get fullHash(): Buffer {
    if (this.#fullHash === undefined) {
      const bytes = this.feeBump === undefined ? this.inner.envelopeXdr : encodeXdr(this.envelope);
      this.#fullHash = sha256(bytes);
    }
    return this.#fullHash;
  }

  /** The account that pays the fee. */
  get feeSource(): xdr.PublicKey {
    return this.feeBump?.feeSource ?? this.inner.source;
  }

  /** The bid in stroops, including the resource fee. */
  get fee(): bigint {
    return this.feeBump?.fee ?? this.inner.fee;
  }

  /** Number of operations for which the fee is counted: a fee bump counts as one more. */
  get operationCount(): number {
    return this.inner.operations.length + (this.feeBump === undefined ? 0 : 1);
  }

  get isSoroban(): boolean {
    return this.inner.isSoroban;
  }
}

type InnerEnvelope = xdr.TransactionEnvelopeTxV0 | xdr.TransactionEnvelopeTx;

/** A transaction that is not a fee bump, with everything that the rules need precomputed. */
export class InnerTransaction {
  readonly envelope: InnerEnvelope;
  /** The hash that is signed and by which the network identifies the transaction. */
  readonly hash: Buffer;
  readonly source: xdr.PublicKey;
  readonly muxedSource: xdr.MuxedAccount;
  readonly seqNum: bigint;
  /** The source's fee bid in stroops, including the resource fee. */
  readonly fee: bigint;
  readonly memo: xdr.Memo;
  readonly preconditions: TransactionPreconditions;
  readonly operations: readonly ParsedOperation[];
  readonly signatures: readonly xdr.DecoratedSignature[];
  /** The declared footprint, resources and resource fee, if any. */
  readonly sorobanData: xdr.SorobanTransactionData | undefined;
  /** True if the first operation is a Soroban operation. */
  readonly isSoroban: boolean;
  #envelopeXdr: Uint8Array | undefined;

  constructor(networkId: Uint8Array, envelope: InnerEnvelope) {
    this.envelope = envelope;
    if (envelope.type === 'envelopeTypeTxV0') {
      const { tx, signatures } = envelope.v0;
      this.hash = transactionV0Hash(networkId, tx);
      this.muxedSource = xdr.MuxedAccount.keyTypeEd25519(tx.sourceAccountEd25519);
      this.preconditions = timeBoundsOnly(tx.timeBounds);
      this.signatures = signatures;
      this.sorobanData = undefined;
    } else {
      const { tx, signatures } = envelope.v1;
      this.hash = envelopeTransactionHash(networkId, this.envelopeXdr, signatures);
      this.muxedSource = tx.sourceAccount;
      this.preconditions = preconditionsOf(tx.cond);
      this.signatures = signatures;
      this.sorobanData = tx.ext.type === 'v0' ? undefined : tx.ext.sorobanData;
    }
    const { tx } = envelope.value;
    this.source = accountOfMuxed(this.muxedSource);
    this.seqNum = tx.seqNum;
    this.fee = BigInt(tx.fee);
    this.memo = tx.memo;
    const source = { account: this.source, muxed: this.muxedSource };
    this.operations = tx.operations.map((op, index) => parseOperation(op, index, source));
    const [first] = this.operations;
    this.isSoroban = first !== undefined && isSorobanBody(first.body);
  }

  /** The XDR of the envelope with its signatures. */
  get envelopeXdr(): Uint8Array {
    this.#envelopeXdr ??= encodeXdr(this.envelope);
    return this.#envelopeXdr;
  }

  /** Size of the envelope in bytes, for which Soroban transactions pay. */
  get size(): number {
    return this.envelopeXdr.length;
  }

  /** The declared resource fee in stroops; zero for classic transactions. */
  get resourceFee(): bigint {
    return this.isSoroban ? (this.sorobanData?.resourceFee ?? 0n) : 0n;
  }
}

/** One operation of a transaction, with its source made explicit. */
export interface ParsedOperation {
  readonly index: number;
  readonly body: xdr.OperationBody;
  /** The operation's source account, unmuxed. */
  readonly source: xdr.PublicKey;
  /** The source as written: the operation's, or the transaction's if the operation does not have one. */
  readonly muxedSource: xdr.MuxedAccount;
  /** True if the operation has its own source. */
  readonly namesSource: boolean;
}

function parseOperation(
  operation: xdr.Operation,
  index: number,
  transactionSource: { readonly account: xdr.PublicKey; readonly muxed: xdr.MuxedAccount },
): ParsedOperation {
  const { body, sourceAccount } = operation;
  if (sourceAccount === null) {
    const { account, muxed } = transactionSource;
    return { index, body, source: account, muxedSource: muxed, namesSource: false };
  }
  const source = accountOfMuxed(sourceAccount);
  return { index, body, source, muxedSource: sourceAccount, namesSource: true };
}

/** True for the three Soroban operations. */
export function isSorobanBody(body: xdr.OperationBody): body is SorobanOperationBody {
  return (
    body.type === 'invokeHostFunction' ||
    body.type === 'extendFootprintTtl' ||
    body.type === 'restoreFootprint'
  );
}

export type SorobanOperationBody = Extract<
  xdr.OperationBody,
  { type: 'invokeHostFunction' | 'extendFootprintTtl' | 'restoreFootprint' }
>;

/** The preconditions of a transaction (CAP-21), in a single form. */
export interface TransactionPreconditions {
  readonly timeBounds: xdr.TimeBounds | null;
  readonly ledgerBounds: xdr.LedgerBounds | null;
  readonly minSeqNum: bigint | null;
  /** Seconds since the account's sequence number last changed. */
  readonly minSeqAge: bigint;
  /** Ledgers since the account's sequence number last changed. */
  readonly minSeqLedgerGap: number;
  readonly extraSigners: readonly xdr.SignerKey[];
}

/** No preconditions. */
export const NO_PRECONDITIONS: TransactionPreconditions = {
  timeBounds: null,
  ledgerBounds: null,
  minSeqNum: null,
  minSeqAge: 0n,
  minSeqLedgerGap: 0,
  extraSigners: [],
};

/** Preconditions with only time bounds, or none at all. */
function timeBoundsOnly(timeBounds: xdr.TimeBounds | null): TransactionPreconditions {
  return timeBounds === null ? NO_PRECONDITIONS : { ...NO_PRECONDITIONS, timeBounds };
}

function preconditionsOf(cond: xdr.Preconditions): TransactionPreconditions {
  switch (cond.type) {
    case 'precondNone':
      return NO_PRECONDITIONS;
    case 'precondTime':
      return timeBoundsOnly(cond.timeBounds);
    case 'precondV2':
      return cond.v2;
  }
}

/**
 * The envelope as ledgers contain it: one of version 0 becomes the equivalent one of version 1, whose hash and signatures are
 * the same (stellar-core `txbridge::convertForV13`). Any other is returned unchanged.
 */
export function currentEnvelope(envelope: xdr.TransactionEnvelope): xdr.TransactionEnvelope {
  if (envelope.type !== 'envelopeTypeTxV0') return envelope;
  const { tx, signatures } = envelope.v0;
  const { sourceAccountEd25519, fee, seqNum, timeBounds, memo, operations } = tx;
  return xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({
      tx: new xdr.Transaction({
        sourceAccount: xdr.MuxedAccount.keyTypeEd25519(sourceAccountEd25519),
        cond:
          timeBounds === null
            ? xdr.Preconditions.precondNone()
            : xdr.Preconditions.precondTime(timeBounds),
        ...{ fee, seqNum, memo, operations },
        ext: xdr.TransactionExt.v0(),
      }),
      signatures,
    }),
  );
}

const ENVELOPE_TYPE_TX = Buffer.from([0, 0, 0, 2]);
const ENVELOPE_TYPE_TX_FEE_BUMP = Buffer.from([0, 0, 0, 5]);
/** A v0 transaction is signed as the equivalent v1 transaction, which begins with the key type. */
const KEY_TYPE_ED25519 = Buffer.from([0, 0, 0, 0]);

/**
 * The hash that a transaction's signatures sign: SHA-256 of its signature payload, which consists of the network id and the
 * envelope's content before the signatures.
 * @param envelope XDR of an envelope of type `envelopeTypeTx`
 */
function envelopeTransactionHash(
  networkId: Uint8Array,
  envelope: Uint8Array,
  signatures: readonly xdr.DecoratedSignature[],
): Buffer {
  const signed = envelope.length - sizeOfSignatures(signatures);
  return sha256Of(networkId, envelope.subarray(0, signed));
}

/**
 * Size of a list of signatures in bytes: its length, and for each signature the hint, the length, and the signature padded to a
 * multiple of four.
 */
function sizeOfSignatures(signatures: readonly xdr.DecoratedSignature[]): number {
  let size = 4;
  for (const { signature } of signatures) size += 8 + ((signature.value.length + 3) & -4);
  return size;
}

function transactionV0Hash(networkId: Uint8Array, tx: xdr.TransactionV0): Buffer {
  return sha256Of(networkId, ENVELOPE_TYPE_TX, KEY_TYPE_ED25519, encodeXdr(tx));
}

function feeBumpHash(networkId: Uint8Array, tx: xdr.FeeBumpTransaction): Buffer {
  return sha256Of(networkId, ENVELOPE_TYPE_TX_FEE_BUMP, encodeXdr(tx));
}
