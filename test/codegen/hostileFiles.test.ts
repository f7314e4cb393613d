import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addPayment, applyEdits, findRoutes } from '../../src/codegen/index.ts';
import { TERMS } from './corpus.ts';

const HEAD = "import express from 'express';\nimport { z } from 'zod';\nconst app = express();\n";
const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n + 1)).join('\n');

/** Files of strangers whose names refer to each other so that following each of them takes exponential time. */
const FILES: Readonly<Record<string, string>> = {
  'doubling texts': `${HEAD}const p0 = '/a';\n${lines(60, (n) => `const p${n} = p${n - 1} + p${n - 1};`)}\napp.get(p60, (req, res) => res.json({}));\n`,
  'doubling templates': `${HEAD}const p0 = '/a';\n${lines(60, (n) => `const p${n} = \`\${p${n - 1}}\${p${n - 1}}\`;`)}\napp.get(p60, (req, res) => res.json({}));\n`,
  'a graph of objects': `${HEAD}const o0 = { a: 1 };\n${lines(60, (n) => `const o${n} = { a: o${n - 1}, b: o${n - 1} };`)}\napp.get('/x', (req, res) => res.json(o60));\n`,
  'a graph of objects with values of run time': `${HEAD}const o0 = { a: now() };\n${lines(60, (n) => `const o${n} = { ${lines(30, (k) => `k${k}: o${n - 1},`)} t: now() };`)}\napp.get('/x', (req, res) => res.json(o60));\n`,
  'types of types': `${HEAD}type T0 = { a: string };\n${lines(40, (n) => `type T${n} = { ${lines(30, (k) => `k${k}: T${n - 1};`)} };`)}\napp.post('/x', (req, res) => { const body: T40 = req.body; res.json(body); });\n`,
  'schemas of schemas': `${HEAD}const s0 = z.object({ a: z.string() });\n${lines(40, (n) => `const s${n} = z.object({ ${lines(20, (k) => `k${k}: s${n - 1},`)} });`)}\napp.post('/x', (req, res) => { const body = s40.parse(req.body); res.json(body); });\n`,
  'a cycle of constants': `${HEAD}const a = b + '/x';\nconst b = a + '/y';\nconst o = { o };\napp.get(a, (req, res) => res.json(o));\napp.get('/x', (req, res) => res.json({}));\n`,
  'a chain of members': `${HEAD}const m0 = { p: '/x' };\n${lines(2_000, (n) => `const m${n} = m${n - 1};`)}\napp.get(m2000.p, (req, res) => res.json({}));\n`,
  'thousands of routes of a name that is assigned': `${HEAD}let late;\n${lines(3_000, (n) => `late.get('/r${n}', (req, res) => res.json({}));`)}\nlate = express();\n`,
};

/** Processor time of this process, since other work may share the machine. */
function milliseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user } = process.cpuUsage(before);
  return user / 1_000;
}

describe('a hostile file costs a bounded time', () => {
  for (const [name, text] of Object.entries(FILES)) {
    it(name, () => {
      const source = { path: 'src/app.ts', text };
      const found = milliseconds(() => assert.ok(findRoutes(source).length > 0));
      assert.ok(found < 2_000, `finding took ${found} ms of the processor`);
      const offset =
        text.lastIndexOf('.get(') < 0 ? text.lastIndexOf('.post(') : text.lastIndexOf('.get(');
      let written = '';
      const added = milliseconds(() => {
        const result = addPayment({ ...TERMS, ...source, offset });
        written = result.ok ? applyEdits(text, result.edits) : text;
      });
      assert.ok(added < 3_000, `adding took ${added} ms of the processor`);
      assert.ok(
        written.length < text.length + 100_000,
        `${written.length - text.length} characters`,
      );
    });
  }
});
