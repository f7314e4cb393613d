import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { codeStatements } from './money/codeStatements.ts';
import {
  contradictions,
  matchRows,
  tooWide,
  withoutEvidence,
  withoutRow,
  withoutStatement,
} from './money/compare.ts';
import { pageStatements } from './money/pageStatements.ts';
import { type FileRows, isClaim } from './money/row.ts';
import { moneyStatements } from './money/statements.ts';
import { MONEY_TABLE } from './money/table.ts';
import { projectFile, projectRoot } from './pages/projectFile.ts';

describe('Statements about money (docs/evidence/money.md)', () => {
  const table = MONEY_TABLE.flatMap(({ rows }) => rows);
  const statements = moneyStatements();
  const matched = matchRows(table, statements);

  it('each place that makes one has a row in test/docs/money/rows', () => {
    assert.ok(statements.length > 300, `${statements.length}`);
    assert.deepEqual(withoutRow(matched, statements), []);
  });

  it('each row has a place that still makes it', () => {
    assert.deepEqual(withoutStatement(matched), []);
  });

  it('a row for code names the words of each statement, so that a new one beside it needs its own', () => {
    assert.deepEqual(tooWide(matched), []);
  });

  it('no value for programs contradicts the state that its row derives it from', () => {
    assert.deepEqual(contradictions(matched), []);
  });

  it('each state has its evidence, and says how it reaches the place', () => {
    assert.deepEqual(withoutEvidence(table), []);
  });

  it('each row has a test that exists', () => {
    const missing = table.flatMap(({ rows }) =>
      rows
        .filter(isClaim)
        .map(({ test }) => test)
        .filter(([file, title]) => !hasTitle(file, title))
        .map((test) => test.join(': ')),
    );
    assert.deepEqual([...new Set(missing)], []);
  });

  it('a file has one list of rows', () => {
    const files = table.map(({ file }) => file);
    assert.deepEqual(
      files.filter((file, index) => files.indexOf(file) !== index),
      [],
    );
  });
});

/** Whether a file has a test with this title; the title in the source may have escaped quotes. */
function hasTitle(file: string, title: string): boolean {
  if (!existsSync(join(projectRoot, file))) return false;
  return projectFile(file).replaceAll("\\'", "'").includes(title);
}

describe('The comparison of table and code', () => {
  const code = `
    export const FAILED = { moneyMoved: 'no', fix: 'Wait.' } as const;
    export class Refused extends Error { override readonly moneyMoved: 'no' | 'unknown' = 'unknown'; }
    export function judge(fate) {
      if (fate.state === 'paid') return { outcome: 'not_paid', message: \`Nothing was paid to \${fate.payTo}.\` };
      return { state: 'void', evidence: 'searched' };
    }
    // Nothing was paid in a comment.
    export const TITLE = 'Paid endpoints';
  `;
  const found = codeStatements('src/cli/refuse.ts', code);
  const rowsFor = (...rows: FileRows['rows']): FileRows[] => [{ file: 'src/cli/refuse.ts', rows }];
  const all = rowsFor({ at: ['FAILED', 'Refused.moneyMoved', 'judge'], about: 'everything' });

  it('finds values, fates that are made by hand, and sentences, by their declarations', () => {
    assert.deepEqual(
      found.map(({ at, text, values }) => [at, text, values]),
      [
        ['FAILED.moneyMoved', 'moneyMoved: no', ['no']],
        ['Refused.moneyMoved', 'moneyMoved: unknown', ['unknown']],
        ['judge.outcome', 'outcome: not_paid', ['no']],
        ['judge.message', 'Nothing was paid to ….', []],
        ['judge.state', 'state: void', ['no']],
      ],
    );
  });

  it('finds sentences of pages, and no code in them', () => {
    const page =
      'It waits. Nothing was paid so far: send the identical request again.\n\n```js\n// no money moved\n```\n';
    assert.deepEqual(
      pageStatements('docs/a.md', page).map(({ text }) => text),
      ['Nothing was paid so far: send the identical request again.'],
    );
  });

  it('reports a statement without a row, also a new one beside others', () => {
    assert.deepEqual(withoutRow(matchRows(all, found), found), []);
    const some = rowsFor({
      at: 'judge',
      says: ['outcome: not_paid', 'state: void'],
      about: 'some',
    });
    assert.deepEqual(withoutRow(matchRows(some, found), found), [
      'src/cli/refuse.ts#FAILED.moneyMoved: moneyMoved: no',
      'src/cli/refuse.ts#Refused.moneyMoved: moneyMoved: unknown',
      'src/cli/refuse.ts#judge.message: Nothing was paid to ….',
    ]);
  });

  it('reports a row whose place or words are gone', () => {
    const gone = rowsFor(
      { at: 'FAILED', says: 'moneyMoved: yes', about: 'what it said before' },
      { at: 'accept', about: 'a function that no longer exists' },
    );
    assert.deepEqual(withoutStatement(matchRows(gone, found)), [
      'src/cli/refuse.ts: FAILED',
      'src/cli/refuse.ts: moneyMoved: yes',
      'src/cli/refuse.ts: accept',
    ]);
  });

  it('reports a "no" where an authorization can still pay, and evidence of another state', () => {
    const test = ['test/docs/moneyStatements.test.ts', 'reports'] as const;
    const open = rowsFor({
      at: 'FAILED',
      state: 'open',
      evidence: 'searched',
      from: 'it was not submitted, and can be',
      test,
    });
    assert.deepEqual(contradictions(matchRows(open, found)), [
      'src/cli/refuse.ts#FAILED.moneyMoved: moneyMoved: no',
    ]);
    assert.equal(withoutEvidence(open).length, 1);
  });
});
