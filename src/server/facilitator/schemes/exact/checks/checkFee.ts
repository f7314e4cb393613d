import { accepted, type Checked, rejected } from '../../../rejection.ts';

export interface FeeTerms {
  /** Fee in the buyer's envelope. It is not what is bid; too low a one shows a stale simulation. */
  readonly offered: bigint;
  readonly minResourceFee: bigint;
  /** What the sponsor would really bid in all. */
  readonly bid: bigint;
  readonly ceiling: bigint;
}

/** The fee is neither below what execution needs nor above the ceiling (spec: Limits/Fee ceiling). */
export function checkFee({ offered, minResourceFee, bid, ceiling }: FeeTerms): Checked<undefined> {
  if (offered < minResourceFee) {
    return rejected('fee_below_minimum', `${offered} offered, ${minResourceFee} needed`);
  }
  if (bid > ceiling)
    return rejected('fee_exceeds_maximum', `${bid} bid, ceiling ${ceiling} stroops`);
  return accepted(undefined);
}
