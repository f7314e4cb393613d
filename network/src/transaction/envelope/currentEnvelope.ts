import { xdr } from '@stellar/stellar-sdk';

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
