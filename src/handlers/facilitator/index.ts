/** A facilitator, as sellers call it. */
export { connectFacilitator, type Facilitator } from './facilitator.ts';
