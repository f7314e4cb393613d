import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { table } from '../table.ts';
import { compare, readRounds } from './comparison.ts';

const printed = (settle: string, second: string, cpu: string) =>
  [
    'Node v20, 2 × a processor',
    '',
    table(
      ['', 'svc-x402'],
      [
        ['/settle, ms, p50', settle],
        ['settlements a second, 1 buyers', second],
        ['  CPU of the facilitator for each, ms', cpu],
      ],
    ),
    '',
  ].join('\n');

describe('Two commits are compared by the output of their benchmarks', () => {
  it('row by row, by the medians of their rounds', () => {
    const before = readRounds([printed('10.0', '80', '5'), printed('12.0', '90', '7')]);
    const after = readRounds([printed('13.0', '95', '7.0'), printed('14.0', '90 (2 failed)', '7')]);
    const rows = compare(before, after).map(({ row, ratio, verdict }) => [
      row,
      ratio.toFixed(2),
      verdict,
    ]);
    assert.deepEqual(rows, [
      ['/settle, ms, p50', '1.17', 'worse'],
      ['settlements a second, 1 buyers', '1.06', 'alike'],
      ['settlements a second, 1 buyers: CPU of the facilitator for each, ms', '1.00', 'alike'],
    ]);
  });

  it('more work per second is better, more time is worse', () => {
    const before = readRounds([printed('10', '80', '5')]);
    const verdicts = (output: string) =>
      compare(before, readRounds([output])).map(({ verdict }) => verdict);
    assert.deepEqual(verdicts(printed('20', '160', '10')), ['worse', 'better', 'worse']);
    assert.deepEqual(verdicts(printed('5', '40', '2.5')), ['better', 'worse', 'better']);
  });

  it('values that only describe the run are neither', () => {
    const settled = (inEach: string) =>
      table(
        ['', 'svc-x402'],
        [
          ['settlements a second, 10 buyers', '200'],
          ['  in each ledger', inEach],
        ],
      );
    const [before, after] = [readRounds([`${settled('4')}\n`]), readRounds([`${settled('9')}\n`])];
    assert.deepEqual(
      compare(before, after).map(({ verdict }) => verdict),
      ['alike', 'alike'],
    );
  });

  it('in a table with several columns, each column is a row of its own', () => {
    const text = table(['', 'ours', 'theirs'], [['time', '1,650', '2.0 (1.0–3.0)']]);
    assert.deepEqual(
      [...readRounds([`${text}\n`])],
      [
        ['time [ours]', [1_650]],
        ['time [theirs]', [2]],
      ],
    );
  });

  it('rows and columns of the same name are told apart, and so are tables', () => {
    const text = table(
      ['', 'entries', 'wait p50', 'p99', 'work p50', 'p99'],
      [
        ['ours', '10,000', '1', '2', '3', '4'],
        ['ours', '100,000', '5', '6', '7', '8'],
      ],
    );
    const other = (p50: string) => table(['entries', 'p50'], [['10,000', p50]]);
    const rows = readRounds([`${text}\n\n${other('1')}\n\n${other('9')}\n`]);
    assert.deepEqual(rows.get('ours, 10,000 [wait p50, p99]'), [2]);
    assert.deepEqual(rows.get('ours, 10,000 [work p50, p99]'), [4]);
    assert.deepEqual(rows.get('ours, 100,000 [work p50, p99]'), [8]);
    assert.deepEqual(rows.get('10,000'), [1]);
    assert.deepEqual(rows.get('10,000 (2)'), [9]);
  });

  it('rows that only one of them prints are left out', () => {
    const other = readRounds([`${table(['', 'svc-x402'], [['new', '1']])}\n`]);
    assert.deepEqual(compare(readRounds([printed('1', '2', '3')]), other), []);
  });
});
