/** What the facilitator may use of settlement. */
export { accountKey } from './accountKey.ts';
export { type Channel, type ChannelPool, createChannelPool } from './channelPool.ts';
export { deriveChannelSecrets } from './channelSecrets.ts';
export { openSigners, type Signers } from './openSigners.ts';
export { createReplayGuard, type ReplayGuard } from './replayGuard.ts';
export { totalBid } from './settlementTransaction.ts';
export { type ChannelOutcome, settleOnChannel } from './settleOnChannel.ts';
export type { Signer } from './signer.ts';
export { createSponsor, type Sponsor } from './sponsor.ts';
export { submitClassic } from './submitClassic.ts';
