import type { xdr } from '@stellar/stellar-sdk';
import type { ParsedTransaction } from '../envelope/index.ts';
import type { SignatureVerifier } from './ed25519.ts';
import { hintMatches, hintOf } from './signatureHint.ts';

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
