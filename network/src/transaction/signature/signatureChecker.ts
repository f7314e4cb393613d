import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { sha256Latin1 } from '../../../../common/machine/sha256.ts';
import { accountIdString } from '../../state/index.ts';
import type { ParsedTransaction } from '../envelope/index.ts';
import type { ThresholdLevel } from '../operations/index.ts';
import type { Impersonation } from './impersonation.ts';

/** A signer, and the weight of its signature. */
export interface WeightedSigner {
  readonly key: xdr.SignerKey;
  readonly weight: number;
}

const MAX_WEIGHT = 255;
/** Maximum number of Ed25519 verifications for one transaction, after which further signatures are ignored. */
const VERIFICATION_BUDGET = 1_000;

/**
 * Compares the signatures of one transaction with signers and their weights, and records which of them were used, because an
 * unused one makes the transaction invalid (stellar-core `SignatureChecker.cpp`).
 */
export class SignatureChecker {
  readonly #hash: Uint8Array;
  readonly #signatures: readonly xdr.DecoratedSignature[];
  readonly #verify: VerifySignature;
  readonly #budgeted: boolean;
  readonly #used: boolean[];
  readonly #impersonation: Pick<Impersonation, 'covers'> | undefined;
  #waived = false;
  #verifications = 0;

  /**
   * @param budgeted whether the number of Ed25519 verifications is limited
   * @param impersonation accounts whose signatures are not required
   */
  constructor(
    hash: Uint8Array,
    signatures: readonly xdr.DecoratedSignature[],
    verify: VerifySignature,
    budgeted: boolean,
    impersonation?: Pick<Impersonation, 'covers'>,
  ) {
    this.#impersonation = impersonation;
    this.#hash = hash;
    this.#signatures = signatures;
    this.#verify = verify;
    this.#budgeted = budgeted;
    this.#used = signatures.map(() => false);
  }

