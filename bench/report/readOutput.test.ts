import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { table } from '../table.ts';
import { asMarkdown } from './asMarkdown.ts';
import { figure, labelledRows } from './figures.ts';
import { ratios } from './ratios.ts';
import { readOutput } from './readOutput.ts';

const cell = fc.stringMatching(/^[a-z0-9][a-z0-9.,()–]{0,11}$/);

describe('the output of a benchmark is read back', () => {
  it('finds the cells of any printed table', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }).chain((columns) => {
          const row = fc.array(cell, { minLength: columns, maxLength: columns });
          return fc.tuple(row, fc.array(row, { minLength: 1, maxLength: 5 }));
        }),
        ([header, rows]) => {
          const printed = readOutput(`before\n\n${table(header, rows)}\n\nafter\n`);
          assert.deepEqual(printed, [
            { kind: 'text', text: 'before' },
            { kind: 'table', header, rows },
            { kind: 'text', text: 'after' },
          ]);
        },
      ),
    );
  });

  it('keeps tables whose header is empty', () => {
    const printed = readOutput(
      `Replay\n\n${table(
        ['', ''],
        [
          ['files', '397'],
          ['ledgers', '6475'],
        ],
      )}\n`,
    );
    assert.deepEqual(printed[1], {
      kind: 'table',
      header: ['', ''],
      rows: [
        ['files', '397'],
        ['ledgers', '6475'],
      ],
    });
  });
});

describe('figures are compared', () => {
  const printed = readOutput(
    table(
      ['', 'ours', 'ours, in memory', 'peer 1.0'],
      [
        ['start, ms', '50 (40–60)', '40', '200 (180–210)'],
        ['payment: send to receipt, ms', '1.50 (1.2–1.9)', '1.00', '–'],
        ['  a second, 10 clients', '1,000', '900', '500'],
      ],
    ),
  )[0];
  assert.ok(printed?.kind === 'table');

  it('by ratio to each peer, and only if both were measured', () => {
    assert.deepEqual(ratios(printed, 'ours'), {
      header: ['', 'beside peer 1.0'],
      rows: [
        ['start, ms', '0.25×'],
        ['  a second, 10 clients', '2.0×'],
      ],
    });
  });

  it('with the heading that an indented row belongs to', () => {
    assert.deepEqual(
      labelledRows(printed, (label) => label.includes(' a second')).map(({ label }) => label),
      ['payment: a second, 10 clients'],
    );
  });

  it('as numbers, thousands separated or not', () => {
    assert.equal(figure('1,000 (9–10)'), 1000);
    assert.equal(figure('0.25×'), 0.25);
    assert.equal(figure('–'), undefined);
  });

  it('in Markdown, where an indent stays visible', () => {
    assert.match(asMarkdown([printed]), /\|\s\u00a0{4}a second, 10 clients \| 1,000 \|/);
  });
});
