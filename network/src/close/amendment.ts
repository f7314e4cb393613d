import { xdr } from '@stellar/stellar-sdk';
import { entryKeyId, type LedgerKeyId, type LedgerTxn, ledgerKeyOfEntry } from '../state/index.ts';

/** Entries that an amendment moves between the live state and the archive. */
export interface ArchiveMoves {
  /** Entries that leave the archive: restored if the amendment made them live, otherwise deleted. */
  readonly restored: ReadonlyMap<LedgerKeyId, xdr.LedgerEntry>;
  /** Live entries that move to the archive unchanged. */
  readonly evicted: readonly xdr.LedgerKey[];
}

/**
 * Changes the state by hand at the end of a ledger, in ways that a developer needs but no transaction can. The changes are
 * those made in the nested transaction, including its header.
 */
export type Amend = (ltx: LedgerTxn) => ArchiveMoves;

export const NO_MOVES: ArchiveMoves = { restored: new Map(), evicted: [] };

/**
 * The upgrade that the ledger records for an amendment: it sets a value to what it already is. Its changes in the meta are
 * those of the amendment, so everyone who follows the ledgers, including this network after a restart, applies them too.
 */
export function amendmentMark({ maxTxSetSize }: xdr.LedgerHeader): xdr.LedgerUpgrade {
  return xdr.LedgerUpgrade.ledgerUpgradeMaxTxSetSize(maxTxSetSize);
}

/** An amendment that was applied to a ledger. */
export interface Amended {
  readonly meta: xdr.UpgradeEntryMeta;
  readonly moves: ArchiveMoves;
}

/** Amends a ledger that is being computed. */
export function applyAmendment(ltxLedger: LedgerTxn, amend: Amend): Amended {
  const upgrade = amendmentMark(ltxLedger.header);
  const ltx = ltxLedger.child();
  const moves = amend(ltx);
  const changes = [...changesOf(ltx, moves)];
  ltx.commit();
  return { meta: new xdr.UpgradeEntryMeta({ upgrade, changes }), moves };
}

/** The changes as the meta lists them: an entry from the archive as restored, then any other change to it. */
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
