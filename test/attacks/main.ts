// `npm run test:attacks`: named attacks against a service and its network, one line each. Ends with status 1 when one
// gets through. `-- --kind WORD` tries the kinds whose name has the word.

import { parseArgs } from 'node:util';
import { KINDS } from './kinds/index.ts';
import { runAttacks } from './runAttacks.ts';
import { World } from './world.ts';

const { values } = parseArgs({ options: { kind: { type: 'string', default: '' } } });
const kinds = KINDS.filter(({ kind }) => kind.includes(values.kind));
const world = await World.open();
const report = await runAttacks(kinds, world, (line) => console.log(line));
await world.close();
process.exit(report.through.length === 0 && report.attacks > 0 ? 0 : 1);
