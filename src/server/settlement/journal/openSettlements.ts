import type { Queryable } from '../../store/index.ts';

/** A settlement without an outcome, as an operator reads it. */
export interface OpenSettlement {
  readonly state: 'claimed' | 'submitting' | 'unproven';
  readonly instance: string;
  readonly hash: string | null;
  readonly payer: string | null;
  readonly payTo: string | null;
  readonly asset: string | null;
  readonly amount: string | null;
  /** Milliseconds since the epoch. */
  readonly presentedAt: number;
}

const OPEN = "state IN ('claimed', 'submitting', 'unproven')";

/**
 * Returns the settlements of all instances on a store that have no outcome: how many, and the oldest of them.
 * Rejects with StoreError.
 */
export async function openSettlements(
  database: Queryable,
  limit: number,
): Promise<{ readonly count: number; readonly oldest: readonly OpenSettlement[] }> {
  const oldest = await database.all<OpenSettlement>(
    `SELECT state, instance, hash, payer, pay_to AS "payTo", asset, amount, claimed_at AS "presentedAt"
     FROM settlements WHERE ${OPEN} ORDER BY claimed_at LIMIT ?`,
    [limit],
  );
  const [row] = await database.all<{ count: number | bigint }>(
    `SELECT COUNT(*) AS count FROM settlements WHERE ${OPEN}`,
  );
  return {
    count: Number(row?.count ?? 0),
    oldest: oldest.map((one) => ({ ...one, presentedAt: Number(one.presentedAt) })),
  };
}

/** Returns how many instances are on a store. Rejects with StoreError. */
export async function countInstances(database: Queryable): Promise<number> {
  const [row] = await database.all<{ count: number | bigint }>(
    'SELECT COUNT(*) AS count FROM instances',
  );
  return Number(row?.count ?? 0);
}
