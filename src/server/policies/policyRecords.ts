import type { GeneratedPolicy, PolicyState } from '../../protocol/policies/index.ts';
import { isOverShare } from '../fairShare.ts';
import { type Database, type Queryable, type SqlValue, StoreError } from '../store/index.ts';
import { PolicyError } from './policyError.ts';

/** A stored policy. Times are milliseconds since the epoch. */
export interface PolicyRecord {
  readonly id: string;
  readonly state: PolicyState;
  readonly artifacts: GeneratedPolicy;
  readonly deployTxHash: string | null;
  readonly attachTxHash: string | null;
}

export interface PolicySlice {
  readonly limit: number;
  readonly offset: number;
}

export interface PolicyPage {
  readonly records: readonly PolicyRecord[];
  readonly total: number;
}

/** What the sponsor may pay for since a moment: for one wallet, and in total, of which each client has a share. */
export interface SponsoredLimit {
  readonly ofWallet: number;
  readonly inAll: number;
  /** Who asks for it; `undefined` for the owner of this machine. */
  readonly client: string | undefined;
  /** Whether clients share the total; otherwise one may take it all, as on a developer's own machine. */
  readonly isShared: boolean;
  readonly since: number;
  readonly now: number;
}

/** Whether the sponsor may pay, or which limit is reached. */
export type Begun = 'begun' | 'wallet_limit' | 'client_limit';

interface Row {
  readonly id: string;
  readonly state: PolicyState;
  readonly artifacts: string;
  readonly deploy_tx: string | null;
  readonly attach_tx: string | null;
}

const COLUMNS = 'id, state, artifacts, deploy_tx, attach_tx';
/** How long a policy that nobody deployed is kept. */
const FORGOTTEN_MS = 7 * 86_400_000;
/** How long a policy that no wallet has requested is kept; anyone can generate one for any wallet. */
const UNPROVED_MS = 15 * 60_000;

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

/** Converts failures of the store to PolicyError `store_unavailable`. */
async function keeping<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) throw new PolicyError('store_unavailable');
    throw error;
  }
}

/** What the sponsor has paid for since a moment: deployments, and later work on them. */
interface Sponsored {
  readonly inAll: number;
  readonly ofClient: number;
  readonly deployedForWallet: number;
  readonly keptForWallet: number;
}

/** @param id a policy whose own deployment does not count */
async function countSponsored(
  within: Queryable,
  id: string,
  wallet: string,
  { client = '', since }: SponsoredLimit,
): Promise<Sponsored> {
  const counts = (name: string) =>
    `SELECT COUNT(*) AS total, COUNT(CASE WHEN wallet = ? THEN 1 END) AS of_wallet,
       COUNT(CASE WHEN COALESCE(${name}, '') = ? THEN 1 END) AS of_client`;
  interface Counted {
    readonly total: number;
    readonly of_wallet: number;
    readonly of_client: number;
  }
  const [deployed] = await within.all<Counted>(
    `${counts('begun_for')} FROM policies WHERE id <> ? AND begun_at > ?`,
    [wallet, client, id, since],
  );
  const [kept] = await within.all<Counted>(
    `${counts('client')} FROM policy_upkeep WHERE begun_at > ?`,
    [wallet, client, since],
  );
  return {
    inAll: Number(deployed?.total ?? 0) + Number(kept?.total ?? 0),
    ofClient: Number(deployed?.of_client ?? 0) + Number(kept?.of_client ?? 0),
    deployedForWallet: Number(deployed?.of_wallet ?? 0),
    keptForWallet: Number(kept?.of_wallet ?? 0),
  };
}

function isOverClientShare({ inAll, ofClient }: Sponsored, limit: SponsoredLimit): boolean {
  if (!limit.isShared) return inAll >= limit.inAll;
  return isOverShare(1n, {
    budget: BigInt(limit.inAll),
    spent: BigInt(inAll),
    ofClient: BigInt(ofClient),
    ofRecipient: 0n,
  });
}

