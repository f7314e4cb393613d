import type { xdr } from '@stellar/stellar-sdk';
import { sha256Of } from '../../../machine/index.ts';
import { encodeXdr } from '../../xdr/index.ts';

const ENVELOPE_TYPE_TX = Buffer.from([0, 0, 0, 2]);
const ENVELOPE_TYPE_TX_FEE_BUMP = Buffer.from([0, 0, 0, 5]);
/** A v0 transaction is signed as the v1 transaction that it stands for: its key type comes first. */
const KEY_TYPE_ED25519 = Buffer.from([0, 0, 0, 0]);

/**
 * What the signatures of a transaction sign: the SHA-256 of its signature payload, which after the network has what the
 * transaction's envelope has before the signatures.
 * @param envelope the XDR of an envelope of the type `envelopeTypeTx`
 */
export function envelopeTransactionHash(
  networkId: Uint8Array,
  envelope: Uint8Array,
  signatures: readonly xdr.DecoratedSignature[],
): Buffer {
  const signed = envelope.length - sizeOfSignatures(signatures);
  return sha256Of(networkId, envelope.subarray(0, signed));
}

/** Bytes of a list of signatures: its length, and of each the hint, the length, and the signature in whole units of four. */
function sizeOfSignatures(signatures: readonly xdr.DecoratedSignature[]): number {
  let size = 4;
  for (const { signature } of signatures) size += 8 + ((signature.value.length + 3) & -4);
  return size;
}

export function transactionV0Hash(networkId: Uint8Array, tx: xdr.TransactionV0): Buffer {
  return sha256Of(networkId, ENVELOPE_TYPE_TX, KEY_TYPE_ED25519, encodeXdr(tx));
}

export function feeBumpHash(networkId: Uint8Array, tx: xdr.FeeBumpTransaction): Buffer {
  return sha256Of(networkId, ENVELOPE_TYPE_TX_FEE_BUMP, encodeXdr(tx));
}
