/** What a note is about. It stays the same when its sentence changes, so that a user can accept it by name. */
type NoteId =
  | 'answered_before'
  | 'cors'
  | 'document'
  | 'edge_runtime'
  | 'facilitator'
  | 'guessed_framework'
  | 'head'
  | 'imported_elsewhere'
  | 'protocols'
  | 'proxy'
  | 'recipient'
  | 'router_mount'
  | 'second_recipient';

/**
 * What a seller has to know about a change.
 * - `changes_payment`: who pays, or whether anybody does, differs from what the change seems to do. It is shown before the file
 *   is written, and has to be accepted.
 * - `information`: worth knowing, and shown afterwards.
 */
export interface Note {
  readonly kind: 'changes_payment' | 'information';
  readonly id: NoteId;
  readonly sentence: string;
}

/** Creates a note that is shown after the change. */
export function information(id: NoteId, sentence: string): Note {
  return { kind: 'information', id, sentence };
}

/** Creates a note that has to be accepted before the file is written. */
export function changesPayment(id: NoteId, sentence: string): Note {
  return { kind: 'changes_payment', id, sentence };
}

/** Returns the notes that have to be accepted before a file is written, without those that were. */
export function notesToAccept(
  notes: readonly Note[],
  accepted: readonly string[] = [],
): readonly Note[] {
  return notes.filter(({ kind, id }) => kind === 'changes_payment' && !accepted.includes(id));
}
