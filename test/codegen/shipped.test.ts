import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as sources from '../../src/codegen/index.ts';
import { corpus, goldenOf, TERMS } from './corpus.ts';

type Codegen = typeof sources;

const root = fileURLToPath(new URL('../../', import.meta.url));
const shipped = createRequire(import.meta.url)(join(root, 'dist', 'codegen.js')) as Codegen;

/** Everything that is read from a file, and everything that can be written into it. */
function answers(codegen: Codegen, path: string, text: string): unknown {
  const routes = codegen.findRoutes({ path, text });
  return routes.map((route) => {
    const where = { path, text, offset: route.range.start };
    return {
      route,
      added: codegen.addPayment({ ...where, ...TERMS }),
      removed: codegen.removePayment(where),
      priced: codegen.setPrice({ ...where, price: '0.25' }),
      description: codegen.routeDescription({ ...where, ...TERMS }),
      terms: codegen.gateTerms({ path, text }, route.method, route.path),
    };
  });
}

const same = (path: string, text: string): void =>
  assert.deepEqual(answers(shipped, path, text), answers(sources, path, text), path);

describe("the shipped code generator, with TypeScript's parser alone, does what its sources do", () => {
  it('for each file of the corpus, before and after a payment was added', () => {
    for (const each of corpus()) {
      same(each.path, each.text);
      same(each.path, goldenOf(each).text);
    }
  });

  it('for files that end anywhere, or lack a line', () => {
    for (const { path, text } of corpus()) {
      for (let end = 1; end < 8; end += 1) same(path, text.slice(0, (text.length * end) / 8));
      const lines = text.split('\n');
      for (let at = 0; at < lines.length; at += 5) same(path, lines.toSpliced(at, 1).join('\n'));
    }
  });

  it('for code of every other kind', () => {
    const folder = join(root, 'src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const texts = files.filter((name) => /\.tsx?$/.test(name));
    assert.ok(texts.length > 500, String(texts.length));
    for (const name of texts) same(name, readFileSync(join(folder, name), 'utf8'));
  });
});
