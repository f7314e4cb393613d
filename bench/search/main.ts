import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openStore } from '../../src/server/store/index.ts';
import { table } from '../table.ts';
import type { Contender } from './contender.ts';
import { installSearchPeers } from './installSearchPeers.ts';
import { fillStore, LIST_HEADER, type ListMeasured, listCells, measureList } from './list.ts';
import { type Measured, measure } from './measure.ts';
import { ours } from './ours.ts';
import { miniSearch, orama } from './peers.ts';
import { measurePostgres } from './postgres.ts';
import { measureRecall, type Recall } from './recall.ts';
import { type Started, start } from './restart.ts';

const CONTENDERS: Readonly<Record<string, () => Contender>> = { ours, miniSearch, orama };
const SIZES = [1_000, 10_000, 100_000];
const MILLION = 1_000_000;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: SIZES.join(',') },
    postgres: { type: 'string', default: String(MILLION) },
    'no-peers': { type: 'boolean', default: false },
    // The measurements of a separate process, as JSON on its output.
    contender: { type: 'string' },
    recall: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    'only-starts': { type: 'boolean', default: false },
    fill: { type: 'string' },
    start: { type: 'string' },
    size: { type: 'string', default: '0' },
  },
});

if (values.contender !== undefined) {
  const contender = CONTENDERS[values.contender];
  if (!contender) throw new Error(`no contender ${values.contender}`);
  console.log(JSON.stringify(await measure(contender(), Number(values.size))));
} else if (values.list) {
  const database = await openStore({ databaseUrl: null, dataFolder: null });
  console.log(JSON.stringify(await measureList(database, Number(values.size), 'ANALYZE')));
  await database.close();
} else if (values.fill !== undefined) {
  const database = await openStore({ databaseUrl: null, dataFolder: values.fill });
  await fillStore(database, Number(values.size));
  await database.run('ANALYZE');
  await database.close();
  console.log('{}');
} else if (values.start !== undefined) {
  console.log(JSON.stringify(await start(values.start)));
} else if (values['only-starts']) {
  measureStarts(values.sizes.split(',').filter(Boolean).map(Number));
} else if (values.recall) {
  console.log(JSON.stringify(measureRecall(Number(values.size))));
} else {
  await all();
}

async function all(): Promise<void> {
  const names = values['no-peers'] ? ['ours'] : Object.keys(CONTENDERS);
  if (!values['no-peers']) installSearchPeers();
  const sizes = values.sizes.split(',').filter(Boolean).map(Number);
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n` +
      'Search: words and 1,024 dimensions fused, 20 hits; embeddings are made before. Milliseconds: the\n' +
      'wait from query to hits, and the work of processors for it, which other programs do not prolong.\n',
  );
  const rows = sizes.flatMap((size) =>
    names.map((name) => {
      process.stderr.write(`${name}, ${size} entries …\n`);
      return inOwnProcess(['--contender', name, '--size', String(size)]) as Measured;
    }),
  );
  console.log(
    table(
      ['', 'entries', 'index, s', 'memory, MB', 'wait p50', 'p99', 'work p50', 'p99'],
      rows.map((row) => [
        row.name,
        row.size.toLocaleString('en'),
        (row.indexMs / 1_000).toFixed(2),
        row.megabytes.toFixed(0),
        ...[row.wait.p50, row.wait.p99, row.work.p50, row.work.p99].map((ms) => ms.toFixed(2)),
      ]),
    ),
  );
  const recalls = sizes.map((size) => inOwnProcess(['--recall', '--size', String(size)]) as Recall);
  console.log('\nThe quantised index beside an exact scan of 32-bit floats (aim: recall 0.99)\n');
  console.log(
    table(
      ['entries', 'recall@100', 'p50', 'exact scan p50', 'bytes an entry'],
      recalls.map((row) => [
        row.size.toLocaleString('en'),
        row.recall.toFixed(4),
        row.p50.toFixed(2),
        row.exactP50.toFixed(2),
        row.bytesAnEntry.toFixed(0),
      ]),
    ),
  );
  const lists = sizes.map(
    (size) => inOwnProcess(['--list', '--size', String(size)]) as ListMeasured,
  );
  console.log('\nA page of the list and its total, in the embedded store\n');
  console.log(
    table(
      LIST_HEADER,
      lists.map((list, n) => [(sizes[n] ?? 0).toLocaleString('en'), ...listCells(list)]),
    ),
  );
  measureStarts(sizes);
  const entries = Number(values.postgres);
  if (entries > 0) await measurePostgres(entries);
}

/** Starts the catalog twice on the same data folder: first it builds the index, then it reads it. */
function measureStarts(sizes: readonly number[]): void {
  const rows = sizes.map((size) => {
    const folder = mkdtempSync(join(tmpdir(), 'x402-starts-'));
    try {
      inOwnProcess(['--fill', folder, '--size', String(size)]);
      const [first, second] = [0, 1].map(() => inOwnProcess(['--start', folder]) as Started);
      return [
        size.toLocaleString('en'),
        ...[first, second].map((started) => ((started?.fullMs ?? 0) / 1_000).toFixed(2)),
        ((second?.bytes ?? 0) / 1e6).toFixed(0),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  console.log('\nFrom the start until a search answers with all entries, in the embedded store\n');
  console.log(
    table(['entries', 'without an index, s', 'with its file, s', "the file's size, MB"], rows),
  );
}

/** Runs this bench with arguments in a new process, with its own memory and compiled code. */
function inOwnProcess(args: readonly string[]): unknown {
  const main = fileURLToPath(import.meta.url);
  const node = ['--expose-gc', '--max-old-space-size=12000', '--import', 'tsx', main, ...args];
  const output = execFileSync(process.execPath, node, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output);
}
