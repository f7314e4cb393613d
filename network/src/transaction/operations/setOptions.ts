import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import {
  ACCOUNT_FLAG_MASK,
  isAuthImmutable,
  isClawbackFlagValid,
  mustLoadAccount,
  peekAccount,
  sameAccount,
  updateAccount,
} from '../balances/index.ts';
import {
  addSigner,
  findSigner,
  removeSigner,
  sponsorshipFailureResult,
} from '../sponsorship/index.ts';
import type { OperationContext, OperationRules } from './operation.ts';
import { isPrintableAscii } from './printableText.ts';

/** Maximum number of signers besides the account's own key. */
const MAX_SIGNERS = 20;

/**
 * Adds a signer, changes its weight, or removes it if the new weight is zero (removing a missing one is not an error). Returns
 * why that is not allowed, if so.
 */
function setSigner(
  ltx: LedgerTxn,
  owner: xdr.PublicKey,
  signer: xdr.Signer,
): xdr.OperationResult | undefined {
  const account = mustLoadAccount(ltx, owner);
  const { index, signer: known } = findSigner(account.signers, signer.key);
  if (signer.weight === 0) {
    if (known !== undefined) removeSigner(ltx, owner, index);
    return undefined;
  }
  if (known !== undefined) {
    updateAccount(
      ltx,
      new xdr.AccountEntry({
        ...account,
        signers: account.signers.map((other) => (other === known ? signer : other)),
      }),
    );
    return undefined;
  }
  if (account.signers.length >= MAX_SIGNERS) {
    return result(SetOptionsResult.setOptionsTooManySigners());
  }
  const failure = addSigner(ltx, owner, signer);
  return failure === undefined
    ? undefined
    : sponsorshipFailureResult(failure, result(SetOptionsResult.setOptionsLowReserve()));
}

const { SetOptionsResult } = xdr;

const UINT8_MAX = 0xff;

/** Changes flags, thresholds, signers and other options of the source (`SetOptionsOpFrame.cpp`). */
export const setOptions: OperationRules<'setOptions'> = {
  type: 'setOptions',
  threshold: ({ setOptionsOp: op }) =>
    [op.masterWeight, op.lowThreshold, op.medThreshold, op.highThreshold, op.signer].some(
      (option) => option !== null,
    )
      ? 'high'
      : 'medium',
  checkValid({ setOptionsOp }, source) {
    const failure = whyMalformed(setOptionsOp, source);
    return failure === undefined ? undefined : result(failure);
  },
  apply,
};

function whyMalformed(
  op: xdr.SetOptionsOp,
  source: xdr.PublicKey,
): xdr.SetOptionsResult | undefined {
  const set = op.setFlags ?? 0;
  const clear = op.clearFlags ?? 0;
  if (((set | clear) & ~ACCOUNT_FLAG_MASK) !== 0) return SetOptionsResult.setOptionsUnknownFlag();
  if ((set & clear) !== 0) return SetOptionsResult.setOptionsBadFlags();

  const weights = [op.masterWeight, op.lowThreshold, op.medThreshold, op.highThreshold];
  if (weights.some((weight) => weight !== null && weight > UINT8_MAX)) {
    return SetOptionsResult.setOptionsThresholdOutOfRange();
  }
  if (op.signer !== null && !isSignerValid(op.signer, source)) {
    return SetOptionsResult.setOptionsBadSigner();
  }
  if (op.homeDomain !== null && !isPrintableAscii(op.homeDomain)) {
    return SetOptionsResult.setOptionsInvalidHomeDomain();
  }
  return undefined;
}

/** True if a signer is not the account itself, has a weight of at most 255, and does not have an empty payload (CAP-40). */
function isSignerValid({ key, weight }: xdr.Signer, source: xdr.PublicKey): boolean {
  if (weight > UINT8_MAX) return false;
  if (key.type === 'signerKeyTypeEd25519') {
    return !sameAccount(xdr.PublicKey.publicKeyTypeEd25519(key.ed25519), source);
  }
  return (
    key.type !== 'signerKeyTypeEd25519SignedPayload' || key.ed25519SignedPayload.payload.length > 0
  );
}

function apply(ctx: OperationContext<'setOptions'>): xdr.OperationResult {
  const { ltx, source } = ctx;
  const op = ctx.body.setOptionsOp;
  const before = mustLoadAccount(ltx, source);

  if (
    op.inflationDest !== null &&
    !sameAccount(op.inflationDest, source) &&
    peekAccount(ltx, op.inflationDest) === undefined
  ) {
    return result(SetOptionsResult.setOptionsInvalidInflation());
  }
  const set = op.setFlags ?? 0;
  const clear = op.clearFlags ?? 0;
  if ((set | clear) !== 0 && isAuthImmutable(before)) {
    return result(SetOptionsResult.setOptionsCantChange());
  }
  const flags = (before.flags & ~clear) | set;
  const touchesFlags = op.setFlags !== null || op.clearFlags !== null;
  if (touchesFlags && !isClawbackFlagValid(flags)) {
    return result(SetOptionsResult.setOptionsAuthRevocableRequired());
  }

  updateAccount(
    ltx,
    new xdr.AccountEntry({
      ...before,
      inflationDest: op.inflationDest ?? before.inflationDest,
      flags,
      homeDomain: op.homeDomain ?? before.homeDomain,
      thresholds: thresholdsAfter(before.thresholds, op),
    }),
  );
  const failure = op.signer === null ? undefined : setSigner(ltx, source, op.signer);
  return failure ?? result(SetOptionsResult.setOptionsSuccess());
}

function thresholdsAfter(before: xdr.Thresholds, op: xdr.SetOptionsOp): xdr.Thresholds {
  const wanted = [op.masterWeight, op.lowThreshold, op.medThreshold, op.highThreshold];
  return new xdr.Thresholds(before.value.map((weight, at) => wanted[at] ?? weight));
}

function result(inner: xdr.SetOptionsResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.setOptions(inner));
}
