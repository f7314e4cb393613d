// `npm run bench -- [NAME [OPTION…]]`: installs and builds what is missing and runs bench/NAME or
// network/bench/NAME. Without a name, runs all of
// them and writes docs/evidence/benchmarks.md. With `--compare REF`, it runs the bench of that commit and of this one in turns.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale, install, root } from './prepare.mjs';
import { runSource } from './runSource.mjs';

const report = 'report';
const given = process.argv.slice(2);
const [name, ...args] = given[0]?.startsWith('-') === false ? given : [report, ...given];
const mains = new Map(
  ['bench', 'network/bench'].flatMap((place) =>
    readdirSync(join(root, place))
      .map((folder) => [folder, `${place}/${folder}/main.ts`])
      .filter(([, main]) => existsSync(join(root, main))),
  ),
);
const main = mains.get(name);
if (main === undefined) {
  const names = [...mains.keys()].join(', ');
  console.error(`usage: npm run bench -- NAME, where NAME is one of: ${names}`);
  process.exit(2);
}
const compares = args.some((arg) => arg.split('=')[0] === '--compare');
const [file, rest] = compares ? ['bench/compare/commits.ts', [name, ...args]] : [main, args];
await runSource(file, rest, async () => {
  if (name === report) await install(join(root, 'bench', 'plots'));
  await buildIfStale();
});
