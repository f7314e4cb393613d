import {
  type SettlementHash,
  type StellarAddress,
  USDC_CONTRACT,
} from '../../../protocol/index.ts';
import type { Database, Queryable } from '../../store/index.ts';
import type { CatalogBounds } from '../bounds.ts';
import { CatalogFull } from '../catalogFull.ts';
import type { Listing } from '../declaration/listing.ts';
import type { PaymentOption } from '../paymentOption.ts';
import { countCall, weighPayer } from './calls.ts';
import { ENTRY_COLUMNS, type EntryRow } from './entryRow.ts';
import { isForbidden } from './isForbidden.ts';
import { isForeignRoute } from './isForeignRoute.ts';
import { type BindingRefusal, judgeBinding } from './judgeBinding.ts';
import { extensionNames, writeListing } from './listingDocument.ts';
import { makeRoom } from './makeRoom.ts';
import { keepOption } from './options.ts';
import { isTemplated, shapeOf } from './routeShape.ts';
import { changeUsage, takeSequence, usageOf } from './usage.ts';

/** A settlement with a valid declaration and recipient. */
export interface Countable {
  readonly hash: SettlementHash;
  readonly payer: StellarAddress;
  readonly payTo: StellarAddress;
  readonly option: PaymentOption;
  /** What arrived, in atomic units of the option's asset. */
  readonly moved: bigint;
  readonly listing: Listing;
  /** Whether the ledger itself moved the money: if a token only reported it, the entry is listed, and nothing is counted. */
  readonly isProved: boolean;
}

export type Recorded =
  | {
      readonly outcome: 'cataloged';
      /** Whether this settlement counts now; false if it was counted earlier, or only a token reported it. */
      readonly counted: boolean;
      /** Keys whose entries were removed to make room. */
      readonly gone: readonly string[];
    }
  | {
      readonly outcome: BindingRefusal;
      /** Whether the operator forbids it, which no proof of ownership changes. */
      readonly byOperator?: boolean;
    };

const REFUSALS: ReadonlySet<string> = new Set<BindingRefusal>([
  'binding_refused',
  'ownership_tombstone_mismatch',
  'unbound_payto',
]);

const isRefusal = (text: string): text is BindingRefusal => REFUSALS.has(text);

