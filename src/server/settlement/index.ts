/** The parts of settlement that the facilitator may use. */
export {
  type Channel,
  type ChannelPool,
  createChannelPool,
  nextSequence,
  sequenceLost,
  sequenceUsed,
} from './channelPool.ts';
export { deriveChannelSecrets } from './channelSecrets.ts';
export { joinInstances, type Membership } from './journal/membership.ts';
export { countInstances, type OpenSettlement, openSettlements } from './journal/openSettlements.ts';
export { openPayerRecords, type PayerRecords } from './journal/payerRecords.ts';
export { isSameOffer, isSameRequest } from './journal/requestDigest.ts';
export type { Claim, Presented, SettlementJournal } from './journal/settlementJournal.ts';
export {
  isDropped,
  type JournaledTransaction,
  type PaidElsewhere,
  type PaymentTerms,
  type SettlementRecord,
} from './journal/settlementRecord.ts';
export { openJournal } from './journal/storedJournal.ts';
export { type LeasedChannelPool, openLeasedChannelPool } from './leasedChannelPool.ts';
export { judgeSigners, openSigners, type Signers } from './openSigners.ts';
export { resendUntilDecided } from './resendUntilDecided.ts';
export {
  draftTransaction,
  feeBumpedEnvelope,
  inclusionFeeWithin,
  innerTransaction,
  lastLedgerOf,
  resourceFeeOf,
  signedEnvelope,
  totalBid,
  unsignedEnvelope,
} from './settlementTransaction.ts';
export type { Signer } from './signer.ts';
export { createSponsor, type Sponsor } from './sponsor.ts';
export { SubmissionError, submitClassic } from './submitClassic.ts';
export {
  type Conclusion,
  type Decision,
  decisionOf,
  type Fate,
  learnFate,
  lookUntilDecided,
  proveDropped,
  proveNotTaken,
  reachesBack,
  send,
  type Witness,
} from './transactionFate.ts';
