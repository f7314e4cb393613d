import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addPayment,
  applyEdits,
  type ChangeResult,
  findRoutes,
  formatterSettings,
  type ProjectFiles,
  removePayment,
  setPrice,
  sourceInProject,
  writingFacts,
} from '../index.ts';
import { oldFramework, oldNextVersion } from './decision/versions.ts';

const PATH = 'src/app.ts';
const TERMS = {
  price: '0.01',
  payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
  facilitatorUrl: 'http://127.0.0.1:4021',
};
const EXPRESS = "import express from 'express';\n\nconst app = express();\n\n";

function changed(text: string, result: ChangeResult): string {
  assert.ok(result.ok, result.ok ? '' : result.refusal.message);
  return applyEdits(text, result.edits);
}

function add(text: string, name: string, path = PATH): string {
  const route = findRoutes({ path, text }).find(
    (each) => `${each.method} ${each.path}` === name && each.gated === undefined,
  );
  assert.ok(route, `${name} is not in\n${text}`);
  return changed(text, addPayment({ ...TERMS, path, text, offset: route.range.start }));
}

function remove(text: string, name: string, path = PATH): string {
  const route = findRoutes({ path, text }).find(
    (each) => `${each.method} ${each.path}` === name && each.gated === 'marker',
  );
  assert.ok(route, `${name} is not paid in\n${text}`);
  return changed(text, removePayment({ path, text, offset: route.range.start }));
}

function refusal(result: ChangeResult): string {
  assert.ok(!result.ok);
  return `${result.refusal.code}: ${result.refusal.message}`;
}

describe('versions that an adapter does not support', () => {
  it('are refused with the framework’s name and the required version', () => {
    for (const [framework, version, words] of [
      ['express', '3.21.2', '@x402/express needs Express 4 or later, and this project has 3.21.2.'],
      [
        'fastify',
        '^4.28.1',
        '@x402/fastify needs Fastify 5 or later, and this project has ^4.28.1.',
      ],
      ['hono', '~3.12', '@x402/hono needs Hono 4 or later, and this project has ~3.12.'],
    ] as const) {
      const refused = oldFramework(framework, version);
      assert.equal(refused?.code, 'framework_version');
      assert.ok(refused?.message.startsWith(words), refused?.message);
    }
  });

  it('that are too old leave the proxy, whose command the refusal has', () => {
    for (const refused of [oldNextVersion('15.4.6'), oldFramework('fastify', '4.29.1')]) {
      assert.match(
        refused?.message ?? '',
        /svc-x402 proxy http:\/\/127\.0\.0\.1:PORT --price 0\.01/,
      );
    }
  });

  it('are compared as numbers with several digits, and a missing one counts as new', () => {
    for (const version of ['^10.0.0', '5', '>=5.1', 'latest', undefined]) {
      assert.equal(oldFramework('fastify', version), undefined, version);
    }
    assert.equal(oldFramework('next', '15.5.0')?.code, 'next_version');
    assert.equal(oldNextVersion('16.2.5')?.code, 'next_version');
    for (const version of ['16.2.6', '16.3.0', '^16', '16.x', '17.0.0', 'canary', undefined]) {
      assert.equal(oldNextVersion(version), undefined, version);
    }
  });
});

