import { accepted, type Checked, rejected } from '../../../payment/index.ts';
import { describeHighBid } from '../../checks/describeHighBid.ts';

export interface FeeTerms {
  /** Fee in the buyer's envelope. It is not the bid. If it is too low, the buyer's simulation is outdated. */
  readonly offered: bigint;
  readonly minResourceFee: bigint;
  /** The sponsor's actual total bid. */
  readonly bid: bigint;
  readonly ceiling: bigint;
  /** Archived entries that the settlement would have to restore first; the bid pays for it. */
  readonly archived: number;
}

/** Checks that the fee is neither below what execution needs nor above the ceiling (spec: Limits/Fee ceiling). */
export function checkFee(terms: FeeTerms): Checked<undefined> {
  const { offered, minResourceFee, bid, ceiling } = terms;
  if (offered < minResourceFee) {
    return rejected('fee_below_minimum', `${offered} offered, ${minResourceFee} needed`);
  }
  if (bid > ceiling) return rejected('fee_exceeds_maximum', describeHighBid(terms));
  return accepted(undefined);
}
