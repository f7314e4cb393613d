/** The columns of `catalog_entries` that are read. */
export interface EntryRow {
  readonly key: string;
  readonly sequence: number;
  readonly pay_to: string;
  readonly listed: number;
  readonly templated: number;
  readonly document: string;
  readonly bytes: number;
  readonly settlements: number;
  readonly unique_payers: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly settled_at: number;
  readonly owner_state: OwnerState;
  readonly owner_failure: string | null;
  readonly owner_checked_at: number | null;
  readonly owner_words: number;
  readonly local_check: number | null;
  readonly calls_since: number;
  readonly evidence: number;
  readonly protocols: string;
}

/** The verification state of an entry's owner. `pending`: a check is due or running. */
export type OwnerState = 'unchecked' | 'pending' | 'verified' | 'unverifiable';

export const ENTRY_COLUMNS =
  'e.key, e.sequence, e.pay_to, e.listed, e.templated, e.document, e.bytes, e.settlements, ' +
  'e.unique_payers, e.created_at, e.updated_at, e.settled_at, e.owner_state, e.owner_failure, ' +
  'e.owner_checked_at, e.owner_words, e.local_check, e.calls_since, e.evidence, e.protocols';
