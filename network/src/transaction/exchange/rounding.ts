/**
 * In whose favor an exchange rounds. An offer trades only at a price within 1% of the one crossed. A path payment has its own
 * limit, so the offer in the book can gain more than that, and `strictSend` sends everything to the last stroop even if that
 * buys nothing.
 */
export type Rounding = 'offer' | 'strictSend' | 'strictReceive';
