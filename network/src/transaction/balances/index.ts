export {
  accountExtension,
  accountExtensionV3,
  numSponsored,
  numSponsoring,
  signerSponsors,
  withAccountExtensionV2,
  withAccountLiabilities,
  withSequenceTime,
} from './accountExtension.ts';
export * from './asset.ts';
export * from './asset.ts';
export { isAssetValid } from './asset.ts';
export {
  ACCOUNT_FLAG_MASK,
  ACCOUNT_FLAGS,
  areTrustlineFlagsValid,
  isAuthImmutable,
  isAuthorized,
  isAuthorizedToMaintainLiabilities,
  isAuthRequired,
  isAuthRevocable,
  isClawbackEnabledOnAccount,
  isClawbackEnabledOnLine,
  isClawbackFlagValid,
  isTrustlineAuthValid,
  TRUSTLINE_AUTH_MASK,
  TRUSTLINE_FLAG_MASK,
  TRUSTLINE_FLAGS,
} from './authorization.ts';
export * from './entryAccess.ts';
export * from './holding.ts';
export * from './holding.ts';
export * from './holding.ts';
export { INT64_MAX, UINT32_MAX } from './int64.ts';
export { LedgerFault } from './ledgerFault.ts';
export { maxSeqNumToApply, setMaxSeqNumToApply } from './maxSequence.ts';
export * from './poolShares.ts';
export {
  poolUseCount,
  trustlineLiabilities,
  withPoolUse,
  withTrustlineLiabilities,
} from './trustlineExtension.ts';
