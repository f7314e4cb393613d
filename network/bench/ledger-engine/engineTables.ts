import { spread } from '../../../bench/spread.ts';
import type { Statistics } from '../../../bench/statistics.ts';
import { table } from '../../../bench/table.ts';
import type { EngineTimes } from '../ledger/engine.ts';
import { measured } from './parts.ts';
import type { FullLedger } from './payments.ts';
import type { ReplaySpeed } from './replaySpeed.ts';
import type { StateCost } from './stateOfSize.ts';

/** Measures the engine, and reports it in tables. */
export function engineTables(): string {
  return [
    'A USDC transfer through the engine, in one process without a socket (aim: < 0.6 ms)',
    transferTable(measured('transfer')),
    'Payments through the engine, from the bytes of a transaction to the stored ledger',
    paymentTable(measured('pathPayment'), measured('fullLedger')),
    'How costs grow with the state',
    stateTable(measured('smallState'), measured('largeState')),
    'Replay of the ledgers of protocol 27 that the reference implementation closed',
    replayTable(measured('replay')),
  ].join('\n\n');
}

function transferTable(times: readonly EngineTimes[]): string {
  return table(
    ['', 'ms', 'of it in the Soroban host'],
    times.map(({ name, whole, host }) => [name, spread(whole), spread(host)]),
  );
}

function paymentTable(path: Statistics, { submit, close }: FullLedger): string {
  return table(
    ['', 'ms'],
    [
      ['path payment through 10 offers, alone in its ledger', spread(path)],
      ['1,000 payments: decode, check, queue', spread(submit)],
      ['1,000 payments: close their ledger (aim: < 500)', spread(close)],
    ],
  );
}

function stateTable(...costs: readonly StateCost[]): string {
  const row = (name: string, value: (cost: StateCost) => string): string[] => [
    name,
    ...costs.map(value),
  ];
  return table(
    ['', ...costs.map(({ accounts }) => `${accounts.toLocaleString('en')} accounts`)],
    [
      row('memory of the process, MB', ({ memory }) => memory.toFixed(0)),
      row('  at most while it started', ({ peak }) => peak.toFixed(0)),
      row('snapshot, MB', ({ snapshot }) => snapshot.toFixed(1)),
      row('write the snapshot, ms', ({ write }) => write.toFixed(0)),
      row('start from the snapshot, ms', ({ start }) => start.toFixed(0)),
      row('first lookup of an account, µs', ({ firstLookup }) => spread(firstLookup)),
      row('lookup of an account, µs', ({ lookup }) => spread(lookup)),
      row('payment alone in its ledger, ms', ({ payment }) => spread(payment)),
    ],
  );
}

function replayTable(speed: ReplaySpeed | null): string {
  if (speed === null) return 'They are not beside this checkout.';
  const { files, ledgers, transactions, first, later } = speed;
  const rate = (count: number) => (count / later.median).toFixed(0);
  return table(
    ['', ''],
    [
      ['files', String(files)],
      ['ledgers', String(ledgers)],
      ['transactions', String(transactions)],
      ['seconds, the first time', first.toFixed(1)],
      ['seconds, once the code is warm', spread(later)],
      ['ledgers a second', rate(ledgers)],
      ['transactions a second', rate(transactions)],
    ],
  );
}
