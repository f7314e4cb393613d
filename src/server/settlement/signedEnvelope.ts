import { createHash } from 'node:crypto';
import { type SettlementHash, settlementHash, TESTNET_PASSPHRASE } from '../../protocol/index.ts';
import type { Signer } from './signer.ts';
import { encodeInt64, encodeUint32 } from './xdrIntegers.ts';

/**
 * Assembles envelopes from encoded parts. Each part is encoded once: the bytes of a transaction are
 * the same in the hash input, in its envelope, and in the fee bump around it.
 */

const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();

/** Discriminants of EnvelopeType, of a plain source account and of an empty extension. */
const TRANSACTION = encodeUint32(2);
const FEE_BUMP = encodeUint32(5);
const PLAIN_ACCOUNT = encodeUint32(0);
const NO_EXTENSION = encodeUint32(0);
const NO_SIGNATURES = encodeUint32(0);

/** A transaction ready to be sent, and the hash under which the ledger will know it. */
export interface SignedTransaction {
  readonly envelope: string;
  readonly hash: SettlementHash;
}

interface SignedBytes {
  readonly envelope: Buffer;
  readonly hash: Buffer;
}

/** Hashes a transaction for the test network, signs the hash, and appends the one signature. */
function sign(signer: Signer, envelopeType: Buffer, body: Uint8Array): SignedBytes {
  const hash = createHash('sha256').update(NETWORK_ID).update(envelopeType).update(body).digest();
  const signature = signer.sign(hash);
  const hint = signer.publicKey.subarray(-4);
  const parts = [
    envelopeType,
    body,
    encodeUint32(1),
    hint,
    encodeUint32(signature.length),
    signature,
  ];
  return { envelope: Buffer.concat(parts), hash };
}

function ready({ envelope, hash }: SignedBytes): SignedTransaction {
  return { envelope: envelope.toString('base64'), hash: settlementHash(hash) };
}

/** Returns the envelope of an unsigned transaction, given its bytes, for simulation. */
export function unsignedEnvelope(transaction: Uint8Array): string {
  return Buffer.concat([TRANSACTION, transaction, NO_SIGNATURES]).toString('base64');
}

/** Signs a transaction, given its bytes, with the key of its source. */
export function signedEnvelope(transaction: Uint8Array, source: Signer): SignedTransaction {
  return ready(sign(source, TRANSACTION, transaction));
}

/**
 * Signs the inner transaction with its source and wraps it in a fee bump of the sponsor
 * (spec: What the service does, 3; CAP-15). The hash is the fee bump's.
 * @param transaction the bytes of the inner transaction
 * @param bid stroops the sponsor bids in all
 */
export function feeBumpedEnvelope(
  transaction: Uint8Array,
  source: Signer,
  sponsor: Signer,
  bid: bigint,
): SignedTransaction {
  const inner = sign(source, TRANSACTION, transaction);
  const bump = [PLAIN_ACCOUNT, sponsor.publicKey, encodeInt64(bid), inner.envelope, NO_EXTENSION];
  return ready(sign(sponsor, FEE_BUMP, Buffer.concat(bump)));
}
