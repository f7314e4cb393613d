import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { complaints, newComplaints } from './complaints.ts';
import { changesOf, corpus } from './corpus.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Handlers of Next.js that version 0.3.0 wrapped in code with new type errors. */
const G7 = [
  'next/request-only-constant',
  'next/only-redirects',
  'next/only-throws',
  'next/may-return-nothing',
  'next/says-undefined',
];

describe('the compiler finds no new errors', () => {
  if (!existsSync(join(root, 'examples', 'paid-api', 'node_modules'))) {
    it.skip('the x402 packages are not installed: run `npm ci` in examples/paid-api', () => {});
    return;
  }
  const before = new Map<string, string>();
  const after = new Map<string, string>();
  for (const each of corpus()) {
    const { results, texts } = changesOf(each, each.text);
    const changed = texts.at(-1);
    if (results.some(({ ok }) => !ok) || changed === undefined) continue;
    const path = `/corpus/${each.name}/${each.path}`;
    before.set(path, each.text);
    after.set(path, changed);
  }
  for (const [path, fresh] of newComplaints(before, after)) {
    const name = path.slice('/corpus/'.length);
    const finding = G7.some((each) => name.startsWith(`${each}/`)) ? 'G7: ' : '';
    it(finding + name, () => assert.deepEqual(fresh, []));
  }

  it('G7: each handler whose type Next.js was strict about is among them', () => {
    for (const name of G7) assert.ok([...after.keys()].some((path) => path.includes(`/${name}/`)));
  });

  it('errors are detected at all', () => {
    const path = '/corpus/express/minimal-cjs/src/wrong.ts';
    const text = `import { paymentMiddleware } from '@x402/express';\npaymentMiddleware({ 'GET /x': { accepts: 1 } });\n`;
    const [complaint = ''] = complaints(new Map([[path, text]])).get(path) ?? [];
    assert.match(complaint, /^TS2554/);
  });
});
