import type { SettlementHash, StellarAddress } from '../../../protocol/index.ts';
import type { AuthorizationKey } from '../../../protocol/stellar/index.ts';
import type { ExtensionResponses } from '../../../protocol/wire/index.ts';
import type { Clock } from '../../clock.ts';
import { type Database, type SqlValue, StoreError } from '../../store/index.ts';
import type { Channel } from '../channelPool.ts';
import type { Conclusion } from '../transactionFate.ts';
import { DATABASE_NOW } from './databaseClock.ts';
import { requestDigest } from './requestDigest.ts';
import type { Claim, Presented, SettlementJournal } from './settlementJournal.ts';
import {
  claimedRecord,
  DROPPED,
  FINISHED,
  type JournaledTransaction,
  type PaidElsewhere,
  readSettlement,
  type SettlementRecord,
  type SettlementRow,
} from './settlementRecord.ts';

/** Finished settlements are kept this long, for identical requests and for later lookups. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** Ledgers to remember an authorization after it expired, for servers that lag behind. */
const MARGIN_LEDGERS = 100;
/** Most unproven settlements to look up at once. */
const UNPROVEN_AT_ONCE = 100;

/** The journal in a store, with one row per settlement. */
class StoredJournal implements SettlementJournal {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #deliveries: Deliveries;
  readonly #refusals: SharedRefusals;
  readonly #network: number;

  constructor(database: Database, clock: Clock, network: number) {
    this.#network = network;
    this.#database = database;
    this.#clock = clock;
    this.#deliveries = new Deliveries(database, clock);
    this.#refusals = new SharedRefusals(database);
  }

