import { accepted, type Checked, rejected } from '../../../payment/index.ts';
import { describeHighBid } from '../../checks/describeHighBid.ts';

export interface FeeTerms {
  /** Fee in the buyer's envelope. It is not what is bid; too low a one shows a stale simulation. */
  readonly offered: bigint;
  readonly minResourceFee: bigint;
  /** What the sponsor would really bid in all. */
  readonly bid: bigint;
  readonly ceiling: bigint;
  /** What the settlement would have to restore first, which the bid pays for. */
  readonly archived: number;
}

/** The fee is neither below what execution needs nor above the ceiling (spec: Limits/Fee ceiling). */
export function checkFee(terms: FeeTerms): Checked<undefined> {
  const { offered, minResourceFee, bid, ceiling } = terms;
  if (offered < minResourceFee) {
    return rejected('fee_below_minimum', `${offered} offered, ${minResourceFee} needed`);
  }
  if (bid > ceiling) return rejected('fee_exceeds_maximum', describeHighBid(terms));
  return accepted(undefined);
}