describe('a payment is removed from the key at a position', () => {
  const text = `${EXPRESS}app.get('/one', (req, res) => {});\napp.get('/two', (req, res) => {});\n`;
  const paid = add(add(text, 'GET /one'), 'GET /two');
  const first = paid.indexOf("'GET /one'");
  const second = paid.indexOf("'GET /two'");
  const removedAt = (offset: number) =>
    findRoutes({
      path: PATH,
      text: changed(paid, removePayment({ path: PATH, text: paid, offset })),
    })
      .filter(({ gated }) => gated === undefined)
      .map(({ path }) => path);

  it('from the end of the key before to its own end', () => {
    assert.ok(first > 0 && second > first, paid);
    const afterComma = paid.lastIndexOf(',', second) + 1;
    assert.deepEqual(removedAt(afterComma), ['/two']);
    const end = paid.indexOf('\n      },', second) + '\n      }'.length;
    assert.ok(end > second);
    assert.deepEqual(removedAt(end), ['/two']);
    assert.deepEqual(removedAt(first), ['/one']);
  });

  it('with its line that answers HEAD, and no other one', () => {
    const left = remove(paid, 'GET /one');
    assert.match(left, /app\.head\('\/two'/);
    assert.doesNotMatch(left, /app\.head\('\/one'/);
    assert.equal(remove(left, 'GET /two'), text);
  });
});

describe('the settings of a file stay while a payment needs them', () => {
  it('whichever of two gates goes first', () => {
    const text = `${EXPRESS}app.get('/items/:id', (req, res) => {});\n\napp.get('/files/:id', (req, res) => {});\n`;
    const names = ['GET /items/:id', 'GET /files/:id'] as const;
    for (const order of [names, [...names].reverse()]) {
      const [one = '', two = ''] = order;
      const left = remove(add(add(text, 'GET /items/:id'), 'GET /files/:id'), one);
      assert.match(left, /payToAddress: '/);
      assert.match(left, /new x402ResourceServer\(/);
      assert.equal(remove(left, two), text);
    }
  });

  it('imports of Hono and Fastify are removed with the last one', () => {
    for (const head of [
      "import { Hono } from 'hono';\n\nconst app = new Hono();\n\n",
      "import Fastify from 'fastify';\n\nconst app = Fastify();\n\n",
    ]) {
      const text = `${head}app.get('/items/:id', async () => new Response());\n`;
      const paid = add(text, 'GET /items/:id');
      assert.match(
        paid,
        /import \{[^}]*\bpaymentMiddleware[^}]*x402ResourceServer,?\s\} from '@x402\/\w+';/,
      );
      assert.equal(remove(paid, 'GET /items/:id'), text);
    }
  });
});

describe('methods that a Next.js file exports', () => {
  const path = 'app/api/items/route.ts';
  const text =
    "import { NextResponse } from 'next/server';\n\nexport async function GET() {\n  return NextResponse.json({ ok: true });\n}\n\nexport async function POST() {\n  return NextResponse.json({ ok: true });\n}\n";

  it('HEAD is removed with GET, but stays when POST’s payment is removed', () => {
    const paid = add(add(text, 'GET /api/items', path), 'POST /api/items', path);
    const left = remove(paid, 'POST /api/items', path);
    assert.match(left, /export const HEAD\b/);
    assert.equal(remove(left, 'GET /api/items', path), text);
    const other = remove(paid, 'GET /api/items', path);
    assert.doesNotMatch(other, /export const HEAD\b/);
    assert.equal(remove(other, 'POST /api/items', path), text);
  });
});

describe('a payment’s imports are removed with it, wherever somebody moved them', () => {
  const text = `${EXPRESS}app.get('/items/:id', (req, res) => {});\n`;
  const middleware = "import { paymentMiddleware, x402ResourceServer } from '@x402/express';\n";

  it('below the code', () => {
    const paid = add(text, 'GET /items/:id');
    assert.ok(paid.includes(middleware));
    assert.equal(remove(paid.replace(middleware, '') + middleware, 'GET /items/:id'), text);
  });

  it('on a line with another statement, with the blanks between them', () => {
    const paid = add(text, 'GET /items/:id');
    const crowded = paid.replace(middleware, `${middleware.trimEnd()} \t start();\n`);
    const left = remove(crowded, 'GET /items/:id');
    assert.match(left, /^start\(\);$/m);
    assert.doesNotMatch(left, /@x402/);
  });

  it('without empty edits', () => {
    const bare = "app.get('/items/:id', (req, res) => {});\n";
    for (const paid of [add(text, 'GET /items/:id'), add(bare, 'GET /items/:id')]) {
      const close = paid.replace(/(server';\n)\n/, '$1');
      for (const each of [paid, close]) {
        const offset = each.lastIndexOf("app.get('/items/:id'");
        const result = removePayment({ path: PATH, text: each, offset });
        assert.ok(result.ok);
        assert.deepEqual(
          result.edits.filter(({ length, text: put }) => length === 0 && put === ''),
          [],
        );
        assert.doesNotMatch(applyEdits(each, result.edits), /x402/);
      }
    }
  });

  it('those of CommonJS are before the route, whatever is required after it', () => {
    const late =
      "const express = require('express');\n\nconst app = express();\n\napp.get('/items/:id', (req, res) => {});\n\nconst late = require('late');\n";
    const paid = add(late, 'GET /items/:id');
    assert.ok(paid.indexOf("require('@x402/express')") < paid.indexOf('const app ='), paid);
    assert.equal(remove(paid, 'GET /items/:id'), late);
  });
});

describe('changes between the marks are not guessed', () => {
  const text = `${EXPRESS}app.get('/items/:id', (req, res) => {});\n`;

  it('a price that was removed or occurs twice is left to the author', () => {
    const paid = add(text, 'GET /items/:id');
    const without = paid.replace(/ {2}price: '\$0\.01',\n/, '');
    assert.notEqual(without, paid);
    const twice = paid.replace(
      '{ accepts: itemsIdTerms }',
      "{ accepts: { ...itemsIdTerms, price: '$2', payTo: 'G' } }",
    );
    assert.notEqual(twice, paid);
    for (const [edited, words] of [
      [without, 'no price'],
      [twice, 'several prices'],
    ] as const) {
      const offset = edited.lastIndexOf("app.get('/items/:id'");
      const said = refusal(setPrice({ path: PATH, text: edited, offset, price: '0.5' }));
      assert.equal(
        said,
        `block_edited: The payment of GET /items/:id has ${words}. Change it by hand.`,
      );
    }
  });

  it('a file without a payment has none to remove', () => {
    assert.equal(
      refusal(removePayment({ path: PATH, text, offset: 0 })),
      'not_gated: No payment that was added here was found in this file.',
    );
    assert.equal(
      refusal(setPrice({ path: PATH, text, offset: 0, price: '0.5' })),
      'not_gated: This endpoint has no payment that was added here.',
    );
  });

  it('an added statement is named by its line', () => {
    const paid = add(text, 'GET /items/:id').replace(
      '// svc-x402: end of payments',
      'console.log(1);\n// svc-x402: end of payments',
    );
    const line = paid.slice(0, paid.indexOf('console.log(1)')).split('\n').length;
    assert.equal(
      refusal(removePayment({ path: PATH, text: paid, offset: paid.lastIndexOf('app.get(') })),
      `block_edited: Line ${line} between the marks was not written here. Move it out of them first.`,
    );
  });
});

describe('the key of a route', () => {
  it('is the whole expression for a concatenated path, which cannot be part of a template', () => {
    const text = `${EXPRESS}const BASE = '/api';\napp.get(BASE + '/items', (req, res) => {});\n`;
    assert.match(add(text, 'GET /api/items'), /'GET \/api\/items': \{/);
  });
});

describe('facts about a project', () => {
  const files = (texts: Readonly<Record<string, string>>): ProjectFiles => ({
    exists: async (path) => path in texts,
    read: async (path) => texts[path],
  });

  it('versions: the installed one, else the requested range, else nothing', async () => {
    const tree = files({
      '/p/package.json': JSON.stringify({
        name: 'shop',
        type: 'module',
        dependencies: { express: '^5', hono: '^4' },
        devDependencies: { fastify: '^5.2' },
      }),
      '/p/node_modules/express/package.json': '{"version":"5.1.0"}',
      '/p/node_modules/hono/package.json': 'not JSON',
    });
    const { project } = await sourceInProject('/p/src/app.ts', '', tree);
    const facts = await writingFacts('/p/src/app.ts', project, tree);
    assert.deepEqual(facts.versions, { express: '5.1.0', fastify: '^5.2', hono: '^4' });
    assert.equal(facts.packageName, 'shop');
    assert.equal(facts.packageModules, 'esm');
    const commonjs = files({ '/p/package.json': '{}' });
    const other = await sourceInProject('/p/src/app.ts', '', commonjs);
    const plain = await writingFacts('/p/src/app.ts', other.project, commonjs);
    assert.deepEqual([plain.versions, plain.packageModules], [{}, 'commonjs']);
  });

  it('Prettier’s tabs, and the width that each counts for', async () => {
    const settings = (text: string) =>
      formatterSettings(
        '/p/src/app.ts',
        files({ '/p/package.json': '{}', '/p/.prettierrc': text }),
      );
    assert.deepEqual(
      [
        (await settings('{"useTabs":true,"tabWidth":4}'))?.indent,
        (await settings('{"useTabs":true,"tabWidth":4}'))?.tabWidth,
      ],
      ['\t', 4],
    );
    assert.equal((await settings('{"useTabs":false,"tabWidth":3}'))?.indent, '   ');
    assert.equal((await settings('{"tabWidth":4}'))?.indent, '    ');
    assert.equal((await settings('{}'))?.indent, '  ');
  });

  it('Biome’s settings, and those of EditorConfig if Biome is set to use them', async () => {
    const settings = (biome: object) =>
      formatterSettings(
        '/p/src/app.ts',
        files({
          '/p/package.json': '{}',
          '/p/biome.json': JSON.stringify(biome),
          '/p/.editorconfig':
            'root = true\n\n[*.md]\nindent_size = 8\n\n[*]\nindent_style = space\nindent_size = 4\nmax_line_length = 100\n',
        }),
      );
    const own = await settings({ formatter: { indentWidth: 3 } });
    assert.deepEqual([own?.indent, own?.tabWidth, own?.width], ['\t', 3, 80]);
    const followed = await settings({ formatter: { useEditorconfig: true } });
    assert.deepEqual([followed?.indent, followed?.tabWidth, followed?.width], ['    ', 4, 100]);
    for (const [given, name, value] of [
      [{ quoteStyle: 'single' }, 'quote', "'"],
      [{ semicolons: 'asNeeded' }, 'semicolons', false],
      [{ arrowParentheses: 'asNeeded' }, 'arrowParens', false],
      [{ arrowParentheses: 'always' }, 'arrowParens', true],
      [{ trailingCommas: 'none' }, 'trailingCommas', false],
      [{ trailingCommas: 'es5' }, 'trailingArguments', false],
      [{ bracketSpacing: false }, 'spacedBraces', false],
    ] as const) {
      const found = await settings({ javascript: { formatter: given } });
      assert.equal(found?.[name], value, name);
    }
  });

  it('EditorConfig’s width of a tab counts only as a size, and each section for its own files', async () => {
    const settings = (text: string) =>
      formatterSettings(
        '/p/src/app.ts',
        files({ '/p/package.json': '{}', '/p/.prettierrc': '{}', '/p/.editorconfig': text }),
      );
    assert.equal((await settings('[*]\nindent_style = space\nindent_size = 4\n'))?.indent, '    ');
    assert.equal((await settings('[*]\nindent_style = tab\ntab_width = 8\n'))?.tabWidth, 8);
    assert.equal(
      (await settings('[*]\nindent_style = tab\nindent_size = tab\ntab_width = 8\n'))?.tabWidth,
      8,
    );
    assert.equal((await settings('[*]\nindent_style = space\nindent_size = 0\n'))?.indent, '  ');
    assert.equal(
      (
        await settings(
          '[*.md]\nindent_style = space\nindent_size = 6\n[*.ts]\n[other.ts]\nindent_size = 7\n',
        )
      )?.indent,
      '  ',
    );
    assert.equal(
      (await settings('indent_style = tab\n[*.md]\nindent_style = tab\n'))?.indent,
      '  ',
    );
  });

  it('the nearest EditorConfig that says so is the last one', async () => {
    const settings = (root: string) =>
      formatterSettings(
        '/p/src/app.ts',
        files({
          '/p/package.json': '{}',
          '/p/.prettierrc': '{}',
          '/p/src/.editorconfig': `${root}\n[*]\nindent_style = tab\n`,
          '/p/.editorconfig': '[*]\nindent_style = space\nmax_line_length = 60\n',
        }),
      );
    assert.deepEqual(
      [(await settings('root = true'))?.width, (await settings(''))?.width],
      [80, 60],
    );
    assert.equal((await settings(''))?.indent, '\t');
  });

  it('settings in a script: computed values are skipped, and the rest is read', async () => {
    const found = await formatterSettings(
      '/p/src/app.ts',
      files({
        '/p/package.json': '{}',
        '/p/prettier.config.js':
          "const plugins = load();\nconst config = { semi: false, [name]: 'x', plugins, tabWidth: wide(), singleQuote: true };\nexport default config;\n",
      }),
    );
    assert.deepEqual([found?.semicolons, found?.quote, found?.tabWidth], [false, "'", 2]);
    const computed = await formatterSettings(
      '/p/src/app.ts',
      files({
        '/p/package.json': '{}',
        '/p/prettier.config.js': 'const config = load();\nexport default config;\n',
      }),
    );
    assert.notEqual(computed?.quote, "'");
  });

  it('the package manager that a manifest names, and its version', async () => {
    for (const [asked, agent] of [
      ['yarn@4.1.0', 'yarn@berry'],
      ['yarn@1.22.22', 'yarn'],
      ['yarn', 'yarn'],
      ['pnpm@9.0.0', 'pnpm'],
      ['npm@10.2.4', 'npm'],
      ['other@1', 'npm'],
    ] as const) {
      const tree = files({ '/p/package.json': JSON.stringify({ packageManager: asked }) });
      const { project } = await sourceInProject('/p/src/app.ts', '', tree);
      assert.equal(project?.agent, agent, asked);
    }
  });

  it('TypeScript settings that a package brings are read from each of the places it may be in', async () => {
    const at = (path: string) =>
      writingFacts(
        '/p/src/app.ts',
        undefined,
        files({
          '/p/tsconfig.json': '{ "extends": "@shop/config/base" }',
          [path]: '{ "compilerOptions": { "module": "esnext", "moduleResolution": "node" } }',
        }),
      );
    for (const path of [
      '/p/node_modules/@shop/config/base',
      '/p/node_modules/@shop/config/base.json',
      '/p/node_modules/@shop/config/base/tsconfig.json',
      '/node_modules/@shop/config/base.json',
    ]) {
      assert.equal((await at(path)).resolution?.now, 'node10', path);
    }
  });
});