async function readRow(within: Queryable, key: string): Promise<EntryRow | undefined> {
  const lock = within.dialect === 'postgres' ? ' FOR UPDATE' : '';
  const [row] = await within.all<EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM catalog_entries e WHERE e.key = ?${lock}`,
    [key],
  );
  return row;
}

/** The context of a transaction. */
interface Work {
  readonly within: Queryable;
  readonly settled: Countable;
  readonly bounds: CatalogBounds;
  readonly now: number;
}

async function roomFor({ within, settled, bounds, now }: Work, bytes: number) {
  const gone = await makeRoom(within, settled.payTo, bytes, bounds, now);
  if (gone === undefined) throw new CatalogFull();
  await changeUsage(within, settled.payTo, { entries: 1, bytes });
  return gone;
}

/** Lists a resource for the first time: from here on, the recipient owns the key. */
async function bind(work: Work, sequence: number): Promise<readonly string[]> {
  const { within, settled, now } = work;
  const { listing, payTo } = settled;
  const document = writeListing(listing);
  const gone = await roomFor(work, document.length);
  const shape = shapeOf(listing);
  await within.run(
    `INSERT INTO catalog_entries (
       key, sequence, url_key, origin, depth, templated, pay_to, listed, type, extension_names,
       document, bytes, settlements, unique_payers, created_at, updated_at, settled_at,
       owner_state, owner_failure, owner_words
     ) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, 0)`,
    [
      listing.key,
      sequence,
      shape.urlKey,
      listing.origin,
      shape.segments.length,
      isTemplated(shape),
      payTo,
      listing.type,
      extensionNames(listing),
      document,
      document.length,
      now,
      now,
      now,
      // A template is not a URL that can be fetched, so it is never checked (spec: Ingest sanitization).
      listing.templated ? 'unverifiable' : 'unchecked',
      listing.templated ? 'templated' : null,
    ],
  );
  return gone;
}

/**
 * Whether an entry's texts are from the owner's own challenge. Then its texts and price stay: anyone
 * can pay a seller and declare anything.
 */
function isInOwnersWords(row: EntryRow): boolean {
  return row.listed === 1 && row.owner_words === 1;
}

/** Updates the recipient's own entry, or lists it again. */
async function renew(work: Work, row: EntryRow): Promise<readonly string[]> {
  const { within, settled, bounds, now } = work;
  const { listing, payTo } = settled;
  if (isInOwnersWords(row)) return [];
  const document = writeListing(listing);
  if (row.listed === 1 && row.document === document) return [];
  let gone: readonly string[] = [];
  if (row.listed === 1) {
    const more = document.length - row.bytes;
    const { bytes } = await usageOf(within, payTo);
    if (more > 0 && bytes + more > bounds.bytesPerSeller) return [];
    await changeUsage(within, payTo, { entries: 0, bytes: more });
  } else {
    await takeSequence(within);
    gone = await roomFor(work, document.length);
  }
  await within.run(
    `UPDATE catalog_entries
     SET listed = 1, extension_names = ?, document = ?, bytes = ?, owner_words = 0, updated_at = ?
     WHERE key = ?`,
    [extensionNames(listing), document, document.length, now, listing.key],
  );
  return gone;
}

async function count({ within, settled, now }: Work): Promise<void> {
  const { key } = settled.listing;
  const isNew = await within.run(
    'INSERT INTO catalog_payers (key, payer) VALUES (?, ?) ON CONFLICT DO NOTHING',
    [key, settled.payer],
  );
  await within.run(
    `UPDATE catalog_entries
     SET settlements = settlements + 1, unique_payers = unique_payers + ?, settled_at = ?
     WHERE key = ?`,
    [isNew, now, key],
  );
  // A payment to oneself moves nothing.
  if (settled.payer === settled.payTo) return;
  const usdc = settled.option.asset === USDC_CONTRACT ? settled.moved : 0n;
  await weighPayer(within, key, settled.payer, usdc, now);
  await countCall(within, key, settled.payer, now);
}

async function decide(work: Work): Promise<Recorded> {
  const { within, settled, now } = work;
  const { listing, payTo } = settled;
  if (await isForbidden(within, listing, payTo)) {
    return { outcome: 'binding_refused', byOperator: true };
  }
  let verdict = judgeBinding(await readRow(within, listing.key), payTo);
  let gone: readonly string[] = [];
  if (verdict.kind === 'unbound') {
    // A concurrent second settlement waits here and then finds that the key is owned.
    const sequence = await takeSequence(within);
    verdict = judgeBinding(await readRow(within, listing.key), payTo);
    if (verdict.kind === 'unbound') {
      if (await isForeignRoute(within, shapeOf(listing), payTo, now))
        return { outcome: 'unbound_payto' };
      gone = await bind(work, sequence);
    }
  }
  if (verdict.kind === 'refused') return { outcome: verdict.reason };
  if (verdict.kind === 'own') gone = await renew(work, verdict.row);
  if (settled.isProved) await count(work);
  if (verdict.kind !== 'own' || !isInOwnersWords(verdict.row)) {
    await keepOption(within, listing.key, settled.option, now);
  }
  return { outcome: 'cataloged', counted: settled.isProved, gone };
}

/**
 * Catalogs a settlement once, however often it is reported: the first recipient whose payment settles
 * owns the key, and payments to another recipient change nothing
 * (spec: Catalog ownership binding).
 * @param now milliseconds since the epoch
 * @throws CatalogFull if there is no room; StoreError; nothing has changed in either case
 */
export function recordSettlement(
  database: Database,
  settled: Countable,
  bounds: CatalogBounds,
  now: number,
): Promise<Recorded> {
  const { hash } = settled;
  return database.transaction(async (within) => {
    const isNew = await within.run(
      `INSERT INTO catalog_settlements (hash, outcome, settled_at) VALUES (?, 'cataloged', ?)
       ON CONFLICT DO NOTHING`,
      [hash, now],
    );
    if (isNew === 0) {
      const [known] = await within.all<{ outcome: string }>(
        'SELECT outcome FROM catalog_settlements WHERE hash = ?',
        [hash],
      );
      const outcome = known?.outcome ?? '';
      return isRefusal(outcome) ? { outcome } : { outcome: 'cataloged', counted: false, gone: [] };
    }
    const recorded = await decide({ within, settled, bounds, now });
    if (recorded.outcome !== 'cataloged') {
      await within.run('UPDATE catalog_settlements SET outcome = ? WHERE hash = ?', [
        recorded.outcome,
        hash,
      ]);
    }
    return recorded;
  });
}

/**
 * Catalogs a settlement that was refused, after its recipient was proved to be the owner. It counts
 * once: one that was cataloged meanwhile is left unchanged.
 */
export function recordProved(
  database: Database,
  settled: Countable,
  bounds: CatalogBounds,
  now: number,
): Promise<Recorded> {
  return database.transaction(async (within) => {
    const turned = await within.run(
      "UPDATE catalog_settlements SET outcome = 'cataloged' WHERE hash = ? AND outcome <> 'cataloged'",
      [settled.hash],
    );
    if (turned === 0) return { outcome: 'cataloged', counted: false, gone: [] };
    const recorded = await decide({ within, settled, bounds, now });
    if (recorded.outcome !== 'cataloged') {
      await within.run('UPDATE catalog_settlements SET outcome = ? WHERE hash = ?', [
        recorded.outcome,
        settled.hash,
      ]);
    }
    return recorded;
  });
}
