import type { GeneratedPolicy, PolicyState } from '../../protocol/policies/index.ts';
import { type Database, StoreError } from '../store/index.ts';
import { PolicyError } from './policyError.ts';

/** A policy as it is kept. Times are milliseconds since the epoch. */
export interface PolicyRecord {
  readonly id: string;
  readonly state: PolicyState;
  readonly artifacts: GeneratedPolicy;
  readonly deployTxHash: string | null;
  readonly attachTxHash: string | null;
}

export interface PolicyRecords {
  /** Keeps a policy that is new; one that is there stays as it is. */
  keep(policy: GeneratedPolicy, now: number): Promise<PolicyRecord>;
  /** @throws PolicyError `policy_not_found` */
  find(id: string): Promise<PolicyRecord>;
  /**
   * Marks the begin of a deployment, before anything is sent.
   * @returns false when the wallet has begun `most` of them since `since`
   */
  begin(
    record: PolicyRecord,
    limit: { most: number; since: number; now: number },
  ): Promise<boolean>;
  /** The transaction that is about to be sent. */
  sending(id: string, hash: string, now: number): Promise<void>;
  deployed(id: string, hash: string | null, now: number): Promise<void>;
  recorded(id: string, attachTxHash: string, now: number): Promise<void>;
  /** What the ledger does not bear out goes back to an earlier state. */
  drifted(record: PolicyRecord, state: PolicyState, now: number): Promise<PolicyRecord>;
  /** The latest that are deployed. */
  onLedger(most: number): Promise<readonly PolicyRecord[]>;
  /** All that are kept of a wallet, the oldest first. */
  ofWallet(wallet: string): Promise<readonly PolicyRecord[]>;
  /** What was begun and not ended when the service ended. */
  interrupted(): Promise<readonly PolicyRecord[]>;
}

interface Row {
  readonly id: string;
  readonly state: PolicyState;
  readonly artifacts: string;
  readonly deploy_tx: string | null;
  readonly attach_tx: string | null;
}

const COLUMNS = 'id, state, artifacts, deploy_tx, attach_tx';
/** Policies that nobody deployed are forgotten after this long: generating costs nothing. */
const FORGOTTEN_MS = 7 * 86_400_000;

function read({ id, state, artifacts, deploy_tx, attach_tx }: Row): PolicyRecord {
  const policy = JSON.parse(artifacts) as GeneratedPolicy;
  return {
    id,
    state,
    artifacts: { ...policy, state },
    deployTxHash: deploy_tx,
    attachTxHash: attach_tx,
  };
}

/** A store that fails is told as one. */
async function keeping<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) throw new PolicyError('store_unavailable');
    throw error;
  }
}

export function createPolicyRecords(database: Database): PolicyRecords {
  async function find(id: string): Promise<PolicyRecord> {
    const sql = `SELECT ${COLUMNS} FROM policies WHERE id = ?`;
    const [row] = await database.all<Row>(sql, [id]);
    if (row === undefined) throw new PolicyError('policy_not_found');
    return read(row);
  }
  const change = (sql: string, values: readonly (string | number | null)[]) =>
    keeping(async () => {
      await database.run(sql, values);
    });
  return {
    find: (id) => keeping(() => find(id)),
    keep: (policy, now) =>
      keeping(async () => {
        const old = "DELETE FROM policies WHERE state = 'generated' AND created_at < ?";
        await database.run(old, [now - FORGOTTEN_MS]);
        await database.run(
          `INSERT INTO policies (id, wallet, state, artifacts, created_at, updated_at)
           VALUES (?, ?, 'generated', ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
          [policy.id, policy.wallet, JSON.stringify(policy), now, now],
        );
        return find(policy.id);
      }),
    begin: ({ id, artifacts: { wallet } }, { most, since, now }) =>
      keeping(() =>
        database.transaction(async (within) => {
          const [row] = await within.all<{ begun: number }>(
            `SELECT COUNT(*) AS begun FROM policies
             WHERE wallet = ? AND id <> ? AND begun_at > ?`,
            [wallet, id, since],
          );
          if ((row?.begun ?? 0) >= most) return false;
          await within.run(
            "UPDATE policies SET state = 'deploying', begun_at = ?, updated_at = ? WHERE id = ?",
            [now, now, id],
          );
          return true;
        }),
      ),
    sending: (id, hash, now) =>
      change('UPDATE policies SET deploy_tx = ?, updated_at = ? WHERE id = ?', [hash, now, id]),
    deployed: (id, hash, now) =>
      change(
        `UPDATE policies SET state = 'deployed', deploy_tx = ?, updated_at = ?
         WHERE id = ? AND state <> 'recorded'`,
        [hash, now, id],
      ),
    recorded: (id, attachTxHash, now) =>
      change("UPDATE policies SET state = 'recorded', attach_tx = ?, updated_at = ? WHERE id = ?", [
        attachTxHash,
        now,
        id,
      ]),
    async drifted({ id, state: was }, state, now) {
      // Hashes of what is not on the ledger tell nothing; and a policy that is generated is new again.
      const forgotten =
        state === 'generated'
          ? 'deploy_tx = NULL, attach_tx = NULL, created_at'
          : 'attach_tx = NULL, updated_at';
      const sql = `UPDATE policies SET state = ?, ${forgotten} = ? WHERE id = ? AND state = ?`;
      await change(sql, [state, now, id, was]);
      return keeping(() => find(id));
    },
    onLedger: (most) =>
      keeping(async () => {
        const sql = `SELECT ${COLUMNS} FROM policies WHERE state IN ('deployed', 'recorded')
                     ORDER BY updated_at DESC, id LIMIT ?`;
        return (await database.all<Row>(sql, [most])).map(read);
      }),
    ofWallet: (wallet) =>
      keeping(async () => {
        const sql = `SELECT ${COLUMNS} FROM policies WHERE wallet = ? ORDER BY created_at, id`;
        return (await database.all<Row>(sql, [wallet])).map(read);
      }),
    interrupted: () =>
      keeping(async () => {
        const sql = `SELECT ${COLUMNS} FROM policies WHERE state = 'deploying'`;
        return (await database.all<Row>(sql)).map(read);
      }),
  };
}
