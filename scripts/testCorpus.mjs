// `npm run test:corpus -- FOLDER`: finds every route of cloned projects, adds a payment, parses and type-checks the result, and
// restores the file.

import { runSource } from './runSource.mjs';

await runSource('test/codegen/corpusRun/main.ts', process.argv.slice(2));