  async claim(instance: string, presented: Presented): Promise<Claim> {
    const { id, key, request, expirationLedger, worstFee, terms, client, paymentId } = presented;
    const now = this.#clock.now();
    const digest = requestDigest(request);
    for (;;) {
      this.#database.noteSettlements?.();
      const claimed = await this.#database.run(
        `INSERT INTO settlements (id, authorization_key, digest, instance, state, answer, held_by,
           catalog, request, expiration_ledger, worst_fee, payer, pay_to, asset, amount, client,
           payment_id, network, claimed_at, updated_at)
         VALUES (?, ?, ?, ?, 'claimed', 'held', ?, 'none', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
        [
          id,
          key,
          digest,
          instance,
          instance,
          JSON.stringify(request),
          expirationLedger,
          worstFee,
          terms?.payer ?? null,
          terms?.payTo ?? null,
          terms?.asset ?? null,
          terms?.amount.toString() ?? null,
          client ?? null,
          paymentId ?? null,
          this.#network,
          now,
          now,
        ],
      );
      if (claimed > 0) {
        const claim = {
          ...{ id, key, digest, terms, client, paymentId, instance, request },
          network: this.#network,
          claimedAt: now,
        };
        return { claimed: true, record: claimedRecord(claim) };
      }
      const record =
        (await this.findByKey(key)) ??
        (terms === undefined || paymentId === undefined
          ? undefined
          : await this.findByPaymentId(terms.payer, paymentId));
      // It may have been released in between: then it can be claimed.
      if (record !== undefined) return { claimed: false, record };
    }
  }

  find(id: string): Promise<SettlementRecord | undefined> {
    return this.#one('id = ?', [id]);
  }

  findByKey(key: AuthorizationKey): Promise<SettlementRecord | undefined> {
    return this.#one('authorization_key = ?', [key]);
  }

  findByPaymentId(payer: StellarAddress, paymentId: string): Promise<SettlementRecord | undefined> {
    return this.#one('payer = ? AND payment_id = ?', [payer, paymentId]);
  }

  findByHash(hash: SettlementHash): Promise<SettlementRecord | undefined> {
    return this.#one('hash = ?', [hash]);
  }

  release(record: SettlementRecord, told?: string): Promise<boolean> {
    const change = "DELETE FROM settlements WHERE id = ? AND instance = ? AND state = 'claimed'";
    return this.#refusals.tell(record, told, change, [record.id, record.instance]);
  }

  refusalOf(record: SettlementRecord, ageMs: () => number): Promise<string | undefined> {
    return this.#refusals.find(record, ageMs);
  }

  async submitting(
    { id, instance }: SettlementRecord,
    transaction: JournaledTransaction,
    { signer, lease }: Channel,
  ): Promise<boolean> {
    const { hash, envelope, channel, sequence, lastLedger, sentAfter } = transaction;
    const leased =
      lease === undefined
        ? { sql: '', params: [] }
        : {
            sql: `AND EXISTS (
              SELECT 1 FROM channels WHERE address = ? AND holder = ? AND fence = ?)`,
            params: [signer.address, lease.holder, lease.fence],
          };
    const changed = await this.#database.run(
      `UPDATE settlements SET state = 'submitting', hash = ?, envelope = ?, channel = ?,
         sequence = ?, last_ledger = ?, sent_after = ?, updated_at = ?
       WHERE id = ? AND instance = ? AND state IN ('claimed', 'submitting') ${leased.sql}`,
      [
        hash,
        envelope,
        channel,
        sequence,
        lastLedger,
        sentAfter,
        this.#clock.now(),
        id,
        instance,
        ...leased.params,
      ],
    );
    return changed > 0;
  }

  neverSent(record: SettlementRecord, detail: string, told?: string): Promise<boolean> {
    const change = `UPDATE settlements SET state = 'never_sent', authorization_key = NULL,
         payment_id = NULL, answer = 'given', held_by = NULL, request = NULL, detail = ?, updated_at = ?
       WHERE id = ? AND instance = ? AND state IN ('claimed', 'submitting')`;
    const params = [detail, this.#clock.now(), record.id, record.instance];
    return this.#refusals.tell(record, told, change, params);
  }

  async decided(
    { id }: SettlementRecord,
    conclusion: Conclusion,
    detail: string | undefined,
    answered?: ExtensionResponses,
  ): Promise<boolean> {
    const settled = conclusion.status === 'succeeded';
    const catalog = !settled ? 'none' : answered === undefined ? 'due' : 'done';
    const feeCharged = conclusion.status === 'dropped' ? 0n : conclusion.feeCharged;
    const arrived = 'arrived' in conclusion ? conclusion.arrived : undefined;
    const changed = await this.#database.run(
      `UPDATE settlements SET state = ?, catalog = ?, extensions = ?, ledger = ?, fee_charged = ?,
         detail = ?, payment_id = CASE WHEN ? = 'settled' THEN payment_id ELSE NULL END,
         request = CASE WHEN answer = 'given' AND ? <> 'due' THEN NULL ELSE request END, updated_at = ?
         ${arrived === undefined ? '' : ', arrived = ?'}
       WHERE id = ? AND state IN ('submitting', 'unproven')`,
      [
        settled ? 'settled' : 'failed',
        catalog,
        settled && answered !== undefined ? JSON.stringify(answered) : null,
        conclusion.ledger,
        feeCharged,
        detail ?? null,
        settled ? 'settled' : 'failed',
        catalog,
        this.#clock.now(),
        ...(arrived === undefined ? [] : [arrived.toString()]),
        id,
      ],
    );
    return changed > 0;
  }

  async reopen({ id }: SettlementRecord): Promise<void> {
    await this.#database.run(
      `UPDATE settlements SET authorization_key = NULL, payment_id = NULL, updated_at = ?
       WHERE id = ? AND ${DROPPED}`,
      [this.#clock.now(), id],
    );
  }

  async paidElsewhere({ id }: SettlementRecord, { hash, ledger }: PaidElsewhere): Promise<void> {
    await this.#database.run(
      `UPDATE settlements SET paid_hash = ?, paid_ledger = ? WHERE id = ? AND state <> 'settled'`,
      [hash ?? null, ledger ?? 0, id],
    );
  }

  async unproven({ id, instance }: SettlementRecord): Promise<void> {
    await this.#database.run(
      `UPDATE settlements SET state = 'unproven', updated_at = ?,
         answer = CASE WHEN answer = 'held' THEN 'owed' ELSE answer END, held_by = NULL
       WHERE id = ? AND instance = ? AND state = 'submitting'`,
      [this.#clock.now(), id, instance],
    );
  }

  async findUnproven(): Promise<SettlementRecord[]> {
    const rows = await this.#database.all<SettlementRow>(
      `SELECT * FROM settlements WHERE state = 'unproven' AND network = ?
       ORDER BY claimed_at, id LIMIT ${UNPROVEN_AT_ONCE}`,
      [this.#network],
    );
    return rows.map(readSettlement);
  }

  async cataloged({ id }: SettlementRecord, extensions: ExtensionResponses): Promise<void> {
    await this.#database.run(
      `UPDATE settlements SET catalog = 'done', extensions = ?,
         request = CASE WHEN answer = 'given' THEN NULL ELSE request END
       WHERE id = ? AND catalog = 'due'`,
      [JSON.stringify(extensions), id],
    );
  }

  async owe(id: string, holder: string): Promise<void> {
    await this.#database.run(
      `UPDATE settlements SET answer = 'owed', held_by = NULL
       WHERE id = ? AND answer = 'held' AND held_by = ?`,
      [id, holder],
    );
  }

  async takeAnswer(id: string, instance: string): Promise<boolean> {
    const taken = await this.#database.run(
      "UPDATE settlements SET answer = 'held', held_by = ? WHERE id = ? AND answer = 'owed'",
      [instance, id],
    );
    return taken > 0;
  }

  delivered(id: string): Promise<boolean> {
    return this.#deliveries.record(id);
  }

  flushed(): Promise<void> {
    return this.#deliveries.flushed();
  }

  async unfinished(instance: string): Promise<SettlementRecord[]> {
    const rows = await this.#database.all<SettlementRow>(
      `SELECT * FROM settlements WHERE instance = ?
         AND (state IN ('claimed', 'submitting') OR catalog = 'due')
       ORDER BY claimed_at, id`,
      [instance],
    );
    return rows.map(readSettlement);
  }

  async lastSequences(): Promise<ReadonlyMap<string, bigint>> {
    const rows = await this.#database.all<{ channel: string; last: number | bigint }>(
      `SELECT channel, MAX(sequence) AS last FROM settlements
       WHERE channel IS NOT NULL AND sequence IS NOT NULL AND network = ? GROUP BY channel`,
      [this.#network],
    );
    return new Map(rows.map(({ channel, last }) => [channel, BigInt(last)]));
  }

  async reservedElsewhere(instance: string): Promise<bigint> {
    const [row] = await this.#database.all<{ sum: number | bigint | null }>(
      `SELECT CAST(SUM(worst_fee) AS BIGINT) AS sum FROM settlements
       WHERE state IN ('claimed', 'submitting') AND instance <> ?`,
      [instance],
    );
    return BigInt(row?.sum ?? 0);
  }

  async forgetOld(latestLedger: number): Promise<void> {
    await this.#database.run(
      `DELETE FROM settlements WHERE updated_at < ? AND (expiration_ledger < ? OR network <> ?)
         AND ${FINISHED} AND catalog <> 'due'`,
      [this.#clock.now() - KEPT_MS, latestLedger - MARGIN_LEDGERS, this.#network],
    );
    await this.#refusals.forgetOld();
  }

  async #one(sql: string, params: readonly string[]): Promise<SettlementRecord | undefined> {
    const [row] = await this.#database.all<SettlementRow>(
      `SELECT * FROM settlements WHERE ${sql}`,
      params,
    );
    return row === undefined ? undefined : readSettlement(row);
  }
}

/** Opens the journal in a store. @param network the present network, of those that the store has seen */
export function openJournal(database: Database, clock: Clock, network = 1): SettlementJournal {
  return new StoredJournal(database, clock, network);
}

/**
 * Milliseconds in which deliveries are gathered for one statement. A request for the same payment meanwhile
 * finds it held, as it would if this process ended now.
 */
const GATHER_MS = 10;

/** Records which answers were delivered, those of some milliseconds with one statement. */
export class Deliveries {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #writing = new Set<Promise<boolean>>();
  #ids: string[] = [];
  #next: Promise<boolean> | undefined;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @returns whether it has been written */
  record(id: string): Promise<boolean> {
    this.#ids.push(id);
    if (this.#next === undefined) {
      const mine = this.#write().finally(() => this.#writing.delete(mine));
      this.#writing.add(mine);
      this.#next = mine;
    }
    return this.#next;
  }

  /** Resolves when everything recorded so far is written or has failed. */
  async flushed(): Promise<void> {
    while (this.#writing.size > 0) await Promise.allSettled(this.#writing);
  }

  async #write(): Promise<boolean> {
    await this.#clock.sleep(GATHER_MS);
    this.#next = undefined;
    const ids = this.#ids;
    this.#ids = [];
    const places = ids.map(() => '?').join(', ');
    try {
      await this.#database.run(
        `UPDATE settlements SET answer = 'given', held_by = NULL,
           request = CASE WHEN state IN ('settled', 'failed') AND catalog <> 'due'
             THEN NULL ELSE request END
         WHERE id IN (${places})`,
        ids,
      );
      return true;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return false;
    }
  }
}

/** Longer than any request takes. */
const REFUSALS_KEPT_MS = 120_000;

/**
 * If a request is sent to several instances at once, it may arrive at one this long after another has
 * answered. A refused payment that is presented to another instance within this time is refused again.
 */
const ARRIVES_LATE_MS = 1_000;

/**
 * Shares refusals between the instances on one PostgreSQL. If a seller sends one payment to two instances
 * at once and one answers that nothing moved, the other must not move it. The instance of an embedded
 * store is the only one, and keeps its refusals in memory.
 */
export class SharedRefusals {
  readonly #database: Database;
  readonly #isShared: boolean;

  constructor(database: Database) {
    this.#database = database;
    this.#isShared = database.dialect === 'postgres';
  }

  /**
   * Makes an authorization acceptable again and records why it was refused, in one step, so that another
   * instance finds either the claim or the refusal.
   * @param change the statement that releases it and changes one row or none
   * @returns whether it changed a row
   */
  async tell(
    { key, digest, instance }: SettlementRecord,
    told: string | undefined,
    change: string,
    params: readonly SqlValue[],
  ): Promise<boolean> {
    if (!this.#isShared || key === undefined || told === undefined) {
      return (await this.#database.run(change, params)) > 0;
    }
    const changed = await this.#database.run(
      `WITH changed AS (${change} RETURNING id), told AS (SELECT ${DATABASE_NOW} AS now)
       INSERT INTO refusals AS known (authorization_key, digest, told, instance, first_at, refused_at)
       SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), now, now
       FROM changed CROSS JOIN told
       ON CONFLICT (authorization_key) DO UPDATE SET digest = excluded.digest, told = excluded.told,
         instance = excluded.instance, refused_at = excluded.refused_at,
         first_at = CASE
           WHEN known.told = excluded.told AND known.first_at > excluded.first_at - ${ARRIVES_LATE_MS}
           THEN known.first_at ELSE excluded.first_at END`,
      [...params, key, digest, told, instance],
    );
    return changed > 0;
  }

  /**
   * Returns the refusal that another instance gave this request while it was in flight. Call it after the
   * claim.
   * @param ageMs how long ago the request arrived here
   */
  async find(
    { key, digest, instance }: SettlementRecord,
    ageMs: () => number,
  ): Promise<string | undefined> {
    if (!this.#isShared || key === undefined) return undefined;
    const [row] = await this.#database.all<{ told: string; first: number; last: number }>(
      `SELECT told, ${DATABASE_NOW} - first_at AS first, ${DATABASE_NOW} - refused_at AS last
       FROM refusals WHERE authorization_key = ? AND digest = ? AND instance <> ?`,
      [key, digest, instance],
    );
    if (row === undefined) return undefined;
    // The database knows the refusal's age, and this process the request's age.
    const age = ageMs();
    const isUnderWay = row.last <= age || row.first <= age + ARRIVES_LATE_MS;
    return isUnderWay ? row.told : undefined;
  }

  async forgetOld(): Promise<void> {
    if (!this.#isShared) return;
    await this.#database.run(`DELETE FROM refusals WHERE refused_at < ${DATABASE_NOW} - ?`, [
      REFUSALS_KEPT_MS,
    ]);
  }
}
