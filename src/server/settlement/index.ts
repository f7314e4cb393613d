/** The parts of settlement that the facilitator may use. */
export { encodedAccountKey, sequenceOfEntry } from './accountEntry.ts';
export { accountKey } from './accountKey.ts';
export { type Channel, type ChannelPool, createChannelPool } from './channelPool.ts';
export { deriveChannelSecrets } from './channelSecrets.ts';
export { nextSequence, sequenceLost, sequenceUsed } from './channelSequence.ts';
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
export {
  type Conclusion,
  type Decision,
  decisionOf,
  type Fate,
  lookUntilDecided,
  reachesBack,
  type Witness,
} from './lookUntilDecided.ts';
export { openSigners, type Signers } from './openSigners.ts';
export { learnFate, proveDropped } from './proveDropped.ts';
export { proveNotTaken } from './proveNotTaken.ts';
export { resendUntilDecided } from './resendUntilDecided.ts';
export { send } from './send.ts';
export {
  draftTransaction,
  inclusionFeeWithin,
  innerTransaction,
  resourceFeeOf,
  totalBid,
} from './settlementTransaction.ts';
export { feeBumpedEnvelope, signedEnvelope, unsignedEnvelope } from './signedEnvelope.ts';
export type { Signer } from './signer.ts';
export { createSponsor, type Sponsor } from './sponsor.ts';
export { submitClassic } from './submitClassic.ts';
