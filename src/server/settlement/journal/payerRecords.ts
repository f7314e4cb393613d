import type { ContractAddress, StellarAddress } from '../../../protocol/index.ts';
import type { Queryable } from '../../store/index.ts';
import { FINISHED } from './settlementRecord.ts';

/** Settlements in flight at other instances, of one payer in one asset. */
export interface PayerUnderWay {
  readonly count: number;
  /** Atomic units. */
  readonly amount: bigint;
}

/** Settlements of one payer to one recipient that the ledger refused at the sponsor's expense. */
export interface PayerFailures {
  readonly payer: StellarAddress;
  readonly payTo: StellarAddress;
  readonly count: number;
  /** When the last one was decided: milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Fees that were charged for the calls of one client, for one recipient. */
export interface ChargedFees {
  /** `undefined` for callers in a process of the service, and for settlements of earlier versions. */
  readonly client: string | undefined;
  readonly payTo: string | undefined;
  /** Stroops. */
  readonly fees: bigint;
}

/** A payer's records in the journal of all instances. Methods reject with StoreError. */
export interface PayerRecords {
  /** @param instance whose own settlements do not count */
  underWay(payer: StellarAddress, asset: ContractAddress, instance: string): Promise<PayerUnderWay>;
  /** Records whether a settlement waits for its payer's funds; a waiting one uses none of them. */
  markWaiting(id: string, waiting: boolean): Promise<void>;
  /** @param since milliseconds since the epoch @param payer one payer alone */
  failures(since: number, payer?: StellarAddress): Promise<PayerFailures[]>;
  /** Returns the fees charged for settlements of instances other than `instance`. */
  feesElsewhere(instance: string, since: number): Promise<readonly ChargedFees[]>;
}

/** Reads and writes payers' records in the settlement journal. */
export function openPayerRecords(database: Queryable): PayerRecords {
  return {
    async underWay(payer, asset, instance) {
      const rows = await database.all<{ amount: string }>(
        `SELECT amount FROM settlements
         WHERE payer = ? AND asset = ? AND state IN ('claimed', 'submitting')
           AND instance <> ? AND awaits_funds = 0`,
        [payer, asset, instance],
      );
      return {
        count: rows.length,
        amount: rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
      };
    },
    async markWaiting(id, waiting) {
      await database.run('UPDATE settlements SET awaits_funds = ? WHERE id = ?', [
        waiting ? 1 : 0,
        id,
      ]);
    },
    async failures(since, payer) {
      const rows = await database.all<{
        payer: StellarAddress;
        pay_to: StellarAddress;
        count: number;
        last: number;
      }>(
        `SELECT payer, pay_to, COUNT(*) AS count, MAX(updated_at) AS last FROM settlements
         WHERE ${FINISHED} AND state = 'failed' AND fee_charged > 0 AND updated_at > ?
           AND payer IS NOT NULL AND pay_to IS NOT NULL AND paid_ledger IS NULL AND arrived IS NULL
           ${payer === undefined ? '' : 'AND payer = ?'}
         GROUP BY payer, pay_to`,
        payer === undefined ? [since] : [since, payer],
      );
      return rows.map(({ payer: who, pay_to: payTo, count, last }) => ({
        payer: who,
        payTo,
        count: Number(count),
        lastAt: Number(last),
      }));
    },
    async feesElsewhere(instance, since) {
      const rows = await database.all<{
        client: string | null;
        pay_to: string | null;
        sum: number | bigint;
      }>(
        `SELECT client, pay_to, CAST(SUM(fee_charged) AS BIGINT) AS sum FROM settlements
         WHERE ${FINISHED} AND updated_at > ? AND fee_charged > 0 AND instance <> ?
         GROUP BY client, pay_to`,
        [since, instance],
      );
      return rows.map(({ client, pay_to: payTo, sum }) => ({
        client: client ?? undefined,
        payTo: payTo ?? undefined,
        fees: BigInt(sum),
      }));
    },
  };
}
