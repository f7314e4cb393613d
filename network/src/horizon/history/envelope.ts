import { xdr } from '@stellar/stellar-sdk';

type InnerEnvelope = xdr.TransactionEnvelopeTx | xdr.TransactionEnvelopeTxV0;

/** The transaction without its fee bump. */
export function innerEnvelope(envelope: xdr.TransactionEnvelope): InnerEnvelope {
  return envelope.type === 'envelopeTypeTxFeeBump'
    ? xdr.TransactionEnvelope.envelopeTypeTx(envelope.feeBump.tx.innerTx.v1)
    : envelope;
}

/** How many operations a transaction has. */
export function operationCount(envelope: xdr.TransactionEnvelope): number {
  return innerEnvelope(envelope).value.tx.operations.length;
}

/** The account whose sequence number a transaction uses. */
export function sourceOf(envelope: xdr.TransactionEnvelope): xdr.MuxedAccount {
  const inner = innerEnvelope(envelope);
  return inner.type === 'envelopeTypeTxV0'
    ? xdr.MuxedAccount.keyTypeEd25519(inner.v0.tx.sourceAccountEd25519)
    : inner.v1.tx.sourceAccount;
}

/** The preconditions of a transaction, whichever form they have. */
export function preconditionsOf(envelope: xdr.TransactionEnvelope): {
  readonly timeBounds: xdr.TimeBounds | null;
  readonly v2: xdr.PreconditionsV2 | null;
} {
  const inner = innerEnvelope(envelope);
  if (inner.type === 'envelopeTypeTxV0') return { timeBounds: inner.v0.tx.timeBounds, v2: null };
  const { cond } = inner.v1.tx;
  switch (cond.type) {
    case 'precondNone':
      return { timeBounds: null, v2: null };
    case 'precondTime':
      return { timeBounds: cond.timeBounds, v2: null };
    case 'precondV2':
      return { timeBounds: cond.v2.timeBounds, v2: cond.v2 };
  }
}
