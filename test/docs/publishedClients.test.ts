import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');

/** Guides that show a buyer with a published client. A reference shows calls, and its guide has the version. */
const pages = ['README.md', ...['docs', 'docs/quickstarts'].flatMap(pagesOf)].filter((path) =>
  /from '@x402\/(?:fetch|axios)'/.test(read(path)),
);

function pagesOf(folder: string): readonly string[] {
  return readdirSync(root + folder)
    .filter((name) => name.endsWith('.md') && !name.endsWith('-reference.md'))
    .map((name) => `${folder}/${name}`);
}

describe('a page that shows a published client says with which version it pays', () => {
  it('there are such pages', () => assert.ok(pages.includes('docs/agents.md'), pages.join()));

  for (const path of pages) {
    it(`${path}: the version that the examples install and the tests pay with, and what newer ones need`, () => {
      const { x402 } = JSON.parse(read('examples/package-sets.json')) as {
        x402: { readonly versions: Readonly<Record<string, string>> };
      };
      const pinned = x402.versions['@x402/fetch'];
      const text = read(path);
      assert.ok(pinned !== undefined && text.includes(pinned), pinned);
      assert.match(text, /spend controls|spendControls/i);
    });
  }
});
