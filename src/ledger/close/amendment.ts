import { xdr } from '@stellar/stellar-sdk';
import { entryKeyId, type LedgerKeyId, type LedgerTxn, ledgerKeyOfEntry } from '../state/index.ts';

/** What moves between the live state and the archive when a ledger is amended. */
export interface ArchiveMoves {
  /** Archived entries that are no longer so: live again where the amendment made them so, else gone. */
  readonly restored: ReadonlyMap<LedgerKeyId, xdr.LedgerEntry>;
  /** Entries, live within the amendment, that go to the archive unchanged. */
  readonly evicted: readonly xdr.LedgerKey[];
}

/**
 * Changes the state by hand at the end of a ledger: what no transaction could do, and a developer wants. The changes are
 * those of the nested transaction, its header included.
 */
export type Amend = (ltx: LedgerTxn) => ArchiveMoves;

export const NO_MOVES: ArchiveMoves = { restored: new Map(), evicted: [] };

/**
 * The upgrade that the ledger records for an amendment: it sets what is set already. Its changes in the meta are those of
 * the amendment, so everyone who follows the ledgers, including this network after a restart, applies them too.
 */
export function amendmentMark({ maxTxSetSize }: xdr.LedgerHeader): xdr.LedgerUpgrade {
  return xdr.LedgerUpgrade.ledgerUpgradeMaxTxSetSize(maxTxSetSize);
}

/** An amendment that was made within a ledger. */
export interface Amended {
  readonly meta: xdr.UpgradeEntryMeta;
  readonly moves: ArchiveMoves;
}

/** Amends a ledger that is being worked on. */
export function applyAmendment(ltxLedger: LedgerTxn, amend: Amend): Amended {
  const upgrade = amendmentMark(ltxLedger.header);
  const ltx = ltxLedger.child();
  const moves = amend(ltx);
  const changes = [...changesOf(ltx, moves)];
  ltx.commit();
  return { meta: new xdr.UpgradeEntryMeta({ upgrade, changes }), moves };
}

/** The changes as the meta lists them: an entry from the archive as restored, then anything else that was done to it. */
function* changesOf(ltx: LedgerTxn, { restored }: ArchiveMoves): Generator<xdr.LedgerEntryChange> {
  const pairs = [...restored].map(([id, entry]) => ({ id, entry, live: ltx.peek(id) }));
  for (const { entry, live } of pairs) {
    yield xdr.LedgerEntryChange.ledgerEntryRestored(live ?? entry);
  }
  for (const change of ltx.changes()) {
    const told = change.type === 'ledgerEntryCreated' && restored.has(entryKeyId(change.created));
    if (!told) yield change;
  }
  for (const { entry, live } of pairs) {
    if (live !== undefined) continue;
    yield xdr.LedgerEntryChange.ledgerEntryState(entry);
    yield xdr.LedgerEntryChange.ledgerEntryRemoved(ledgerKeyOfEntry(entry));
  }
}
