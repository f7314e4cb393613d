import type { BarPlot } from '../plots/index.ts';
import { figure, labelledRows, tableWith } from './figures.ts';
import type { Printed, PrintedTable } from './readOutput.ts';

export interface Section {
  /** The bench's NAME in `npm run bench -- NAME`. */
  readonly bench: string;
  readonly title: string;
  /** What is measured and how, for readers who see only this page. */
  readonly method: string;
  /** The column whose figures are compared with the others, in the table that contains it. */
  readonly ours?: string;
  readonly plots: (printed: readonly Printed[]) => readonly (BarPlot & { readonly file: string })[];
}

const OURS = 'svc-x402 ledger';
const FACILITATOR = 'svc-x402';

export const SECTIONS: readonly Section[] = [
  {
    bench: 'ledger',
    title: 'Embedded network',
    method:
      'Each chain runs in a process of its own and is asked over HTTP on loopback by one client process. ' +
      'A payment of the EVM chains is a transfer of ether; there a receipt is there when the transaction ' +
      'is mined, here when its ledger is closed. The engine is measured in the process that runs it.',
    ours: OURS,
    plots: (printed) => {
      const table = tableWith(printed, [OURS]);
      return [
        {
          file: 'ledger-waits.svg',
          title: 'What a developer waits for (less is better)',
          valueLabel: 'milliseconds, logarithmic',
          logValue: true,
          bars: barsOf(table, (label) => label.endsWith(', ms')),
        },
        {
          file: 'ledger-rates.svg',
          title: 'Work a second with 10 and 50 clients (more is better)',
          valueLabel: 'a second, logarithmic',
          logValue: true,
          bars: barsOf(table, (label) => label.includes(' a second')),
        },
      ];
    },
  },
  {
    bench: 'facilitator',
    title: 'Facilitator',
    method:
      'Payments are signed before the clock starts. Latencies are of requests one after the other; ' +
      'settlements a second are of as many sellers at once as there are buyers named. Service and network run ' +
      'bundled, as they ship, each in a process of its own; the sellers are in a third one.',
    ours: FACILITATOR,
    plots: (printed) => {
      const table = tableWith(printed, [FACILITATOR]);
      return [
        {
          file: 'facilitator-latency.svg',
          title: 'Wait for an answer (less is better)',
          valueLabel: 'milliseconds, logarithmic',
          logValue: true,
          bars: barsOf(table, (label) => /^\/(verify|settle)/.test(label)),
        },
        {
          file: 'facilitator-rates.svg',
          title: 'Settlements a second (more is better)',
          valueLabel: 'settlements a second',
          bars: barsOf(table, (label) => /settlements a second(, \d+ buyers)?$/.test(label)),
        },
      ];
    },
  },
  {
    bench: 'search',
    title: 'Search of the catalog',
    method:
      'A corpus drawn by a fixed seed from the vocabulary of API listings. Every contender gets the same ' +
      'entries, vectors and queries, in a process of its own.',
    plots: (printed) => {
      const { header, rows } = tableWith(printed, ['entries', 'index, s']);
      const p50 = header.indexOf('wait p50');
      const bars = rows.flatMap((row) =>
        ['p50', 'p99'].flatMap((name, n) => {
          const value = figure(row[p50 + n]);
          return value ? [{ group: `${row[1]} entries, ${name}`, name: row[0] ?? '', value }] : [];
        }),
      );
      return [
        {
          file: 'search-waits.svg',
          title: 'From query to 20 hits (less is better)',
          valueLabel: 'milliseconds, logarithmic',
          logValue: true,
          bars,
        },
      ];
    },
  },
  {
    bench: 'search-quality',
    title: 'Quality of the search',
    method:
      'Entries as sellers write them, queries as agents and people ask, each with graded judgements. ' +
      'The topics of the built-in embedding were written knowing about half of the queries.',
    plots: (printed) => {
      const { rows } = tableWith(printed, ['queries', 'nDCG@10']);
      let queries = '';
      const bars = rows.flatMap(([group = '', stage = '', ndcg]) => {
        if (group !== '') queries = group;
        const value = figure(ndcg);
        return value === undefined || !queries.startsWith('held out')
          ? []
          : [{ group: queries, name: stage, value }];
      });
      return [
        {
          file: 'search-quality.svg',
          title: 'nDCG@10 by kind of held-out query (more is better)',
          valueLabel: 'nDCG@10',
          bars,
        },
      ];
    },
  },
  {
    bench: 'codegen',
    title: 'Adding a payment to code',
    method: 'Route files of three lengths, each work in a new process with the bundle that ships.',
    plots: (printed) => {
      const { header, rows } = tableWith(printed, ['lines', 'cold', 'warm']);
      const bars = rows.flatMap((row) =>
        ['cold', 'warm'].flatMap((name) => {
          const value = figure(row[header.indexOf(name)]);
          return value ? [{ group: `${row[0]}, ${row[1]} lines`, name, value }] : [];
        }),
      );
      return [
        {
          file: 'codegen.svg',
          title: 'Changing a file and finding its endpoints (less is better)',
          valueLabel: 'milliseconds, logarithmic',
          logValue: true,
          bars,
        },
      ];
    },
  },
  {
    bench: 'extension',
    title: 'Editor extension',
    method:
      'Each start in a new process of Node, outside an editor; the service with its embedded network.',
    plots: () => [],
  },
];

/** A bar for each figure of the selected rows, in each column except the first. */
function barsOf(table: PrintedTable, wanted: (label: string) => boolean): BarPlot['bars'] {
  return labelledRows(table, wanted).flatMap(({ label, cells }) =>
    cells.flatMap((cell, column) => {
      const value = figure(cell);
      const name = table.header[column + 1] ?? '';
      return value === undefined || value === 0 ? [] : [{ group: label, name, value }];
    }),
  );
}
