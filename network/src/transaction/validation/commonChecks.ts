import type { xdr } from '@stellar/stellar-sdk';
import type { ResourceFee } from '../../host/index.ts';
import type { LedgerView } from '../../state/index.ts';
import { encodeXdr } from '../../xdr/index.ts';
import { accountAvailableBalance, peekAccount } from '../balances/index.ts';
import type { DiagnosticLog } from '../diagnostics/index.ts';
import type { InnerTransaction, ParsedTransaction } from '../envelope/index.ts';
import type { TransactionFailure } from '../result/index.ts';
import { isSignedBy, type SignatureChecker } from '../signature/index.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';
import { accessesFrozenKey } from './accessesFrozenKey.ts';
import { minInclusionFee } from './fees.ts';
import { areResourcesValid } from './sorobanResources.ts';
import {
  areFootprintKeysUnique,
  areOperationsConsistent,
  isMemoAllowed,
  isResourceFeeValid,
} from './sorobanRules.ts';
import {
  isBadSequence,
  isTooEarly,
  isTooEarlyForAccount,
  isTooLate,
  type LedgerMoment,
} from './timing.ts';

/** The context in which a transaction (the inner one of a fee bump) is checked. */
export interface CommonCheck {
  readonly tx: ParsedTransaction;
  readonly view: LedgerView;
  readonly env: TransactionEnvironment;
  readonly moment: LedgerMoment;
  readonly checker: SignatureChecker;
  readonly log: DiagnosticLog;
  /** The fee for the declared resources; undefined for classic transactions. */
  readonly resourceFee: ResourceFee | undefined;
  /** Whether the fee was already charged, which is the case while a ledger is applied. */
  readonly feeTaken: boolean;
}

/** The result of the checks. */
export interface CommonVerdict {
  readonly failure: TransactionFailure | undefined;
  /** True if the transaction uses up its sequence number, even if it fails. */
  readonly usesSequence: boolean;
}

/**
 * The checks that every transaction passes before its operations are checked, when it is submitted and again when it is applied
 * (stellar-core `TransactionFrame::commonValid`).
 */
export function checkCommon(check: CommonCheck): CommonVerdict {
  const { tx, view, moment } = check;
  const { inner } = tx;
  const early = checkForm(check) ?? checkTimeAndFee(check);
  if (early !== undefined) return { failure: early, usesSequence: false };
  const account = peekAccount(view, inner.source);
  if (account === undefined) return { failure: 'txNoAccount', usesSequence: false };
  if (isFrozen(check)) return { failure: 'txFrozenKeyAccessed', usesSequence: false };
  const { preconditions, seqNum } = inner;
  if (isBadSequence(seqNum, preconditions, account.seqNum, view.header.ledgerSeq)) {
    return { failure: 'txBadSeq', usesSequence: false };
  }
  if (isTooEarlyForAccount(preconditions, moment, account)) {
    return { failure: 'txBadMinSeqAgeOrGap', usesSequence: true };
  }
  return { failure: checkAccount(check, account), usesSequence: true };
}

function checkForm(check: CommonCheck): TransactionFailure | undefined {
  const { inner } = check.tx;
  if (inner.envelope.type === 'envelopeTypeTxV0') return 'txNotSupported';
  if (!areExtraSignersValid(inner.preconditions.extraSigners)) return 'txMalformed';
  if (inner.operations.length === 0) return 'txMissingOperation';
  if (!areOperationsConsistent(inner)) return 'txMalformed';
  if (inner.isSoroban) return checkSorobanForm(check);
  return inner.sorobanData === undefined ? undefined : 'txMalformed';
}

function checkSorobanForm({
  tx,
  env,
  log,
  resourceFee,
}: CommonCheck): TransactionFailure | undefined {
  const { inner, feeBump } = tx;
  const { sorobanData } = inner;
  if (!isMemoAllowed(inner)) {
    log.error(
      'sceValue',
      'scecInvalidInput',
      'Soroban transactions are not allowed to use memo or muxed source account',
    );
    return 'txSorobanInvalid';
  }
  const valid =
    sorobanData !== undefined &&
    resourceFee !== undefined &&
    areResourcesValid(inner, sorobanData, env.settings, log) &&
    isResourceFeeValid(inner, sorobanData.resourceFee, resourceFee, feeBump === undefined, log) &&
    areFootprintKeysUnique(sorobanData.resources.footprint, log);
  return valid ? undefined : 'txSorobanInvalid';
}

function checkTimeAndFee({ tx, view, moment, env }: CommonCheck): TransactionFailure | undefined {
  const { inner, feeBump } = tx;
  if (isTooEarly(inner.preconditions, moment, env.timeBoundsBehind)) return 'txTooEarly';
  if (isTooLate(inner.preconditions, moment, env.timeBoundsBehind)) return 'txTooLate';
  const paysItself = feeBump === undefined;
  if (paysItself && innerBid(inner) < minInclusionFee(inner.operations.length, view.header)) {
    return 'txInsufficientFee';
  }
  return undefined;
}

function isFrozen({ tx, env }: CommonCheck): boolean {
  const { frozenKeys } = env.settings;
  return accessesFrozenKey(tx.inner, frozenKeys) && !frozenKeys.bypasses(tx.hash);
}

function checkAccount(
  { tx, view, checker, feeTaken }: CommonCheck,
  account: xdr.AccountEntry,
): TransactionFailure | undefined {
  const { inner, feeBump } = tx;
  if (!isSigned(inner, account, checker)) return 'txBadAuth';
  if (feeBump !== undefined) return undefined;
  const toPay = feeTaken ? 0n : inner.fee;
  const available = accountAvailableBalance(view.header, account);
  return available < toPay ? 'txInsufficientBalance' : undefined;
}

function isSigned(
  { preconditions }: InnerTransaction,
  account: xdr.AccountEntry,
  checker: SignatureChecker,
): boolean {
  if (!isSignedBy(checker, account, 'low')) return false;
  const extra = preconditions.extraSigners.map((key) => ({ key, weight: 1 }));
  return extra.length === 0 || checker.check(extra, extra.length);
}

/** Two extra signers must differ, and a signed payload must not be empty. */
function areExtraSignersValid(signers: readonly xdr.SignerKey[]): boolean {
  const [first, second] = signers;
  if (first !== undefined && second !== undefined) {
    if (Buffer.compare(encodeXdr(first), encodeXdr(second)) === 0) return false;
  }
  return signers.every(
    (signer) =>
      signer.type !== 'signerKeyTypeEd25519SignedPayload' ||
      signer.ed25519SignedPayload.payload.length > 0,
  );
}

function innerBid(inner: InnerTransaction): bigint {
  return inner.fee - inner.resourceFee;
}
