/** What the HTTP layer and the start may use of the facilitator. */
export type { FacilitatorCatalog, Settlement } from './onSettled.ts';
export { type Facilitator, openFacilitator } from './openFacilitator.ts';
export type { SettleOutcome, VerifyOutcome } from './outcomes.ts';
export type { Rejection } from './rejection.ts';
export { warmUp } from './warmUp.ts';
