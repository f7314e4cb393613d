import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { engineTables } from './engineTables.ts';
import { measuredHere } from './parts.ts';
import { writeState } from './stateOfSize.ts';

const { values } = parseArgs({
  options: {
    part: { type: 'string' },
    'write-state': { type: 'string' },
    accounts: { type: 'string', default: '1000' },
  },
});

if (values.part !== undefined) tell(await measuredHere(values.part));
else if (values['write-state'] !== undefined) {
  tell(writeState(values['write-state'], Number(values.accounts)));
} else {
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`,
  );
  console.log('Medians, with the tenth and ninetieth percentile in brackets.\n');
  console.log(engineTables());
}

function tell(measured: unknown): void {
  console.log(JSON.stringify(measured));
}
