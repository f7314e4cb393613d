import { createHash } from 'node:crypto';
import type { AuthorizationKey } from '../../../protocol/stellar/index.ts';
import type { ExtensionResponses, FacilitatorRequest } from '../../../protocol/wire/index.ts';
import type { Clock } from '../../clock.ts';
import { type Database, type Queryable, StoreError } from '../../store/index.ts';
import type { Channel } from '../channelPool.ts';
import type { Decision } from '../lookUntilDecided.ts';
import {
  claimedRecord,
  type JournaledTransaction,
  readSettlement,
  type SettlementRecord,
  type SettlementRow,
} from './settlementRecord.ts';

/** An authorization that is presented for settlement. */
export interface Presented {
  /** Names the settlement, if it becomes one. */
  readonly id: string;
  readonly key: AuthorizationKey;
  readonly request: FacilitatorRequest;
  readonly expirationLedger: number;
  readonly worstFee: bigint;
}

/**
 * The settlement journal (architecture: invariant 5): what was begun, what may be with the network,
 * what became of it, and who was told. It is also the replay guard: each authorization has one row,
 * shared by all instances. Methods reject with StoreError.
 */
export interface SettlementJournal {
  /** Whether the authorization is being settled or was submitted before. */
  isKnown(key: AuthorizationKey): Promise<boolean>;
  /** Takes an authorization for this instance, or tells of the settlement that has it. */
  claim(
    instance: string,
    presented: Presented,
  ): Promise<{ readonly claimed: boolean; readonly record: SettlementRecord }>;
  find(id: string): Promise<SettlementRecord | undefined>;
  /** Makes the authorization acceptable again, because nothing was signed. */
  release(record: SettlementRecord): Promise<void>;
  /**
   * Writes the transaction down that is about to leave.
   * @returns false when the settlement or the channel is no longer this instance's: then nothing
   * may be sent
   */
  submitting(
    record: SettlementRecord,
    transaction: JournaledTransaction,
    channel: Channel,
  ): Promise<boolean>;
  /**
   * The network certainly did not take it: the authorization may be presented again.
   * @returns false when another instance has it in hand by now, which may have sent it again
   */
  neverSent(record: SettlementRecord, detail: string): Promise<boolean>;
  /** What the ledger decided. The first who writes it down is right, and so is everybody else. */
  decided(record: SettlementRecord, decision: Decision, detail: string | undefined): Promise<void>;
  /** The catalog knows of the settlement. */
  cataloged(record: SettlementRecord, extensions: ExtensionResponses): Promise<void>;
  /** Nobody could be told so far: an identical request will be. */
  owe(id: string): Promise<void>;
  /** Takes the right to be told; false when another caller has it or had it. */
  takeAnswer(id: string, instance: string): Promise<boolean>;
  /**
   * The caller was told. Written soon, several at once.
   * @returns whether it stands in the journal now; until then the answer must be taken for held
   */
  given(id: string): Promise<boolean>;
  /** Resolves when all that was given is written. */
  flushed(): Promise<void>;
  /** What an instance has in hand and has not finished. */
  unfinished(instance: string): Promise<SettlementRecord[]>;
  /** Worst fees of settlements under way elsewhere, in stroops. */
  reservedElsewhere(instance: string): Promise<bigint>;
  /** Takes out what nobody can ask for any more. @param latestLedger newest ledger seen */
  forgetOld(latestLedger: number): Promise<void>;
}

/** Finished settlements stay this long, for identical requests and for whoever looks back. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** Ledgers to remember an authorization after it expired, for servers that lag behind. */
const MARGIN_LEDGERS = 100;

/** What makes two requests one: the payload and what is required of it. */
export function requestDigest({ paymentPayload, paymentRequirements }: FacilitatorRequest): string {
  const identity = JSON.stringify([paymentPayload.payload, paymentRequirements]);
  return createHash('sha256').update(identity).digest('base64');
}

