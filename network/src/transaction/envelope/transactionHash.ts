import type { xdr } from '@stellar/stellar-sdk';
import { sha256Of } from '../../../../common/machine/sha256.ts';
import { encodeXdr } from '../../xdr/index.ts';

const ENVELOPE_TYPE_TX = Buffer.from([0, 0, 0, 2]);
const ENVELOPE_TYPE_TX_FEE_BUMP = Buffer.from([0, 0, 0, 5]);
/** A v0 transaction is signed as the equivalent v1 transaction, which begins with the key type. */
const KEY_TYPE_ED25519 = Buffer.from([0, 0, 0, 0]);

/**
 * The hash that a transaction's signatures sign: SHA-256 of its signature payload, which consists of the network id and the
 * envelope's content before the signatures.
 * @param envelope XDR of an envelope of type `envelopeTypeTx`
 */
export function envelopeTransactionHash(
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

export function transactionV0Hash(networkId: Uint8Array, tx: xdr.TransactionV0): Buffer {
  return sha256Of(networkId, ENVELOPE_TYPE_TX, KEY_TYPE_ED25519, encodeXdr(tx));
}

export function feeBumpHash(networkId: Uint8Array, tx: xdr.FeeBumpTransaction): Buffer {
  return sha256Of(networkId, ENVELOPE_TYPE_TX_FEE_BUMP, encodeXdr(tx));
}
