import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { proseFiles } from './pages/proseFiles.ts';
import { openReader, type Packed, packPackages } from './quickstarts/reader.ts';
import { missingLines, readQuickstart } from './quickstarts/readQuickstart.ts';

const pages = proseFiles().filter((page) => page.startsWith('docs/quickstarts/'));

describe('A quickstart leads from an empty folder to a settled payment', () => {
  let packed: Packed;
  before(async () => {
    packed = await packPackages();
  });
  after(() => packed.remove());

  it('for a seller with code or without, a buyer, an agent and a test', () => {
    assert.deepEqual(pages.map((page) => page.replace(/.*\/|\.md$/g, '')).sort(), [
      'agent',
      'buy',
      'link',
      'proxy',
      'sell',
      'test',
      'tools',
    ]);
  });

  for (const page of pages) {
    it(`${page}: each command works, and prints what the page shows`, async () => {
      const reader = await openReader(packed);
      try {
        for (const step of readQuickstart(page)) await reader.follow(step);
      } finally {
        await reader.close();
      }
    });
  }
});

describe('A page’s output is compared with the printed output', () => {
  const hash = 'a'.repeat(64);

  it('line by line, with keys and hashes by their shape', () => {
    const shown = `paid …\nTransaction ${hash}.\n`;
    assert.deepEqual(missingLines(shown, `x\npaid 1\nTransaction ${'b'.repeat(64)}.\n`), []);
    assert.deepEqual(missingLines(shown, 'paid 1\nTransaction b.\n'), [`Transaction ${hash}.`]);
  });

  it('in the order of the page', () => {
    assert.deepEqual(missingLines('one\ntwo\n', 'two\none\n'), ['two']);
  });
});
