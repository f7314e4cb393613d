import type { xdr } from '@stellar/stellar-sdk';
import { LedgerFault } from './ledgerFault.ts';

/** Flags of an account that issues assets. */
export const ACCOUNT_FLAGS = {
  authRequired: 0x1,
  authRevocable: 0x2,
  authImmutable: 0x4,
  clawbackEnabled: 0x8,
} as const;

/** All flags that an account can have. */
export const ACCOUNT_FLAG_MASK = 0xf;

/** Flags of a trustline. */
export const TRUSTLINE_FLAGS = {
  authorized: 0x1,
  authorizedToMaintainLiabilities: 0x2,
  clawbackEnabled: 0x4,
} as const;

/** All flags that a trustline can have. */
export const TRUSTLINE_FLAG_MASK = 0x7;

/** The two authorization flags of a trustline, at most one of which can be set. */
export const TRUSTLINE_AUTH_MASK =
  TRUSTLINE_FLAGS.authorized | TRUSTLINE_FLAGS.authorizedToMaintainLiabilities;

export function isAuthRequired(issuer: xdr.AccountEntry): boolean {
  return (issuer.flags & ACCOUNT_FLAGS.authRequired) !== 0;
}

export function isAuthRevocable(issuer: xdr.AccountEntry): boolean {
  return (issuer.flags & ACCOUNT_FLAGS.authRevocable) !== 0;
}

export function isAuthImmutable(issuer: xdr.AccountEntry): boolean {
  return (issuer.flags & ACCOUNT_FLAGS.authImmutable) !== 0;
}

export function isClawbackEnabledOnAccount(issuer: xdr.AccountEntry): boolean {
  return (issuer.flags & ACCOUNT_FLAGS.clawbackEnabled) !== 0;
}

/** True unless clawback is enabled without revocability (CAP-35). */
export function isClawbackFlagValid(accountFlags: number): boolean {
  return (
    (accountFlags & ACCOUNT_FLAGS.clawbackEnabled) === 0 ||
    (accountFlags & ACCOUNT_FLAGS.authRevocable) !== 0
  );
}

/** Fully authorized: the holder is allowed to send and receive. */
export function isAuthorized(line: xdr.TrustLineEntry): boolean {
  return (line.flags & TRUSTLINE_FLAGS.authorized) !== 0;
}

/** Authorized at least to keep offers and balance (CAP-18). Pool shares do not need authorization. */
export function isAuthorizedToMaintainLiabilities(line: xdr.TrustLineEntry): boolean {
  return line.asset.type === 'assetTypePoolShare' || (line.flags & TRUSTLINE_AUTH_MASK) !== 0;
}

export function isClawbackEnabledOnLine(line: xdr.TrustLineEntry): boolean {
  return (line.flags & TRUSTLINE_FLAGS.clawbackEnabled) !== 0;
}

/** True if all flags are known and at most one of the two authorization flags is set. */
export function areTrustlineFlagsValid(flags: number): boolean {
  return (flags & ~TRUSTLINE_FLAG_MASK) === 0 && isTrustlineAuthValid(flags);
}

/** True if at most one of the two authorization flags is set. */
export function isTrustlineAuthValid(flags: number): boolean {
  return (flags & TRUSTLINE_AUTH_MASK) !== TRUSTLINE_AUTH_MASK;
}

/** Throws if a rule reads the balance of an unauthorized trustline, which it must not touch. */
export function assertMayHold(line: xdr.TrustLineEntry): void {
  if (!isAuthorizedToMaintainLiabilities(line)) throw new LedgerFault('line_not_authorized');
}
