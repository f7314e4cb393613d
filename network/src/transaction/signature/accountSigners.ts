import { xdr } from '@stellar/stellar-sdk';
import type { ThresholdLevel } from '../operations/index.ts';
import type { SignatureChecker, WeightedSigner } from './signatureChecker.ts';

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
