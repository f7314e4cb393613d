import { createHash } from 'node:crypto';
import type { xdr } from '@stellar/stellar-sdk';
import { encodeXdr } from '../../xdr/index.ts';

const ENVELOPE_TYPE_TX = Buffer.from([0, 0, 0, 2]);
const ENVELOPE_TYPE_TX_FEE_BUMP = Buffer.from([0, 0, 0, 5]);
/** A v0 transaction is signed as the v1 transaction that it stands for: its key type comes first. */
const KEY_TYPE_ED25519 = Buffer.from([0, 0, 0, 0]);

/** What the signatures of a transaction sign: the SHA-256 of its signature payload. */
export function transactionHash(networkId: Uint8Array, tx: xdr.Transaction): Buffer {
  return sha256(networkId, ENVELOPE_TYPE_TX, encodeXdr(tx));
}

export function transactionV0Hash(networkId: Uint8Array, tx: xdr.TransactionV0): Buffer {
  return sha256(networkId, ENVELOPE_TYPE_TX, KEY_TYPE_ED25519, encodeXdr(tx));
}

export function feeBumpHash(networkId: Uint8Array, tx: xdr.FeeBumpTransaction): Buffer {
  return sha256(networkId, ENVELOPE_TYPE_TX_FEE_BUMP, encodeXdr(tx));
}

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
