import type { LedgerView } from '../../state/index.ts';
import { accountKeyId } from '../../state/index.ts';
import { accountAvailableBalance, INT64_MAX, peekAccount } from '../balances/index.ts';
import type { ParsedTransaction } from '../envelope/index.ts';
import type { TransactionOutcome } from '../result/index.ts';
import { isSignedBy, SignatureChecker } from '../signature/index.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';
import { inclusionFee, minInclusionFee } from './fees.ts';

/**
 * Checks the outer part of a fee bump when it is submitted, and records a failure in the outcome. It has to bid enough, and
 * more per operation than the inner transaction; its source has to exist, sign, be able to pay and not be frozen (CAP-15;
 * stellar-core `FeeBumpTransactionFrame.cpp`).
 */
export function checkFeeBump(
  tx: ParsedTransaction,
  view: LedgerView,
  env: TransactionEnvironment,
  outcome: TransactionOutcome,
): void {
  const { feeBump } = tx;
  if (feeBump === undefined) return;
  if (!checkBid(tx, view, outcome)) return;
  const account = peekAccount(view, feeBump.feeSource);
  if (account === undefined) {
    outcome.failOuter('txNoAccount');
    return;
  }
  const { hash, signatures } = feeBump;
  const checker = new SignatureChecker(hash, signatures, env.verify, true, env.impersonation);
  const { frozenKeys } = env.settings;
  if (!isSignedBy(checker, account, 'low')) {
    outcome.failOuter('txBadAuth');
  } else if (accountAvailableBalance(view.header, account) < feeBump.fee) {
    outcome.failOuter('txInsufficientBalance');
  } else if (
    frozenKeys.has(accountKeyId(feeBump.feeSource)) &&
    !frozenKeys.bypasses(feeBump.hash)
  ) {
    outcome.failOuter('txFrozenKeyAccessed');
  } else if (!checker.allUsed()) {
    outcome.failOuter('txBadAuthExtra');
  }
}

function checkBid(tx: ParsedTransaction, view: LedgerView, outcome: TransactionOutcome): boolean {
  const { inner } = tx;
  const bid = inclusionFee(tx);
  const outerMinimum = minInclusionFee(tx.operationCount, view.header);
  if (bid < outerMinimum) {
    outcome.failOuter('txInsufficientFee');
    return false;
  }
  const innerBid = inner.fee - inner.resourceFee;
  if (innerBid < 0n) {
    // Only a Soroban transaction can leave its resource fee to the fee bump.
    if (inner.isSoroban) return true;
    outcome.fail('txInsufficientFee');
    return false;
  }
  const innerMinimum = minInclusionFee(inner.operations.length, view.header);
  if (bid * innerMinimum >= innerBid * outerMinimum) return true;
  const needed = (innerBid * outerMinimum + innerMinimum - 1n) / innerMinimum;
  outcome.failOuter('txInsufficientFee');
  outcome.feeCharged = needed > INT64_MAX ? INT64_MAX : needed;
  return false;
}
