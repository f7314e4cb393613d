import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { generatedPages } from './pages/generatedPages.ts';
import { projectFile, projectRoot } from './pages/projectFile.ts';

describe('The pages that are made from the sources are current (npm run docs -- generate)', () => {
  const pages = generatedPages();

  for (const [path, text] of pages) {
    if (path.startsWith('docs/errors/')) continue;
    it(path, () => {
      assert.equal(projectFile(path), text);
    });
  }

  it('docs/errors/ has one page for each code, and no others', () => {
    const made = [...pages.keys()].filter((path) => path.startsWith('docs/errors/')).sort();
    const there = readdirSync(join(projectRoot, 'docs/errors'))
      .map((name) => `docs/errors/${name}`)
      .sort();
    assert.deepEqual(there, made);
    for (const path of made) assert.equal(projectFile(path), pages.get(path), path);
  });
});
