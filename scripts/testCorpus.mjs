// `npm run test:corpus -- FOLDER`: finds, sells, parses, type-checks and restores every route of cloned projects.

import { runSource } from './runSource.mjs';

await runSource('test/codegen/corpusRun/main.ts', process.argv.slice(2));
