import { xdr } from '@stellar/stellar-sdk';
import { sha256 } from '../../../../common/machine/sha256.ts';
import { encodeXdr } from '../../xdr/index.ts';
import { accountOfMuxed } from '../balances/index.ts';
import { InnerTransaction } from './innerTransaction.ts';
import { feeBumpHash } from './transactionHash.ts';

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
