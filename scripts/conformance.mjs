// `npm run docs:conformance`: writes docs/evidence/conformance.md from the tags in test names.

import { runSource } from './runSource.mjs';

await runSource('test/conformance/main.ts', []);
