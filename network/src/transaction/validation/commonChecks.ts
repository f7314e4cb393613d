import type { xdr } from '@stellar/stellar-sdk';
import type { ResourceFee } from '../../host/index.ts';
import type { FrozenKeys } from '../../settings/index.ts';
import {
  accountKeyId,
  type LedgerKeyId,
  type LedgerView,
  ledgerKeyId,
  trustlineKeyId,
} from '../../state/index.ts';
import { encodeXdr } from '../../xdr/index.ts';
import {
  accountAvailableBalance,
  accountOfMuxed,
  assetLineKeyId,
  assetOfCode,
  peekAccount,
  trustLineAssetOf,
} from '../balances/index.ts';
import type { DiagnosticLog } from '../diagnostics/diagnosticLog.ts';
import {
  type InnerTransaction,
  isSorobanBody,
  type ParsedOperation,
  type ParsedTransaction,
} from '../envelope/index.ts';
import type { TransactionFailure } from '../result/transactionOutcome.ts';
import { isSignedBy, type SignatureChecker } from '../signature/signatureChecker.ts';
import { footprintKey } from '../soroban/index.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';
import { minInclusionFee } from './fees.ts';
import { areResourcesValid } from './sorobanResources.ts';
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
interface CommonVerdict {
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

/**
 * True if a transaction names a frozen key: as a source, in its footprint, or in an operation
 * (CAP-77; stellar-core `TransactionFrame::accessesFrozenKey`).
 */
function accessesFrozenKey(tx: InnerTransaction, frozen: FrozenKeys): boolean {
  if (!frozen.any) return false;
  if (frozen.has(accountKeyId(tx.source))) return true;
  if (tx.isSoroban && tx.sorobanData !== undefined) {
    const { readOnly, readWrite } = tx.sorobanData.resources.footprint;
    const isFrozen = (key: xdr.LedgerKey): boolean => frozen.has(ledgerKeyId(key));
    if (readOnly.some(isFrozen) || readWrite.some(isFrozen)) return true;
  }
  return tx.operations.some(
    (operation) =>
      (operation.namesSource && frozen.has(accountKeyId(operation.source))) ||
      keysNamedBy(operation).some((id) => frozen.has(id)),
  );
}

/** The keys that an operation names; those that it finds out only when it is applied are checked then. */
function keysNamedBy({ body, source }: ParsedOperation): LedgerKeyId[] {
  switch (body.type) {
    case 'createAccount':
      return [accountKeyId(body.createAccountOp.destination)];
    case 'payment': {
      const { asset, destination } = body.paymentOp;
      return asset.type === 'assetTypeNative'
        ? [accountKeyId(accountOfMuxed(destination))]
        : [assetLineKeyId(source, asset), assetLineKeyId(accountOfMuxed(destination), asset)];
    }
    case 'pathPaymentStrictReceive': {
      const { sendAsset, destAsset, destination } = body.pathPaymentStrictReceiveOp;
      return [...lineOf(source, sendAsset), receiverOf(destination, destAsset)];
    }
    case 'pathPaymentStrictSend': {
      const { sendAsset, destAsset, destination } = body.pathPaymentStrictSendOp;
      return [...lineOf(source, sendAsset), receiverOf(destination, destAsset)];
    }
    case 'manageSellOffer':
    case 'manageBuyOffer':
    case 'createPassiveSellOffer':
      return [...lineOf(source, body.value.selling), ...lineOf(source, body.value.buying)];
    case 'changeTrust': {
      const { line } = body.changeTrustOp;
      return line.type === 'assetTypeNative' || line.type === 'assetTypePoolShare'
        ? []
        : [trustlineKeyId(source, trustLineAssetOf(line))];
    }
    case 'allowTrust': {
      const { trustor, asset } = body.allowTrustOp;
      return [assetLineKeyId(trustor, assetOfCode(source, asset))];
    }
    case 'setTrustLineFlags':
      return [assetLineKeyId(body.setTrustLineFlagsOp.trustor, body.setTrustLineFlagsOp.asset)];
    case 'clawback':
      return [assetLineKeyId(accountOfMuxed(body.clawbackOp.from), body.clawbackOp.asset)];
    case 'accountMerge':
      return [accountKeyId(accountOfMuxed(body.destination))];
    case 'createClaimableBalance':
      return lineOf(source, body.createClaimableBalanceOp.asset);
    case 'revokeSponsorship': {
      const { revokeSponsorshipOp: revoked } = body;
      return revoked.type === 'revokeSponsorshipLedgerEntry'
        ? [ledgerKeyId(revoked.ledgerKey)]
        : [accountKeyId(revoked.signer.accountId)];
    }
    default:
      return [];
  }
}

function lineOf(account: xdr.PublicKey, asset: xdr.Asset): LedgerKeyId[] {
  return asset.type === 'assetTypeNative' ? [] : [assetLineKeyId(account, asset)];
}

function receiverOf(destination: xdr.MuxedAccount, asset: xdr.Asset): LedgerKeyId {
  const account = accountOfMuxed(destination);
  return asset.type === 'assetTypeNative' ? accountKeyId(account) : assetLineKeyId(account, asset);
}

const INT64_MAX = 2n ** 63n - 1n;

/** A Soroban operation must be the only one in its transaction. */
function areOperationsConsistent({ operations, isSoroban }: InnerTransaction): boolean {
  if (isSoroban) return operations.length === 1;
  return operations.every(({ body }) => !isSorobanBody(body));
}

/** Invocations must not have a memo or multiplexed sources (CAP-67, since protocol 25). */
function isMemoAllowed({ memo, muxedSource, operations }: InnerTransaction): boolean {
  const [operation] = operations;
  if (operation?.body.type !== 'invokeHostFunction') return true;
  return (
    memo.type === 'memoNone' &&
    muxedSource.type !== 'keyTypeMuxedEd25519' &&
    operation.muxedSource.type !== 'keyTypeMuxedEd25519'
  );
}

/**
 * True if the declared resource fee covers the declared resources and, unless a fee bump pays,
 * the bid covers the resource fee.
 */
function isResourceFeeValid(
  tx: InnerTransaction,
  declared: bigint,
  needed: ResourceFee,
  paysItself: boolean,
  log: DiagnosticLog,
): boolean {
  if (paysItself && declared > tx.fee) {
    log.error(
      'sceValue',
      'scecExceededLimit',
      'transaction `sorobanData.resourceFee` is higher than the full transaction fee',
      [declared, tx.fee],
    );
    return false;
  }
  const { refundable, nonRefundable } = needed;
  const sum = refundable + nonRefundable;
  if (sum > INT64_MAX) {
    log.error(
      'sceValue',
      'scecInvalidInput',
      'transaction resource fees cannot be added without overflow',
      [refundable, nonRefundable],
    );
    return false;
  }
  if (declared < sum) {
    log.error(
      'sceValue',
      'scecExceededLimit',
      'transaction `sorobanData.resourceFee` is lower than the actual Soroban resource fee',
      [declared, sum],
    );
    return false;
  }
  return true;
}

/** A footprint must not contain a key twice. */
function areFootprintKeysUnique(
  { readOnly, readWrite }: xdr.LedgerFootprint,
  log: DiagnosticLog,
): boolean {
  const ids = new Set([...readOnly, ...readWrite].map((key) => footprintKey(key).id));
  if (ids.size === readOnly.length + readWrite.length) return true;
  log.error(
    'sceStorage',
    'scecInvalidInput',
    'Found duplicate key in the Soroban footprint; every key across read-only and read-write footprints has to be unique.',
  );
  return false;
}
