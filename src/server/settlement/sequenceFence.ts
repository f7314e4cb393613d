import * as xdr from '@stellar/stellar-sdk/xdr';
import { feeBumpedEnvelope, type SignedTransaction } from './signedEnvelope.ts';
import type { Signer } from './signer.ts';

/** Bid for the one operation of the fence, in stroops: a fee bump around it bids twice that. */
const FENCE_FEE = 10_000;

/**
 * A transaction that does nothing but use up a sequence number of a channel. Of two transactions
 * with one sequence number the ledger includes one, so once this is in, the other never will be:
 * proof that needs nobody's word for which ledger is the latest. It is the same one, with the same
 * hash, however often it is made.
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
  return feeBumpedEnvelope(inner, channel, sponsor, BigInt(2 * FENCE_FEE));
}
