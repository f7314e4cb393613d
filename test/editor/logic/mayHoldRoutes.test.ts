import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findRoutes } from '../../../src/codegen/index.ts';
import { mayHoldRoutes } from '../../../src/extension/routes/mayHoldRoutes.ts';

const folders = ['corpus', 'fixtures'].map((name) =>
  fileURLToPath(new URL(`../../codegen/${name}`, import.meta.url)),
);

function sources(): { readonly path: string; readonly text: string }[] {
  return (
    folders
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
          join(folder, name),
        ),
      )
      .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
      // The corpus is in a folder of tests; its files are those of apps.
      .map((path) => ({
        path: path.slice(path.indexOf('codegen') + 7),
        text: readFileSync(path, 'utf8'),
      }))
  );
}

describe('a file is read for routes if it might have some', () => {
  it('every file of the corpus with a route is', () => {
    const withRoutes = sources().filter((source) => findRoutes(source).length > 0);
    assert.ok(withRoutes.length > 50, `only ${withRoutes.length} files with routes`);
    assert.deepEqual(
      withRoutes.filter(({ path, text }) => !mayHoldRoutes(path, text)).map(({ path }) => path),
      [],
    );
  });

  it('a client of other servers, or a page, is not', () => {
    const others = [
      'export const add = (a, b) => a + b;',
      'const seen = new Map(); seen.get(key); cache.delete(name);',
      "import { useState } from 'react'; export function Page() { return <Router />; }",
      "const answer = await fetch('/api/weather'); headers.get('accept');",
      'export async function GET() {}',
    ];
    for (const text of others) assert.equal(mayHoldRoutes('/src/page.tsx', text), false, text);
  });

  it('a handler of Next.js whose path has a word of tests is', () => {
    for (const path of [
      'app/api/test/route.ts',
      'src/app/api/tests/[id]/route.ts',
      'app/spec/route.js',
    ]) {
      assert.equal(mayHoldRoutes(path, 'export async function GET() {}'), true, path);
    }
  });

  it('[finding: E8] a test, and a page that asks a server, is not', () => {
    const server = "import express from 'express'; const app = express(); app.get('/x', h);";
    for (const path of [
      '/src/app.test.ts',
      '/src/__tests__/app.js',
      '/test/app.js',
      '/e2e/a.spec.ts',
    ]) {
      assert.equal(mayHoldRoutes(path, server), false, path);
    }
    for (const path of ['/src/app.ts', '/src/latest/app.ts', '/src/contest.ts']) {
      assert.equal(mayHoldRoutes(path, server), true, path);
    }
    const page =
      "import { useEffect } from 'react'; import axios from 'axios'; axios.get('/api/x');";
    assert.equal(mayHoldRoutes('/src/Page.tsx', page), false);
  });

  it('a route file of Next.js is, by its name', () => {
    const text = 'export async function GET() {}';
    assert.equal(mayHoldRoutes('/app/api/weather/route.ts', text), true);
    assert.equal(mayHoldRoutes('/pages/api/weather.ts', text), true);
  });
});
