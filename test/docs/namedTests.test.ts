import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { projectFile, projectRoot } from './pages/projectFile.ts';

/** `[file](path): "name", "other name"`. */
const NAMED = /\[\w+\]\(((?:\.\.\/)+[^)]+\.(?:ts|rs|ui\.mjs|cjs))\): ((?:"[^"]+"(?:, )?)+)/g;

function named(page: string): { readonly file: string; readonly names: readonly string[] }[] {
  return [...projectFile(page).matchAll(NAMED)].map(([, path = '', quoted = '']) => ({
    file: normalize(join(dirname(page), path)),
    names: [...quoted.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
  }));
}

/** Whether the source has a test with this title: quotes may be escaped there. */
function hasTitle(file: string, name: string): boolean {
  const source = projectFile(file)
    .replaceAll("\\'", "'")
    .replaceAll(/\$\{folder\}: /g, '');
  return source.includes(name);
}

for (const [page, least] of [
  ['docs/security.md', 40],
  ['docs/evidence/comparison.md', 20],
  ['docs/evidence/network-findings.md', 9],
  ['docs/evidence/agents-findings.md', 9],
  ['docs/evidence/editor-findings.md', 12],
  ['docs/evidence/payment-findings.md', 50],
  ['docs/evidence/standing-findings.md', 50],
] as const) {
  if (!existsSync(join(projectRoot, page))) continue;
  describe(`The tests that ${page} names`, () => {
    const tests = named(page);

    it('are many', () => {
      assert.ok(tests.length >= least, `${tests.length}`);
    });

    it('exist, under these names', () => {
      const missing = tests.flatMap(({ file, names }) =>
        names.filter((name) => !hasTitle(file, name)).map((name) => `${file}: ${name}`),
      );
      assert.deepEqual(missing, []);
    });
  });
}

/** The page without the table of what is protected. */
const threatsOf = (page: string) => page.slice(page.indexOf('## A seller who cheats'));

describe('docs/security.md', () => {
  it('has a measure for every threat, and a test or a reason why there is none', () => {
    const rows = [
      ...threatsOf(projectFile('docs/security.md')).matchAll(
        /^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm,
      ),
    ];
    const threats = rows.filter(
      ([, first = '', , third = '']) =>
        !/^(Threat|---|)$/.test(first.trim()) && third.trim() !== '',
    );
    assert.ok(threats.length >= 35);
    const bare = threats
      .filter(([, , measure = '', test = '']) => measure.length < 15 || test.length < 10)
      .map(([, threat]) => threat);
    assert.deepEqual(bare, []);
  });
});

describe('docs/evidence/comparison.md', () => {
  it('has a source for every mark, and no source without a mark', () => {
    const page = projectFile('docs/evidence/comparison.md');
    const at = page.indexOf('## Sources');
    const marks = new Set([...page.slice(0, at).matchAll(/\[(\d+)\]/g)].map(([, mark]) => mark));
    const sources = [...page.slice(at).matchAll(/^(\d+)\. .*<https:\/\/[^>]+>/gm)].map(
      ([, number]) => number,
    );
    assert.ok(sources.length >= 20);
    assert.deepEqual([...marks].sort(), [...sources].sort());
  });

  it('begins with shortcomings', () => {
    assert.match(projectFile('docs/evidence/comparison.md'), /\n## What we lack, first\n\n- /);
  });
});
