import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { sha256Latin1 } from '../../../../common/machine/sha256.ts';

/** Returns whether `signature` is the Ed25519 signature of `message` by the key's owner. */
export type VerifySignature = (
  publicKey: Uint8Array,
  signature: Uint8Array,
  message: Uint8Array,
) => boolean;

/** A verifier that can also verify ahead of time. */
export interface SignatureVerifier extends VerifySignature {
  /** Verifies a signature in another thread, so that the verdict is known when it is needed. Never rejects. */
  ahead(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<void>;
}

export const SIGNATURE_BYTES = 64;
/** DER of a `SubjectPublicKeyInfo` with an Ed25519 key, up to the key (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const MAX_KEYS = 4_096;
const MAX_VERDICTS = 16_384;

/**
 * Verifies Ed25519 signatures and caches keys and verdicts, because a transaction is checked when it is submitted and again
 * when it is applied.
 */
export function createSignatureVerifier(): SignatureVerifier {
  const keys = new Map<string, KeyObject>();
  const verdicts = new Map<string, boolean>();
  const verifier: VerifySignature = (publicKey, signature, message) => {
    if (signature.length !== SIGNATURE_BYTES) return false;
    const question = questionOf(publicKey, signature, message);
    const known = verdicts.get(question);
    if (known !== undefined) return known;
    const verdict = verify(null, message, keyObject(keys, publicKey), signature);
    remember(verdicts, MAX_VERDICTS, question, verdict);
    return verdict;
  };
  const ahead: SignatureVerifier['ahead'] = (publicKey, signature, message) => {
    if (signature.length !== SIGNATURE_BYTES) return Promise.resolve();
    const question = questionOf(publicKey, signature, message);
    if (verdicts.has(question)) return Promise.resolve();
    return new Promise((resolve) => {
      verify(null, message, keyObject(keys, publicKey), signature, (error, verdict) => {
        // An error is not cached: it occurs again, and is reported, when the verdict is needed.
        if (error === null) remember(verdicts, MAX_VERDICTS, question, verdict);
        resolve();
      });
    });
  };
  return Object.assign(verifier, { ahead });
}

/** Short, because it is kept for every transaction. */
function questionOf(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): string {
  return sha256Latin1(Buffer.concat([publicKey, signature, message]));
}

function keyObject(keys: Map<string, KeyObject>, publicKey: Uint8Array): KeyObject {
  const id = text(publicKey);
  const known = keys.get(id);
  if (known !== undefined) return known;
  const der = Buffer.concat([SPKI_PREFIX, publicKey]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  remember(keys, MAX_KEYS, id, key);
  return key;
}

/** Adds to a bounded map: when it is full, its oldest half is removed. */
function remember<T>(map: Map<string, T>, limit: number, key: string, value: T): void {
  if (map.size >= limit) {
    let surplus = limit / 2;
    for (const oldest of map.keys()) {
      if (surplus === 0) break;
      map.delete(oldest);
      surplus -= 1;
    }
  }
  map.set(key, value);
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
