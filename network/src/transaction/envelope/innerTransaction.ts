import { xdr } from '@stellar/stellar-sdk';
import { encodeXdr } from '../../xdr/index.ts';
import { accountOfMuxed } from '../balances/index.ts';
import { isSorobanBody, type ParsedOperation, parseOperation } from './parsedOperation.ts';
import { preconditionsOf, type TransactionPreconditions, timeBoundsOnly } from './preconditions.ts';
import { envelopeTransactionHash, transactionV0Hash } from './transactionHash.ts';

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