/** The gateway's records of policies. Every method rejects with PolicyError `store_unavailable`. */
export class PolicyRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Stores a new policy; an existing one stays unchanged.
   * @param proved whether the caller proved control of the wallet
   */
  keep(policy: GeneratedPolicy, proved: boolean, now: number): Promise<PolicyRecord> {
    return keeping(async () => {
      await this.#database.run(
        `DELETE FROM policies WHERE state = 'generated'
           AND (created_at < ? OR (proved = 0 AND created_at < ?))`,
        [now - FORGOTTEN_MS, now - UNPROVED_MS],
      );
      await this.#database.run(
        `INSERT INTO policies (id, wallet, state, artifacts, proved, created_at, updated_at)
         VALUES (?, ?, 'generated', ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
        [policy.id, policy.wallet, JSON.stringify(policy), proved, now, now],
      );
      return this.#read(policy.id);
    });
  }

  /** Records the wallet's proof that it wants this policy. */
  proved(id: string): Promise<void> {
    return this.#change('UPDATE policies SET proved = 1 WHERE id = ?', [id]);
  }

  /** @throws PolicyError `policy_not_found` */
  find(id: string): Promise<PolicyRecord> {
    return keeping(() => this.#read(id));
  }

  /** Records the start of a deployment, before anything is sent. */
  begin({ id, artifacts: { wallet } }: PolicyRecord, limit: SponsoredLimit): Promise<Begun> {
    const { ofWallet, now, client = null } = limit;
    return keeping(() =>
      this.#database.transaction(async (within) => {
        const counted = await countSponsored(within, id, wallet, limit);
        if (counted.deployedForWallet >= ofWallet) return 'wallet_limit';
        if (isOverClientShare(counted, limit)) return 'client_limit';
        await within.run(
          `UPDATE policies SET state = 'deploying', begun_at = ?, begun_for = ?, updated_at = ?
           WHERE id = ?`,
          [now, client, now, id],
        );
        return 'begun';
      }),
    );
  }

  /** Records, before anything is sent, that the sponsor pays once more for a policy whose deployment has begun. */
  beginUpkeep({ id, artifacts: { wallet } }: PolicyRecord, limit: SponsoredLimit): Promise<Begun> {
    const { ofWallet, since, now, client = null } = limit;
    return keeping(() =>
      this.#database.transaction(async (within) => {
        await within.run('DELETE FROM policy_upkeep WHERE begun_at <= ?', [since]);
        const counted = await countSponsored(within, '', wallet, limit);
        if (counted.keptForWallet >= ofWallet) return 'wallet_limit';
        if (isOverClientShare(counted, limit)) return 'client_limit';
        await within.run(
          'INSERT INTO policy_upkeep (policy, wallet, client, begun_at) VALUES (?, ?, ?, ?)',
          [id, wallet, client, now],
        );
        return 'begun';
      }),
    );
  }

  /** Records the transaction that is about to be sent. */
  sending(id: string, hash: string, now: number): Promise<void> {
    const sql = 'UPDATE policies SET deploy_tx = ?, updated_at = ? WHERE id = ?';
    return this.#change(sql, [hash, now, id]);
  }

  deployed(id: string, hash: string | null, now: number): Promise<void> {
    return this.#change(
      `UPDATE policies SET state = 'deployed', deploy_tx = ?, updated_at = ?
       WHERE id = ? AND state <> 'recorded'`,
      [hash, now, id],
    );
  }

  recorded(id: string, attachTxHash: string, now: number): Promise<void> {
    return this.#change(
      `UPDATE policies SET state = 'recorded', attach_tx = ?, proved = 1, updated_at = ?
       WHERE id = ?`,
      [attachTxHash, now, id],
    );
  }

  /** Resets records that the ledger does not confirm to an earlier state. */
  async drifted(
    { id, state: was }: PolicyRecord,
    state: PolicyState,
    now: number,
  ): Promise<PolicyRecord> {
    // Hashes that are not on the ledger are useless, and a generated policy counts as new again.
    const forgotten =
      state === 'generated'
        ? 'deploy_tx = NULL, attach_tx = NULL, created_at'
        : 'attach_tx = NULL, updated_at';
    const sql = `UPDATE policies SET state = ?, ${forgotten} = ? WHERE id = ? AND state = ?`;
    await this.#change(sql, [state, now, id, was]);
    return this.find(id);
  }

  /** Returns the most recently deployed policies. */
  onLedger(most: number): Promise<readonly PolicyRecord[]> {
    return this.#list(
      `SELECT ${COLUMNS} FROM policies WHERE state IN ('deployed', 'recorded')
       ORDER BY updated_at DESC, id LIMIT ?`,
      [most],
    );
  }

  /** Returns the policies that a wallet itself requested, newest first, and their number. */
  async ofWallet(wallet: string, { limit, offset }: PolicySlice): Promise<PolicyPage> {
    const [counted] = await keeping(() =>
      this.#database.all<{ total: number }>(
        'SELECT COUNT(*) AS total FROM policies WHERE wallet = ? AND proved = 1',
        [wallet],
      ),
    );
    const records = await this.#list(
      `SELECT ${COLUMNS} FROM policies WHERE wallet = ? AND proved = 1
       ORDER BY created_at DESC, id LIMIT ? OFFSET ?`,
      [wallet, limit, offset],
    );
    return { records, total: Number(counted?.total ?? 0) };
  }

  /** Returns the record of a wallet's contract. */
  async findContract(wallet: string, contractId: string): Promise<PolicyRecord | undefined> {
    const records = await this.#list(
      `SELECT ${COLUMNS} FROM policies WHERE wallet = ? AND artifacts LIKE ? LIMIT 20`,
      [wallet, `%"${contractId}"%`],
    );
    return records.find(({ artifacts }) => artifacts.contract?.contractId === contractId);
  }

  /** Returns the deployments that were in progress when the service stopped. */
  interrupted(): Promise<readonly PolicyRecord[]> {
    return this.#list(`SELECT ${COLUMNS} FROM policies WHERE state = 'deploying'`, []);
  }

  async #read(id: string): Promise<PolicyRecord> {
    const sql = `SELECT ${COLUMNS} FROM policies WHERE id = ?`;
    const [row] = await this.#database.all<Row>(sql, [id]);
    if (row === undefined) throw new PolicyError('policy_not_found');
    return read(row);
  }

  #change(sql: string, values: readonly SqlValue[]): Promise<void> {
    return keeping(async () => {
      await this.#database.run(sql, values);
    });
  }

  #list(sql: string, values: readonly SqlValue[]): Promise<readonly PolicyRecord[]> {
    return keeping(async () => (await this.#database.all<Row>(sql, values)).map(read));
  }
}
