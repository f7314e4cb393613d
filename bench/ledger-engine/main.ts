import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { engineTables } from './engineTables.ts';
import { measuredHere } from './parts.ts';

const { values } = parseArgs({ options: { part: { type: 'string' } } });

if (values.part === undefined) {
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`,
  );
  console.log('Medians, with the tenth and ninetieth percentile in brackets.\n');
  console.log(engineTables());
} else {
  console.log(await measuredHere(values.part));
}