  /**
   * True if the signatures have the needed weight. A weight of zero still needs one signature.
   * Kinds of signers are tried in this order: pre-authorized transactions, hash preimages, keys, signed payloads.
   */
  check(signers: readonly WeightedSigner[], neededWeight: number): boolean {
    let weight = 0;
    for (const { key, weight: share } of signers) {
      if (key.type !== 'signerKeyTypePreAuthTx' || !equal(key.preAuthTx.value, this.#hash)) {
        continue;
      }
      weight += Math.min(share, MAX_WEIGHT);
      if (weight >= neededWeight) return true;
    }
    for (const kind of SIGNED_KINDS) {
      const left = signers.filter(({ key }) => key.type === kind);
      for (const [at, signature] of this.#signatures.entries()) {
        const found = left.findIndex(({ key }) => this.#signs(signature, key));
        const signer = left[found];
        if (signer === undefined) continue;
        this.#used[at] = true;
        weight += Math.min(signer.weight, MAX_WEIGHT);
        if (weight >= neededWeight) return true;
        left.splice(found, 1);
      }
      if (kind === 'signerKeyTypeEd25519' && this.#overBudget()) return false;
    }
    return false;
  }

  /** True if an account's signatures are not required. All signatures then count as used. */
  waives(account: xdr.PublicKey): boolean {
    if (this.#impersonation === undefined) return false;
    if (!this.#impersonation.covers(accountIdString(account))) return false;
    this.#waived = true;
    return true;
  }

  /** False if a signature was not used by any check so far. */
  allUsed(): boolean {
    return this.#waived || this.#used.every((used) => used);
  }

  #signs(signature: xdr.DecoratedSignature, key: xdr.SignerKey): boolean {
    const hint = signature.hint.value;
    const bytes = signature.signature.value;
    switch (key.type) {
      case 'signerKeyTypePreAuthTx':
        return false;
      case 'signerKeyTypeHashX':
        return (
          hintMatches(hint, hintOf(key.hashX.value)) &&
          equal(createHash('sha256').update(bytes).digest(), key.hashX.value)
        );
      case 'signerKeyTypeEd25519':
        return (
          hintMatches(hint, hintOf(key.ed25519.value)) &&
          this.#verified(key.ed25519.value, bytes, this.#hash)
        );
      case 'signerKeyTypeEd25519SignedPayload': {
        const { ed25519, payload } = key.ed25519SignedPayload;
        return (
          hintMatches(hint, signedPayloadHint(ed25519.value, payload)) &&
          this.#verified(ed25519.value, bytes, payload)
        );
      }
    }
  }

  #verified(publicKey: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean {
    if (signature.length !== SIGNATURE_BYTES || this.#overBudget()) return false;
    this.#verifications += 1;
    return this.#verify(publicKey, signature, message);
  }

  #overBudget(): boolean {
    return this.#budgeted && this.#verifications >= VERIFICATION_BUDGET;
  }
}

const SIGNED_KINDS = [
  'signerKeyTypeHashX',
  'signerKeyTypeEd25519',
  'signerKeyTypeEd25519SignedPayload',
] as const;

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

const THRESHOLD_INDEX: Record<ThresholdLevel, number> = { low: 1, medium: 2, high: 3 };

/** The signers of an account: its master key, unless its weight is zero, and its additional signers. */
function accountSigners(account: xdr.AccountEntry): WeightedSigner[] {
  const masterWeight = account.thresholds.value[0] ?? 0;
  if (masterWeight === 0) return [...account.signers];
  return [{ key: masterKey(account.accountId), weight: masterWeight }, ...account.signers];
}

/** The weight that an account requires at a threshold level. */
function neededWeight(account: xdr.AccountEntry, level: ThresholdLevel): number {
  return account.thresholds.value[THRESHOLD_INDEX[level]] ?? 0;
}

/** True if a transaction's signatures have the weight that an account requires at a threshold level. */
export function isSignedBy(
  checker: SignatureChecker,
  account: xdr.AccountEntry,
  level: ThresholdLevel,
): boolean {
  if (checker.waives(account.accountId)) return true;
  return checker.check(accountSigners(account), neededWeight(account, level));
}

/** An account's own key as a signer. */
export function masterKey(account: xdr.PublicKey): xdr.SignerKey {
  return xdr.SignerKey.signerKeyTypeEd25519(account.ed25519);
}

const HINT_BYTES = 4;

/** The hint for a key: its last four bytes, or all of them if there are fewer. */
export function hintOf(bytes: Uint8Array): Uint8Array {
  const hint = new Uint8Array(HINT_BYTES);
  hint.set(bytes.length < HINT_BYTES ? bytes : bytes.subarray(bytes.length - HINT_BYTES));
  return hint;
}

/** The hint of a signed payload (CAP-40): the key's hint and the payload's, combined by XOR. */
export function signedPayloadHint(publicKey: Uint8Array, payload: Uint8Array): Uint8Array {
  const payloadHint = hintOf(payload);
  return hintOf(publicKey).map((byte, at) => byte ^ (payloadHint[at] ?? 0));
}

function hintMatches(hint: Uint8Array, expected: Uint8Array): boolean {
  return Buffer.compare(hint, expected) === 0;
}

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

const SIGNATURE_BYTES = 64;
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

/**
 * Verifies in other threads the keys with which most transactions are signed: those of their source and of the fee source of a
 * fee bump. Other signatures are verified when a check needs them.
 */
export async function verifyAhead(
  { inner, feeBump }: ParsedTransaction,
  verifier: SignatureVerifier,
): Promise<void> {
  const bumped = feeBump && ahead(verifier, feeBump.feeSource, feeBump.signatures, feeBump.hash);
  await ahead(verifier, inner.source, inner.signatures, inner.hash);
  await bumped;
}

async function ahead(
  verifier: SignatureVerifier,
  account: xdr.PublicKey,
  signatures: readonly xdr.DecoratedSignature[],
  hash: Uint8Array,
): Promise<void> {
  const key = account.ed25519.value;
  const found = signatures.find(({ hint }) => hintMatches(hint.value, hintOf(key)));
  if (found !== undefined) await verifier.ahead(key, found.signature.value, hash);
}
