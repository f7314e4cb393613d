import { createHash } from 'node:crypto';
import * as xdr from '@stellar/stellar-sdk/xdr';
import { type SettlementHash, settlementHash, TESTNET_PASSPHRASE } from '../../protocol/index.ts';
import type { Signer } from './signer.ts';

const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();

/** A fee bump counts as one operation more than the transaction inside (CAP-15). */
const FEE_BUMP_OPERATIONS = 2n;

/** A transaction ready to be sent, and the hash under which the ledger will know it. */
export interface SignedTransaction {
  readonly envelope: string;
  readonly hash: SettlementHash;
}

/**
 * What the sponsor bids in all for a settlement, in stroops: the resource fee of the simulation
 * and an inclusion fee for each of the two operations (spec: Limits/Fee ceiling compares this).
 */
export function totalBid(minResourceFee: bigint, inclusionFee: bigint): bigint {
  return minResourceFee + FEE_BUMP_OPERATIONS * inclusionFee;
}

/** Hashes a transaction for the test network and signs the hash. */
export function signTransaction(
  signer: Signer,
  payload: xdr.TransactionSignaturePayloadTaggedTransaction,
) {
  const preimage = new xdr.TransactionSignaturePayload({
    networkId: NETWORK_ID,
    taggedTransaction: payload,
  });
  const hash = createHash('sha256').update(preimage.toXdr()).digest();
  const signature = new xdr.DecoratedSignature({
    hint: signer.publicKey.subarray(-4),
    signature: signer.sign(hash),
  });
  return { hash, signature };
}

/** What the inner transaction of a settlement is made of. */
export interface InnerTransactionParts {
  readonly channel: Signer;
  readonly sequence: bigint;
  readonly operation: xdr.Operation;
  readonly resources: xdr.SorobanTransactionData;
  readonly inclusionFee: bigint;
  /** Last ledger that may include it. After that ledger its absence is proof that it never was. */
  readonly lastLedger: number;
}

/**
 * The condition that no ledger after `lastLedger` includes the transaction. Ledgers, not times:
 * the ledger's clock need not be ours, and an embedded one may run ahead of it.
 */
export function ledgerBounded(lastLedger: number): xdr.Preconditions {
  return xdr.Preconditions.precondV2(
    new xdr.PreconditionsV2({
      timeBounds: null,
      ledgerBounds: new xdr.LedgerBounds({ minLedger: 0, maxLedger: lastLedger + 1 }),
      minSeqNum: null,
      minSeqAge: 0n,
      minSeqLedgerGap: 0,
      extraSigners: [],
    }),
  );
}

/**
 * The buyer's operation on a channel account. Nothing else of the buyer's envelope is kept: its
 * memo, fee and conditions were signed by nobody.
 */
export function innerTransaction(parts: InnerTransactionParts): xdr.Transaction {
  return new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(parts.channel.publicKey),
    fee: Number(parts.resources.resourceFee + parts.inclusionFee),
    seqNum: parts.sequence,
    cond: ledgerBounded(parts.lastLedger),
    memo: xdr.Memo.memoNone(),
    operations: [parts.operation],
    ext: xdr.TransactionExt.sorobanData(parts.resources),
  });
}

/** The envelope of a transaction that nobody has signed, as simulation takes it. */
export function unsignedEnvelope(transaction: xdr.Transaction): string {
  return xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({ tx: transaction, signatures: [] }),
  ).toXdr('base64');
}

/**
 * Signs the inner transaction with its channel and wraps it in a fee bump of the sponsor
 * (spec: What the service does, 3; CAP-15). The hash is the fee bump's.
 */
export function feeBumped(
  transaction: xdr.Transaction,
  channel: Signer,
  sponsor: Signer,
  bid: bigint,
): SignedTransaction {
  const inner = signTransaction(
    channel,
    xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTx(transaction),
  );
  const bump = new xdr.FeeBumpTransaction({
    feeSource: xdr.MuxedAccount.keyTypeEd25519(sponsor.publicKey),
    fee: bid,
    innerTx: xdr.FeeBumpTransactionInnerTx.envelopeTypeTx(
      new xdr.TransactionV1Envelope({ tx: transaction, signatures: [inner.signature] }),
    ),
    ext: xdr.FeeBumpTransactionExt.v0(),
  });
  const outer = signTransaction(
    sponsor,
    xdr.TransactionSignaturePayloadTaggedTransaction.envelopeTypeTxFeeBump(bump),
  );
  const envelope = xdr.TransactionEnvelope.envelopeTypeTxFeeBump(
    new xdr.FeeBumpTransactionEnvelope({ tx: bump, signatures: [outer.signature] }),
  );
  return { envelope: envelope.toXdr('base64'), hash: settlementHash(outer.hash) };
}
