import { MAX_STANDING } from '../searchDocument.ts';

/**
 * The greatest nearness that standing adds, as a share of the range above the floor. It decides among entries that are about as
 * near, and lifts none over one that is clearly nearer.
 */
const LIFT = 0.25;
/** The share of that range from which more nearness counts less: an entry this near answers the query. */
const ENOUGH = 0.545;
/** How much nearness beyond that counts. */
const BEYOND = 0.1;

/** Returns the nearness by which an entry is ranked: saturated, and lifted by what is known of the entry besides its words. */
export function liftedNearness(nearness: number, standing: number, floor: number): number {
  const enough = floor + ENOUGH * (1 - floor);
  const felt = nearness <= enough ? nearness : enough + (nearness - enough) * BEYOND;
  return felt + LIFT * (1 - floor) * (standing / MAX_STANDING);
}
