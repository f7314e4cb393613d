// `npm run docs:conformance`: writes docs/evidence/conformance.md from the tags in the names of the tests.

import { runSource } from './runSource.mjs';

await runSource('test/conformance/main.ts', []);
