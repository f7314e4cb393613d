import { xdr } from '@stellar/stellar-sdk';
import { assertMayHold } from './authorization.ts';
import { addWithin } from './int64.ts';
import { trustlineLiabilities, withTrustlineLiabilities } from './trustlineExtension.ts';

export function trustlineBuyingLiabilities(line: xdr.TrustLineEntry): bigint {
  return trustlineLiabilities(line).buying;
}

export function trustlineSellingLiabilities(line: xdr.TrustLineEntry): bigint {
  return trustlineLiabilities(line).selling;
}

/** Balance above selling liabilities. Throws if the trustline is not authorized at all. */
export function trustlineAvailableBalance(line: xdr.TrustLineEntry): bigint {
  assertMayHold(line);
  return line.balance - trustlineSellingLiabilities(line);
}

/** How much more the trustline can receive. Throws if it is not authorized at all. */
export function trustlineMaxReceive(line: xdr.TrustLineEntry): bigint {
  assertMayHold(line);
  return line.limit - line.balance - trustlineBuyingLiabilities(line);
}

/** The lowest possible limit of the trustline: its balance plus its buying liabilities. */
export function trustlineMinimumLimit(line: xdr.TrustLineEntry): bigint {
  return line.balance + trustlineBuyingLiabilities(line);
}

/**
 * The trustline with `delta` added to its balance, or undefined if that violates its limit or liabilities. Throws if it is not
 * authorized at all.
 */
export function addTrustlineBalance(
  line: xdr.TrustLineEntry,
  delta: bigint,
): xdr.TrustLineEntry | undefined {
  if (delta === 0n) return line;
  assertMayHold(line);
  return addTrustlineBalanceUnauthorized(line, delta);
}

/** Like `addTrustlineBalance`, for clawback, which is possible on an unauthorized trustline. */
export function addTrustlineBalanceUnauthorized(
  line: xdr.TrustLineEntry,
  delta: bigint,
): xdr.TrustLineEntry | undefined {
  const balance = addWithin(line.balance, delta, line.limit);
  if (balance === undefined) return undefined;
  const { buying, selling } = trustlineLiabilities(line);
  if (balance < selling || balance > line.limit - buying) return undefined;
  return new xdr.TrustLineEntry({ ...line, balance });
}

/** The trustline with `delta` added to its buying liabilities, or undefined beyond its limit. */
export function addTrustlineBuyingLiabilities(
  line: xdr.TrustLineEntry,
  delta: bigint,
): xdr.TrustLineEntry | undefined {
  if (delta === 0n) return line;
  assertMayHold(line);
  const before = trustlineBuyingLiabilities(line);
  const buying = addWithin(before, delta, line.limit - line.balance);
  return buying === undefined ? undefined : withTrustlineLiabilities(line, { buying });
}

/** The trustline with `delta` added to its selling liabilities, or undefined beyond its balance. */
export function addTrustlineSellingLiabilities(
  line: xdr.TrustLineEntry,
  delta: bigint,
): xdr.TrustLineEntry | undefined {
  if (delta === 0n) return line;
  assertMayHold(line);
  const selling = addWithin(trustlineSellingLiabilities(line), delta, line.balance);
  return selling === undefined ? undefined : withTrustlineLiabilities(line, { selling });
}
