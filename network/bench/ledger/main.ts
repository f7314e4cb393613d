import { readFileSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { gzipSync } from 'node:zlib';
import { installPeers } from '../../../bench/installPeers.ts';
import { spread } from '../../../bench/spread.ts';
import { table } from '../../../bench/table.ts';
import { engineTables } from '../ledger-engine/engineTables.ts';
import { type DevelopersWait, measureWait } from './developersWait.ts';
import { evmChains } from './evmChain.ts';
import type { RequestName } from './localChain.ts';
import { stellarChains } from './stellarChain.ts';

const LABELS: Readonly<Record<RequestName, string>> = {
  simulate: 'simulate a transfer (eth_call there), ms',
  payment: 'payment: send to receipt, ms',
  'contract call': 'contract call (USDC transfer): send to receipt, ms',
};

const withPeers = !process.argv.includes('--no-peers');
if (withPeers) installPeers();

console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`,
);
console.log('Milliseconds are medians, with the tenth and ninetieth percentile in brackets.\n');

const progress = (what: string) => process.stderr.write(`measuring ${what} …\n`);

const waits: DevelopersWait[] = [];
const missing: string[] = [];
for (const { name, start } of [...stellarChains, ...(withPeers ? evmChains() : [])]) {
  if (!start) {
    missing.push(name);
    continue;
  }
  progress(name);
  waits.push(await measureWait(name, start));
}
console.log(
  '\nWhat a developer waits for (aims: first answer < 300 ms, receipt < 2 ms, < 150 MB)\n',
);
console.log(
  table(
    ['', ...waits.map(({ chain }) => chain)],
    [
      ['start to first answer, ms', ...waits.map(({ firstAnswer }) => spread(firstAnswer))],
      ...(['simulate', 'payment', 'contract call'] as const).flatMap((kind) => [
        [LABELS[kind], ...waits.map((wait) => receipt(wait, kind))],
        ['  a second, 10 clients', ...waits.map((wait) => rate(wait, kind))],
        ['  a second, 50 clients', ...waits.map((wait) => crowdRate(wait, kind))],
      ]),
      ['memory at first answer, MB', ...waits.map(({ memory }) => memory.first.toFixed(0))],
      ['memory after all this, MB', ...waits.map(({ memory }) => memory.last.toFixed(0))],
    ],
  ),
);
if (missing.length > 0) console.log(`\nNot on this machine: ${missing.join(', ')}.`);

const hostFile = new URL('../../host/ledger-host-27.wasm', import.meta.url);
const size = (statSync(hostFile).size / 1e6).toFixed(2);
const packed = (gzipSync(readFileSync(hostFile), { level: 9 }).length / 1e6).toFixed(2);
console.log(`\nledger-host-27.wasm: ${size} MB, ${packed} MB packed\n`);

console.log(engineTables());

function find({ requests }: DevelopersWait, kind: RequestName) {
  return requests.find(({ name }) => name === kind);
}

function receipt(wait: DevelopersWait, kind: RequestName): string {
  const found = find(wait, kind);
  return found ? spread(found.wait) : '–';
}

function rate(wait: DevelopersWait, kind: RequestName): string {
  return find(wait, kind)?.perSecond.toFixed(0) ?? '–';
}

function crowdRate(wait: DevelopersWait, kind: RequestName): string {
  return find(wait, kind)?.perSecondInCrowd?.toFixed(0) ?? '–';
}
