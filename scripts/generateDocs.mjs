// `npm run docs -- generate`: writes the pages of docs/ that are generated from the sources.

import { declareIfStale, install, requireNode, root, run } from './prepare.mjs';

requireNode();
try {
  await install(root);
  await declareIfStale();
  process.stdout.write(await run(process.execPath, ['--import', 'tsx', 'test/docs/main.ts']));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
