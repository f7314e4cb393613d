// Writes the pages that are made from the sources. Run by scripts/generateDocs.mjs.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedPages } from './pages/generatedPages.ts';
import { projectRoot } from './pages/projectFile.ts';

const pages = generatedPages();
for (const [path, text] of pages) {
  const file = join(projectRoot, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
for (const name of readdirSync(join(projectRoot, 'docs/errors'))) {
  if (!pages.has(`docs/errors/${name}`)) rmSync(join(projectRoot, 'docs/errors', name));
}
process.stdout.write(`${pages.size} pages written\n`);
