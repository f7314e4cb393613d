// `npm run bench -- [NAME [OPTION…]]`: installs and builds what is missing and runs bench/NAME. Without a name, runs all of
// them and writes docs/evidence/benchmarks.md. With `--compare REF`, it runs the bench of that commit and of this one in turns.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale, install, root } from './prepare.mjs';
import { runSource } from './runSource.mjs';

const report = 'report';
const given = process.argv.slice(2);
const [name, ...args] = given[0]?.startsWith('-') === false ? given : [report, ...given];
const benches = readdirSync(join(root, 'bench')).filter((folder) =>
  existsSync(join(root, 'bench', folder, 'main.ts')),
);
if (!benches.includes(name)) {
  console.error(`usage: npm run bench -- NAME, where NAME is one of: ${benches.join(', ')}`);
  process.exit(2);
}
const compares = args.some((arg) => arg.split('=')[0] === '--compare');
const [file, rest] = compares
  ? ['bench/compare/commits.ts', [name, ...args]]
  : [`bench/${name}/main.ts`, args];
await runSource(file, rest, async () => {
  if (name === report) await install(join(root, 'bench', 'plots'));
  await buildIfStale();
});
