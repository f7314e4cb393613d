import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CodeThread, CodeUnread } from '../../src/extension/routes/codeThread.ts';
import {
  facilitatorsInCode,
  mayHoldRoutes,
  payToInCode,
  priceInCode,
} from '../../src/extension/routes/index.ts';
import { packagesInCode } from '../../src/extension/server/missingPackages.ts';
import { portInCode } from '../../src/extension/server/portInCode.ts';

const bundle = fileURLToPath(new URL('../../dist/codegen.js', import.meta.url));
const SIZE = 990_000;
const EXPRESS = "import express from 'express';\nconst app = express();\n";
const HONO = "import { Hono } from 'hono';\nconst app = new Hono();\n";
const PAY_TO = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';

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
  'a graph of schemas': filled(
    (n) => `const s${n + 1} = z.object({ a: s${n}, b: s${n} });\napp.post('/s', v(s${n}), h);\n`,
  ),
  'types that refer to each other': filled(
    (n) => `interface T${n} { a: T${n + 1}; b: T${n + 2} }\napp.get<T${n}>('/t${n}', h);\n`,
  ),
  'names in a circle': filled((n) => `const c${n} = c${(n * 7) % 9999};\napp.get(c${n}, h);\n`),
  brackets: `${EXPRESS}app.get('/x', ${'['.repeat(SIZE)}`,
  'calls in calls': `${EXPRESS}app.get('/x', ${'f('.repeat(SIZE / 2)}`,
  'one line': `${EXPRESS}app.get('/${'a'.repeat(SIZE)}', h);`,
  'a long pattern': `${EXPRESS}app.get(/${'(a|b)*'.repeat(SIZE / 6)}/, h);`,
  'texts joined': `${filled((n) => `'a${n}' + `, `${EXPRESS}app.get(`)}'', h);`,
  marks: filled((n) => `// svc-x402: payments\napp.get('/r${n}', h);\n`),
  'wildcards of a map': filled(
    (n) => `'GET /${'*a'.repeat(40)}${n}': {},\n`,
    `${EXPRESS}app.get('/${'a'.repeat(999)}', h);\napp.use(paymentMiddleware({\n`,
  ),
  spaces: `${EXPRESS}app.get${' '.repeat(SIZE)}`,
  'open brackets of types': `${EXPRESS}${'app.get<'.repeat(SIZE / 8)}`,
  'open comments': `${EXPRESS}${'/* '.repeat(SIZE / 3)}`,
  'calls that open a port': filled((n) => `x.listen(p${n}, `),
  'prices and addresses': filled((n) => `svc-x402: payments payTo: process.env.a${n} ?? `),
};

/** Files in which nothing registers a route. */
const WITHOUT_ENDPOINTS = [
  'a graph of objects',
  'calls that open a port',
  'open comments',
  'prices and addresses',
  'spaces',
];

