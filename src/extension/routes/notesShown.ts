import type { Note } from '../../codegen/index.ts';
import { t } from '../words/index.ts';

/** A note as a preview shows it. */
export interface NoteShown {
  readonly heading: string;
  readonly sentence: string;
}

/** All notes of a change, those that change what is paid first. */
export function notesInOrder(notes: readonly Note[]): readonly NoteShown[] {
  const ofKind = (kind: Note['kind'], heading: string) =>
    notes
      .filter((note) => note.kind === kind)
      .map(({ sentence }): NoteShown => ({ heading, sentence }));
  return [
    ...ofKind('changes_payment', t('Changes what is paid')),
    ...ofKind('information', t('Good to know')),
  ];
}

/** The sentences that the user must not miss before a change; `undefined` if there are none. */
export function warningOf(notes: readonly Note[]): string | undefined {
  const serious = notes.filter(({ kind }) => kind === 'changes_payment');
  return serious.length === 0 ? undefined : serious.map(({ sentence }) => sentence).join(' ');
}
