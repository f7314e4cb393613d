/** What the HTTP layer and the start may use of the facilitator. */
export { type Facilitator, openFacilitator } from './openFacilitator.ts';
export {
  type FacilitatorCatalog,
  type Rejection,
  refusalOf,
  type Settlement,
  type SettleOutcome,
  type VerifyOutcome,
} from './payment/index.ts';
export { warmUp } from './warmUp.ts';
