/**
 * For whom an exchange rounds. An offer trades only at a price within 1 % of the one crossed; a
 * path payment has a limit of its own, so the offer in the book may gain more than that, and
 * `strictSend` sends to the last stroop even where that buys nothing.
 */
export type Rounding = 'offer' | 'strictSend' | 'strictReceive';
