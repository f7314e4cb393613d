import * as xdr from '@stellar/stellar-sdk/xdr';
import { feeBumpedEnvelope, type SignedTransaction } from './signedEnvelope.ts';
import type { Signer } from './signer.ts';

/** Bid for the one operation of the fence, in stroops: a fee bump around it bids twice that. */
const FENCE_FEE = 10_000;

/**
 * Builds a transaction that only consumes a sequence number of a channel. Of two transactions with the
 * same sequence number, the ledger includes only one, so once this one is included, the other never will
 * be. This proof does not depend on a server's claim about the latest ledger. The transaction and its
 * hash are the same each time.
 */
export function sequenceFence(
  channel: Signer,
  sponsor: Signer,
  sequence: bigint,
): SignedTransaction {
  const inner = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(channel.publicKey),
    fee: FENCE_FEE,
    seqNum: sequence,
    cond: xdr.Preconditions.precondNone(),
    memo: xdr.Memo.memoNone(),
    operations: [
      new xdr.Operation({
        sourceAccount: null,
        body: xdr.OperationBody.bumpSequence(new xdr.BumpSequenceOp({ bumpTo: 0n })),
      }),
    ],
    ext: xdr.TransactionExt.v0(),
  });
  return feeBumpedEnvelope(inner.toXdr(), channel, sponsor, BigInt(2 * FENCE_FEE));
}
