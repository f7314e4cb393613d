import type { Clock } from '../../clock.ts';
import type { Membership, PayerRecords } from '../../settlement/index.ts';
import { FAILURES_LAST_MS, type PayerBackOff } from './payerBackOff.ts';
import type { SharedFunds } from './payerFunds.ts';

/** Shares payers' funds in flight and failures between the instances on one store. */
export function shareFunds(
  records: PayerRecords,
  membership: Membership,
  backOff: PayerBackOff,
  clock: Clock,
): SharedFunds {
  return {
    async underWay(payer, asset) {
      const [underWay, failures] = await Promise.all([
        records.underWay(payer, asset, membership.id),
        records.failures(clock.now() - FAILURES_LAST_MS, payer),
      ]);
      for (const one of failures) backOff.learn(one, one);
      return underWay;
    },
    waits: (id, waiting) => records.markWaiting(id, waiting),
  };
}
