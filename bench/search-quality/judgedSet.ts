import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchDocument } from '../../src/server/search/index.ts';
import {
  labelledEntries,
  labelledQueries,
  searchDocument,
} from '../../test/support/searchDocuments.ts';

/** A query with the entries that answer it. */
export interface JudgedQuery {
  readonly query: string;
  /** The groups in whose figures it counts. */
  readonly kinds: readonly string[];
  readonly grades: Readonly<Record<string, number>>;
}

/** Entries, queries, and which entries answer which query. */
export interface JudgedSet {
  readonly entries: readonly SearchDocument[];
  readonly queries: readonly JudgedQuery[];
  /** The lowest grade of a good answer. */
  readonly good: number;
}

/** The project's own set (`test/data/search`). */
export function projectSet(): JudgedSet {
  const queries = labelledQueries().map(({ query, kind, heldOut, seen, grades }) => {
    const half = heldOut ? 'held out' : 'tuned on';
    const unseen = heldOut && !seen ? ['held out, never seen'] : [];
    return { query, kinds: [half, `${half}, ${kind}`, ...unseen], grades };
  });
  return { entries: labelledEntries(), queries, good: 2 };
}

/**
 * Reads a set in the form of BEIR: `corpus.jsonl` (`_id`, `title`, `text`, `tags`, `url`), `queries.jsonl` (`_id`, `text`,
 * `kind`) and `qrels.tsv` (a header, then query-id, corpus-id, score). Queries without an answering entry are omitted.
 *
 * @throws if a file is missing or a line does not have that form
 */
export function readJudgedSet(folder: string): JudgedSet {
  const grades = readGrades(join(folder, 'qrels.tsv'));
  const entries = readLines(join(folder, 'corpus.jsonl')).map((row, n) =>
    searchDocument(text(row, '_id'), n + 1, {
      url: text(row, 'url'),
      serviceName: text(row, 'title') || null,
      tags: tagsOf(row['tags']),
      description: text(row, 'text') || null,
    }),
  );
  const queries = readLines(join(folder, 'queries.jsonl')).flatMap((row) => {
    const judged = grades.get(text(row, '_id'));
    const kind = text(row, 'kind') || 'query';
    return judged ? [{ query: text(row, 'text'), kinds: [kind], grades: judged }] : [];
  });
  return { entries, queries, good: 1 };
}

type Row = Readonly<Record<string, unknown>>;

function readLines(file: string): Row[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, n) => {
    if (line.trim() === '') return [];
    const row: unknown = JSON.parse(line);
    if (typeof row !== 'object' || row === null) throw new Error(`${file}:${n + 1}: not an object`);
    return [row as Row];
  });
}

function readGrades(file: string): Map<string, Record<string, number>> {
  const found = new Map<string, Record<string, number>>();
  for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
    if (line.trim() === '') continue;
    const [query = '', entry = '', score = ''] = line.trimEnd().split('\t');
    const grade = Number(score);
    if (!Number.isFinite(grade)) throw new Error(`${file}: "${line}" has no score`);
    if (grade <= 0) continue;
    const grades = found.get(query) ?? {};
    grades[entry] = grade;
    found.set(query, grades);
  }
  return found;
}

/** A member as text; absent and null are empty. */
function text(row: Row, name: string): string {
  const value = row[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const tagsOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((tag): tag is string => typeof tag === 'string')
    : typeof value === 'string' && value !== ''
      ? value.split(/\s*,\s*/)
      : [];
