/** The parts of settlement that the facilitator may use. */
export { accountKey, balanceOfEntry, encodedAccountKey, sequenceOfEntry } from './accountEntry.ts';
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
export { openPayerRecords, type PayerRecords } from './journal/payerRecords.ts';
export { isSameOffer, isSameRequest } from './journal/requestDigest.ts';
export type { Claim, Presented, SettlementJournal } from './journal/settlementJournal.ts';
export type {
  JournaledTransaction,
  PaidElsewhere,
  PaymentTerms,
  SettlementRecord,
} from './journal/settlementRecord.ts';
export { openJournal } from './journal/storedJournal.ts';
export { type LeasedChannelPool, openLeasedChannelPool } from './leasedChannelPool.ts';
export { openSigners, type Signers } from './openSigners.ts';
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
  type Witness,
} from './proveDropped.ts';
export { resendUntilDecided } from './resendUntilDecided.ts';
export { send } from './send.ts';
export {
  draftTransaction,
  feeBumpedEnvelope,
  inclusionFeeWithin,
  innerTransaction,
  resourceFeeOf,
  signedEnvelope,
  totalBid,
  unsignedEnvelope,
} from './settlementTransaction.ts';
export type { Signer } from './signer.ts';
export { createSponsor, type Sponsor } from './sponsor.ts';
export { SubmissionError, submitClassic } from './submitClassic.ts';