/** Opens the journal in a store. */
export function openJournal(database: Database, clock: Clock): SettlementJournal {
  let toMark: string[] = [];
  let marking: Promise<boolean> | undefined;

  async function one(sql: string, params: readonly string[], on: Queryable = database) {
    const [row] = await on.all<SettlementRow>(`SELECT * FROM settlements WHERE ${sql}`, params);
    return row === undefined ? undefined : readSettlement(row);
  }

  /** Marks what has gathered, in one statement. */
  async function mark(): Promise<boolean> {
    await clock.sleep(0);
    marking = undefined;
    const ids = toMark;
    toMark = [];
    const places = ids.map(() => '?').join(', ');
    try {
      await database.run(
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

  const marks = new Set<Promise<boolean>>();

  return {
    async isKnown(key) {
      const sql = 'SELECT 1 AS known FROM settlements WHERE authorization_key = ?';
      return (await database.all(sql, [key])).length > 0;
    },

    async claim(instance, { id, key, request, expirationLedger, worstFee }) {
      const now = clock.now();
      const digest = requestDigest(request);
      for (;;) {
        const claimed = await database.run(
          `INSERT INTO settlements (id, authorization_key, digest, instance, state, answer, held_by,
             catalog, request, expiration_ledger, worst_fee, claimed_at, updated_at)
           VALUES (?, ?, ?, ?, 'claimed', 'held', ?, 'none', ?, ?, ?, ?, ?)
           ON CONFLICT (authorization_key) DO NOTHING`,
          [
            id,
            key,
            digest,
            instance,
            instance,
            JSON.stringify(request),
            expirationLedger,
            worstFee,
            now,
            now,
          ],
        );
        if (claimed > 0) {
          return { claimed: true, record: claimedRecord({ id, key, digest, instance, request }) };
        }
        const record = await one('authorization_key = ?', [key]);
        // It may have been released in between: then it is to be had.
        if (record !== undefined) return { claimed: false, record };
      }
    },

    find: (id) => one('id = ?', [id]),

    async release({ id, instance }) {
      await database.run(
        "DELETE FROM settlements WHERE id = ? AND instance = ? AND state = 'claimed'",
        [id, instance],
      );
    },

    async submitting({ id, instance }, transaction, { signer, lease }) {
      const { hash, envelope, channel, sequence, lastLedger } = transaction;
      const leased =
        lease === undefined
          ? { sql: '', params: [] }
          : {
              sql: `AND EXISTS (
                SELECT 1 FROM channels WHERE address = ? AND holder = ? AND fence = ?)`,
              params: [signer.address, lease.holder, lease.fence],
            };
      const changed = await database.run(
        `UPDATE settlements SET state = 'submitting', hash = ?, envelope = ?, channel = ?,
           sequence = ?, last_ledger = ?, updated_at = ?
         WHERE id = ? AND instance = ? AND state IN ('claimed', 'submitting') ${leased.sql}`,
        [
          hash,
          envelope,
          channel,
          sequence,
          lastLedger,
          clock.now(),
          id,
          instance,
          ...leased.params,
        ],
      );
      return changed > 0;
    },

    async neverSent({ id, instance }, detail) {
      const changed = await database.run(
        `UPDATE settlements SET state = 'never_sent', authorization_key = NULL, answer = 'given',
           held_by = NULL, request = NULL, detail = ?, updated_at = ?
         WHERE id = ? AND instance = ? AND state IN ('claimed', 'submitting')`,
        [detail, clock.now(), id, instance],
      );
      return changed > 0;
    },

    async decided({ id }, decision, detail) {
      const settled = decision.status === 'succeeded';
      const feeCharged = decision.status === 'dropped' ? 0n : decision.feeCharged;
      await database.run(
        `UPDATE settlements SET state = ?, catalog = ?, ledger = ?, fee_charged = ?, detail = ?,
           updated_at = ?
         WHERE id = ? AND state = 'submitting'`,
        [
          settled ? 'settled' : 'failed',
          settled ? 'due' : 'none',
          decision.ledger,
          feeCharged,
          detail ?? null,
          clock.now(),
          id,
        ],
      );
    },

    async cataloged({ id }, extensions) {
      await database.run(
        `UPDATE settlements SET catalog = 'done', extensions = ?,
           request = CASE WHEN answer = 'given' THEN NULL ELSE request END
         WHERE id = ? AND catalog = 'due'`,
        [JSON.stringify(extensions), id],
      );
    },

    async owe(id) {
      await database.run(
        "UPDATE settlements SET answer = 'owed', held_by = NULL WHERE id = ? AND answer = 'held'",
        [id],
      );
    },

    async takeAnswer(id, instance) {
      const taken = await database.run(
        "UPDATE settlements SET answer = 'held', held_by = ? WHERE id = ? AND answer = 'owed'",
        [instance, id],
      );
      return taken > 0;
    },

    given(id) {
      toMark.push(id);
      if (marking === undefined) {
        const mine = mark().finally(() => marks.delete(mine));
        marks.add(mine);
        marking = mine;
      }
      return marking;
    },

    async flushed() {
      while (marks.size > 0) await Promise.allSettled(marks);
    },

    async unfinished(instance) {
      const rows = await database.all<SettlementRow>(
        `SELECT * FROM settlements WHERE instance = ?
           AND (state IN ('claimed', 'submitting') OR catalog = 'due')
         ORDER BY claimed_at, id`,
        [instance],
      );
      return rows.map(readSettlement);
    },

    async reservedElsewhere(instance) {
      const [row] = await database.all<{ sum: number | bigint | null }>(
        `SELECT CAST(SUM(worst_fee) AS BIGINT) AS sum FROM settlements
         WHERE state IN ('claimed', 'submitting') AND instance <> ?`,
        [instance],
      );
      return BigInt(row?.sum ?? 0);
    },

    async forgetOld(latestLedger) {
      await database.run(
        `DELETE FROM settlements WHERE updated_at < ? AND expiration_ledger < ?
           AND state IN ('settled', 'failed', 'never_sent') AND catalog <> 'due'`,
        [clock.now() - KEPT_MS, latestLedger - MARGIN_LEDGERS],
      );
    },
  };
}
