import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RouteThread } from '../../src/extension/routes/routeThread.ts';

const bundle = fileURLToPath(new URL('../../dist/codegen.js', import.meta.url));
const SIZE = 990_000;
const EXPRESS = "import express from 'express';\nconst app = express();\n";
const HONO = "import { Hono } from 'hono';\nconst app = new Hono();\n";

/** A file just below 1 MB of numbered units. */
function filled(unit: (n: number) => string, head = EXPRESS): string {
  const parts = [head];
  for (let length = head.length, n = 0; length < SIZE; n += 1) {
    const part = unit(n);
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}

const FILES: Readonly<Record<string, string>> = {
  routes: filled((n) => `app.get('/r${n}', (q, r) => r.json({ a: ${n} }));\n`),
  'one chain': filled((n) => `.get('/r${n}', (c) => c.json({ a: ${n} }))`, `${HONO}app`),
  'constants that double': filled((n) => `const p${n + 1} = p${n} + p${n};\napp.get(p${n}, h);\n`),
  'a graph of objects': filled((n) => `const o${n + 1} = { a: o${n}, b: o${n} };\n`),
  brackets: `${EXPRESS}app.get('/x', ${'['.repeat(SIZE)}`,
  'one line': `${EXPRESS}app.get('/${'a'.repeat(SIZE)}', h);`,
  'texts joined': `${filled((n) => `'a${n}' + `, `${EXPRESS}app.get(`)}'', h);`,
  marks: filled((n) => `// svc-x402: payments\napp.get('/r${n}', h);\n`),
};

/** Processor time of the main thread in milliseconds, without what other threads and processes take. */
function mainThreadMs(): number {
  const [ns = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(ns) / 1e6;
}

describe('a hostile file below 1 MB is not read in the extension host', {
  skip: process.platform !== 'linux',
}, () => {
  const thread = new RouteThread(bundle, { withinMs: 60_000 });
  after(() => thread.dispose());

  it('starts', async () => {
    const answer = await thread.read({ path: 'a.ts', text: `${EXPRESS}app.get('/a', h);` });
    assert.ok('routes' in answer);
    assert.equal(answer.routes.length, 1);
  });

  for (const [name, text] of Object.entries(FILES)) {
    it(`${name}: read in a thread, or named as unread`, async () => {
      assert.ok(text.length < 1_000_000 + 30);
      // A file that ends the thread by its limits is tried here with short ones.
      const limited = new RouteThread(bundle, { withinMs: 3_000 });
      const before = mainThreadMs();
      const answer = await limited.read({ path: 'src/app.ts', text });
      const took = mainThreadMs() - before;
      limited.dispose();
      console.log(
        `# ${name}: ${took.toFixed(0)} ms here, ${JSON.stringify(answer).length} characters`,
      );
      // Reading one here would take seconds; handing it over takes milliseconds.
      assert.ok(took < 1_000, `${took} ms`);
      assert.ok('unread' in answer || answer.routes.length > 0 || name === 'a graph of objects');
    });
  }

  it('a reading that exceeds its time is given up, and the next file is read', async () => {
    const short = new RouteThread(bundle, { withinMs: 300 });
    const { routes: large = '' } = FILES;
    assert.deepEqual(await short.read({ path: 'src/app.ts', text: large }), { unread: 'too_slow' });
    short.dispose();
    const small = await thread.read({ path: 'a.ts', text: `${EXPRESS}app.get('/a', h);` });
    assert.ok('routes' in small);
  });

  it('code that is nested too deeply is named, not read as a file without endpoints', async () => {
    const text = `${EXPRESS}app.get('/a', ${'('.repeat(50_000)}h${')'.repeat(50_000)});`;
    const answer = await thread.read({ path: 'src/app.ts', text });
    assert.ok('unread' in answer || answer.routes.length > 0);
  });
});
