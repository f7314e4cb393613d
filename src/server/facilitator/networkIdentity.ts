import { accountKey } from '../../protocol/stellar/index.ts';
import type { Clock } from '../clock.ts';
import { RpcError, type StellarNetwork } from '../network/index.ts';
import type { Signer } from '../settlement/index.ts';
import type { Database, Queryable } from '../store/index.ts';

/** A closed ledger by which a network is recognized again. */
interface Anchor {
  readonly ledger: number;
  readonly hash: string;
}

/** A network that the store has seen. Testnet starts again a few times a year, under the same passphrase. */
export interface KnownNetwork {
  /** Counts the networks, from 1. */
  readonly id: number;
  readonly anchor: Anchor;
  readonly sponsor: string;
  /** The ledger that created the sponsor's account, if it existed. */
  readonly sponsorSince: number | undefined;
}

interface NetworkRow {
  readonly id: number;
  readonly anchor_ledger: number;
  readonly anchor_hash: string;
  readonly sponsor: string;
  readonly sponsor_since: number | null;
}

/**
 * How far the anchor is behind the newest ledger: every server of the network has it, even one that is behind, and it is in
 * their history for days.
 */
const ANCHOR_BEHIND = 200;
/** An account's sequence numbers begin at the ledger that created it, in the upper 32 bits. */
const LEDGER_BITS = 32n;

type Reader = Pick<StellarNetwork, 'getHealth' | 'ledgerHash' | 'getLedgerEntries'>;

async function sponsorSince(sponsor: Signer, network: Reader): Promise<number | undefined> {
  const [entry] = (await network.getLedgerEntries([accountKey(sponsor)])).entries;
  return entry?.type === 'account' ? Number(entry.account.seqNum >> LEDGER_BITS) : undefined;
}

/** Chooses a ledger as the anchor. @returns `undefined` if the server does not show its ledgers */
async function chooseAnchor(network: Reader): Promise<Anchor | undefined> {
  const { ledgers } = await network.getHealth();
  if (ledgers === undefined) return undefined;
  const ledger = Math.max(ledgers.oldest, ledgers.latest - ANCHOR_BEHIND);
  const hash = await network.ledgerHash(ledger);
  return hash === undefined ? undefined : { ledger, hash };
}

/**
 * Whether the server is on this network.
 * - `same`: it has the anchor, or nothing speaks against it.
 * - `other`: its ledger of that number has another hash, or its history has passed the anchor and the sponsor was created in
 *   another ledger.
 * - `behind`: its newest ledger is before the anchor, which is the case after a reset, and at a server that is far behind.
 *
 * Rejects with RpcError.
 */
export async function compareNetwork(
  known: KnownNetwork,
  sponsor: Signer,
  network: Reader,
): Promise<'same' | 'other' | 'behind'> {
  const { ledgers } = await network.getHealth();
  if (ledgers === undefined) return 'same';
  if (ledgers.latest < known.anchor.ledger) return 'behind';
  if (ledgers.oldest <= known.anchor.ledger) {
    const hash = await network.ledgerHash(known.anchor.ledger);
    if (hash !== undefined) return hash === known.anchor.hash ? 'same' : 'other';
  }
  if (known.sponsor !== sponsor.address || known.sponsorSince === undefined) return 'same';
  const since = await sponsorSince(sponsor, network);
  return since === undefined || since === known.sponsorSince ? 'same' : 'other';
}

function readNetwork(row: NetworkRow): KnownNetwork {
  return {
    id: Number(row.id),
    anchor: { ledger: Number(row.anchor_ledger), hash: row.anchor_hash },
    sponsor: row.sponsor,
    sponsorSince: row.sponsor_since === null ? undefined : Number(row.sponsor_since),
  };
}

/** Returns the newest network of the store. Rejects with StoreError. */
export async function newestNetwork(store: Queryable): Promise<KnownNetwork | undefined> {
  const [row] = await store.all<NetworkRow>('SELECT * FROM networks ORDER BY id DESC LIMIT 1');
  return row && readNetwork(row);
}

/** A network, and whether the store had seen another one before it. */
export interface IdentifiedNetwork {
  /** `undefined` if the server does not show its ledgers: then no reset can be recognized. */
  readonly known: KnownNetwork | undefined;
  readonly id: number;
  readonly wasReset: boolean;
}

/** Names the lock of PostgreSQL that is held while a network is recorded. */
const LOCK = 402_005;
/** How often a server that seems far behind is asked again, and the pause before. */
const READS = 3;
const PAUSE_MS = 1_000;

/**
 * Recognizes the network of the last run, or records a new one. Of several instances that share a store, the first one records
 * a reset.
 * @param setApart moves what belongs to the old network out of the way, in the transaction that records the new one
 * @throws RpcError, StoreError
 */
export async function identifyNetwork(
  database: Database,
  sponsor: Signer,
  network: Reader,
  clock: Clock,
  setApart: (within: Queryable, old: number) => Promise<void>,
): Promise<IdentifiedNetwork> {
  const before = await newestNetwork(database);
  let verdict = before && (await compareNetwork(before, sponsor, network));
  for (let read = 1; verdict === 'behind' && before !== undefined && read < READS; read++) {
    await clock.sleep(PAUSE_MS);
    verdict = await compareNetwork(before, sponsor, network);
  }
  const wasReset = verdict === 'other' || verdict === 'behind';
  const anchor = await chooseAnchor(network);
  if (anchor === undefined) return { known: before, id: before?.id ?? 1, wasReset: false };
  if (before !== undefined && (await network.getHealth()).problem !== undefined) {
    throw new RpcError('bad_answer', 'getHealth', 'the server is not healthy');
  }
  const since = await sponsorSince(sponsor, network);
  const id = before === undefined ? 1 : wasReset ? before.id + 1 : before.id;
  const known = { id, anchor, sponsor: sponsor.address, sponsorSince: since };
  await database.transaction(async (within) => {
    // Instances that start together would all find no row, so they take turns.
    if (within.dialect === 'postgres') {
      await within.all('SELECT pg_advisory_xact_lock(CAST(? AS BIGINT))', [LOCK]);
    }
    const present = await newestNetwork(within);
    // Another instance has recorded it meanwhile.
    if (present !== undefined && present.id > (before?.id ?? 0)) return;
    if (wasReset && before !== undefined) await setApart(within, before.id);
    await within.run('DELETE FROM networks WHERE id = ?', [id]);
    await within.run(
      `INSERT INTO networks (id, anchor_ledger, anchor_hash, sponsor, sponsor_since, begun_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      [id, anchor.ledger, anchor.hash, sponsor.address, since ?? null, clock.now()],
    );
  });
  return { known, id, wasReset };
}
