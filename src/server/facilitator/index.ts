/** The parts of the facilitator that the HTTP layer and the start may use. */

export { describeForeign, foreignChannels } from './channelOrigin.ts';
export type { SettlementName, SettlementStatus } from './findSettlement.ts';
export { resourceOf } from './limits/index.ts';
export { type IdentifiedNetwork, identifyNetwork } from './networkIdentity.ts';
export { type Facilitator, openFacilitator } from './openFacilitator.ts';
export { Draining, drained } from './operatorStatus.ts';
export {
  type FacilitatorCatalog,
  type KnownFate,
  type Rejection,
  refusalOf,
  type Settlement,
  type SettleOutcome,
  type VerifyOutcome,
} from './payment/index.ts';
export type { Caller } from './settle/index.ts';
export { warmUp } from './warmUp.ts';
