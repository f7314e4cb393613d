import { EVIDENCE_OF, type FileRows, isClaim, listOf, type Row, VALUES_OF } from './row.ts';
import { nameOf, type Statement } from './statement.ts';

/** A row of the table with the statements that it is for. */
export interface Matched {
  readonly file: string;
  readonly row: Row;
  readonly statements: readonly Statement[];
}

function isIn(at: string, declaration: string): boolean {
  return at === declaration || at.startsWith(`${declaration}.`);
}

function isFor(row: Row, statement: Statement): boolean {
  const declarations = listOf(row.at);
  const words = listOf(row.says);
  return (
    (declarations.length === 0 || declarations.some((each) => isIn(statement.at, each))) &&
    (words.length === 0 || words.some((each) => statement.text.includes(each)))
  );
}

/** Returns every row with its statements. */
export function matchRows(
  table: readonly FileRows[],
  statements: readonly Statement[],
): readonly Matched[] {
  return table.flatMap(({ file, rows }) => {
    const inFile = statements.filter((each) => each.file === file);
    return rows.map((row) => ({
      file,
      row,
      statements: inFile.filter((statement) => isFor(row, statement)),
    }));
  });
}

/** Returns the names of statements for which no row is. */
export function withoutRow(
  matched: readonly Matched[],
  statements: readonly Statement[],
): readonly string[] {
  const known = new Set(matched.flatMap((each) => each.statements));
  return statements.filter((each) => !known.has(each)).map(nameOf);
}

/** Returns the places and words of rows that no statement has any more. */
export function withoutStatement(matched: readonly Matched[]): readonly string[] {
  return matched.flatMap(({ file, row, statements }) => {
    const gone = [
      ...listOf(row.at).filter((each) => !statements.some(({ at }) => isIn(at, each))),
      ...listOf(row.says).filter((each) => !statements.some(({ text }) => text.includes(each))),
    ];
    if (gone.length === 0 && statements.length === 0) gone.push('every statement');
    return gone.map((each) => `${file}: ${each}`);
  });
}

/**
 * Returns rows that would also cover what is added later: a declaration in code with several statements needs the words of each.
 * Rows of failure tables are for a whole failure.
 */
export function tooWide(matched: readonly Matched[]): readonly string[] {
  return matched.flatMap(({ file, row, statements }) => {
    if (row.says !== undefined || file.startsWith('src/protocol/errors/')) return [];
    const counts = new Map<string, number>();
    for (const { at } of statements) counts.set(at, (counts.get(at) ?? 0) + 1);
    if (row.at === undefined) return [`${file}: a row without a place and words`];
    return [...counts].filter(([, count]) => count > 1).map(([at]) => `${file}#${at}`);
  });
}

/** Returns where a value for programs contradicts the state of its row. */
export function contradictions(matched: readonly Matched[]): readonly string[] {
  return matched.flatMap(({ row, statements }) => {
    if (!isClaim(row) || row.finding !== undefined) return [];
    const allowed = listOf(row.state).flatMap((state) => VALUES_OF[state]);
    return statements
      .filter(({ values }) => values.some((value) => !allowed.includes(value)))
      .map(nameOf);
  });
}

/** Returns rows whose evidence does not belong to their state, or is missing. */
export function withoutEvidence(table: readonly FileRows[]): readonly string[] {
  return table.flatMap(({ file, rows }) =>
    rows.filter(isClaim).flatMap((row) => {
      const evidence = listOf(row.evidence);
      const states = listOf(row.state);
      const possible = states.flatMap((state) => EVIDENCE_OF[state]);
      const proven = states.every(
        (state) =>
          EVIDENCE_OF[state].length === 0 ||
          EVIDENCE_OF[state].some((each) => evidence.includes(each)),
      );
      const fits = evidence.every((each) => possible.includes(each));
      return proven && fits && row.from.length >= 20 ? [] : [`${file}: ${row.from}`];
    }),
  );
}
