// `npm run docs -- NAME [ARGUMENT…]`: writes what the pages take from the sources, and judges their words. Without a name, lists
// what there is.

import { runNamed } from './runSource.mjs';

await runNamed('docs', {
  generate: {
    program: 'generateDocs.mjs',
    words: 'writes the pages that are made from the sources',
  },
  conformance: {
    source: 'test/conformance/main.ts',
    words: 'writes docs/evidence/conformance.md from the titles of the tests',
  },
  licences: { program: 'licences.mjs', words: 'writes docs/licences.md and a bill of materials' },
  pictures: { program: 'pictures.mjs', words: "makes the pages' pictures" },
  prose: { program: 'prose.mjs', words: 'finds sentences that are hard to read' },
});