/** Processor time of the main thread in milliseconds, without what other threads and processes take. */
function mainThreadMs(): number {
  const [ns = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(ns) / 1e6;
}

/** What the editor does with a text itself, before the thread has it and beside it. */
const HERE: Readonly<Record<string, (text: string) => unknown>> = {
  mayHoldRoutes: (text) => mayHoldRoutes('src/app.ts', text),
  payToInCode,
  facilitatorsInCode,
  priceInCode: (text) => priceInCode(text, 'GET', '/r1'),
  packagesInCode,
  portInCode,
};

/** Ten times what the slowest of these takes at rest, so that only another order of growth fails. */
const MOST_MS = 500;

async function readIn(thread: CodeThread, text: string): Promise<number | string> {
  const source = { path: 'src/app.ts', text };
  try {
    const routes = await thread.ask('findRoutes', source);
    const offset = routes[0]?.range.start ?? 0;
    const terms = { price: '0.01', payTo: PAY_TO, facilitatorUrl: 'http://127.0.0.1:4021' };
    await thread.ask('gateTerms', source, 'GET', '/r1');
    await thread.ask('addPayment', { ...source, ...terms, offset });
    await thread.ask('setPrice', { ...source, offset, price: '0.02' });
    await thread.ask('removePayment', { ...source, offset });
    return routes.length;
  } catch (error) {
    assert.ok(error instanceof CodeUnread, String(error));
    return error.why;
  }
}

describe('[finding: W5] a hostile file below 1 MB does not keep the extension host busy', {
  skip: process.platform !== 'linux',
}, () => {
  const thread = new CodeThread(bundle, { withinMs: 60_000 });
  after(() => thread.dispose());

  it('starts', async () => {
    assert.equal(await readIn(thread, `${EXPRESS}app.get('/a', h);`), 1);
  });

  for (const [name, text] of Object.entries(FILES)) {
    it(`${name}: read and changed in a thread, or named as unread`, async () => {
      assert.ok(text.length < 1_000_000 + 100);
      // A file that ends the thread by its limits is tried here with short ones.
      const limited = new CodeThread(bundle, { withinMs: 2_000 });
      const before = mainThreadMs();
      const answer = await readIn(limited, text);
      const took = mainThreadMs() - before;
      limited.dispose();
      console.log(`# ${name}: ${took.toFixed(0)} ms here, ${answer}`);
      assert.ok(took < MOST_MS, `${took} ms`);
      // No endpoint is an answer only for those that have none.
      if (answer === 0) assert.ok(WITHOUT_ENDPOINTS.includes(name), name);
    });

    it(`${name}: looked at here`, () => {
      for (const [what, look] of Object.entries(HERE)) {
        const before = mainThreadMs();
        look(text);
        const took = mainThreadMs() - before;
        if (took > 20) console.log(`# ${name}: ${what} ${took.toFixed(0)} ms`);
        assert.ok(took < MOST_MS, `${what} ${took} ms`);
      }
    });
  }

  it('a reading that exceeds its time is given up, and the next file is read', async () => {
    const short = new CodeThread(bundle, { withinMs: 300 });
    const { routes: large = '' } = FILES;
    assert.equal(await readIn(short, large), 'too_slow');
    short.dispose();
    assert.equal(await readIn(thread, `${EXPRESS}app.get('/a', h);`), 1);
  });

  it('code that is nested too deeply is named, not read as a file without endpoints', async () => {
    const text = `${EXPRESS}app.get('/a', ${'('.repeat(50_000)}h${')'.repeat(50_000)});`;
    assert.notEqual(await readIn(thread, text), 0);
  });

  it('files around the code are read here, for the thread', async () => {
    const contents: Readonly<Record<string, string>> = {
      '/app/package.json': '{ "dependencies": { "hono": "4.0.0" } }',
      '/app/src/index.ts': `${HONO}import items from './items.ts';\napp.route('/items', items);`,
    };
    const text = `${HONO}app.get('/a', (c) => c.text(''));\nexport default app;\n`;
    const { source, project } = await thread.ask('sourceInProject', '/app/src/items.ts', text, {
      exists: async (path) => path in contents,
      read: async (path) => contents[path],
    });
    assert.equal(project?.folder, '/app');
    const [route] = await thread.ask('findRoutes', source);
    assert.equal(route?.mounted, '/items/a');
  });

  it('files in a circle end, however long they are', async () => {
    const files: Record<string, string> = { '/app/package.json': '{}' };
    for (let n = 0; n < 2_000; n += 1) {
      const next = (n * 7 + 1) % 2_000;
      files[`/app/f${n}.ts`] =
        `import { app } from './f${next}.ts';\nexport { app };\napp.get('/r${n}', h);\n${'// x\n'.repeat(5_000)}`;
    }
    let read = 0;
    const text = files['/app/f0.ts'] ?? '';
    const { source } = await thread.ask('sourceInProject', '/app/f0.ts', text, {
      exists: async (path) => path in files,
      read: async (path) => {
        read += 1;
        return files[path];
      },
      scripts: async () => Object.keys(files).filter((path) => path.endsWith('.ts')),
    });
    assert.ok(read < 200, `${read} files`);
    assert.equal((await thread.ask('findRoutes', source)).length, 1);
  });

  it('an answer that is too long for the editor is named', async () => {
    const small = new CodeThread(bundle, { answer: 1_000 });
    const text = EXPRESS + "app.get('/a', h);\n".repeat(20);
    assert.equal(await readIn(small, text), 'too_many');
    small.dispose();
  });

  it('a file that cannot be read is one that is not there, and an error is thrown here', async () => {
    const broken = {
      exists: async () => Promise.reject(new Error('no disk')),
      read: async () => Promise.reject(new Error('no disk')),
    };
    const { project } = await thread.ask('sourceInProject', '/app/a.ts', '', broken);
    assert.equal(project, undefined);
    const overlapping = [
      { offset: 0, length: 2, text: '' },
      { offset: 1, length: 2, text: '' },
    ];
    await assert.rejects(thread.ask('applyEdits', 'abcd', overlapping), /edits overlap/);
  });
});
