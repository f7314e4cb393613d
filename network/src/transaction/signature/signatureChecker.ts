import { createHash } from 'node:crypto';
import type { xdr } from '@stellar/stellar-sdk';
import { accountIdString } from '../../state/index.ts';
import { SIGNATURE_BYTES, type VerifySignature } from './ed25519.ts';
import type { Impersonation } from './impersonation.ts';
import { hintMatches, hintOf, signedPayloadHint } from './signatureHint.ts';

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
