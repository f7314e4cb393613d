import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatterSettings } from './formatter.ts';

function settings(files: Readonly<Record<string, string>>, file = '/p/src/app.ts') {
  return formatterSettings(file, {
    exists: async (path) => path in files,
    read: async (path) => files[path],
  });
}

const prettier = (options: object) => settings({ '/p/.prettierrc': JSON.stringify(options) });

describe('a formatter’s settings are read as the formatter reads them', () => {
  it('Prettier: overrides apply to the files that they name, from the folder of the settings', async () => {
    const { semicolons, width } = await prettier({
      semi: true,
      overrides: [
        { files: 'src/*.ts', options: { semi: false } },
        { files: '/src/*.ts', options: { printWidth: 100 } },
        { files: `${'s'.repeat(200)}*`, options: { printWidth: 40 } },
        { files: ['*.js', 'lib/*.ts'], options: { semi: true } },
      ],
    });
    assert.deepEqual([semicolons, width], [false, 100]);
  });

  it('Prettier: names in quotes are all quoted only where it says so', async () => {
    assert.equal((await prettier({ quoteProps: 'consistent' })).sameQuotedNames, true);
    assert.equal((await prettier({ quoteProps: 'as-needed' })).sameQuotedNames, false);
  });

  it('an implausible width is ignored', async () => {
    assert.equal((await prettier({ printWidth: 401 })).width, 80);
    assert.equal((await prettier({ printWidth: 400 })).width, 400);
    assert.equal((await prettier({ printWidth: 0 })).width, 80);
  });

  it('a shared package is read at its main file, or where Node looks without one', async () => {
    const shared = (manifest: object, name: string, text: string) =>
      settings({
        '/p/package.json': '{ "prettier": "@acme/style" }',
        '/p/node_modules/@acme/style/package.json': JSON.stringify(manifest),
        [`/p/node_modules/@acme/style/${name}`]: text,
      });
    const script = 'module.exports = { semi: false };';
    assert.equal((await shared({}, 'index.js', script)).semicolons, false);
    assert.equal((await shared({}, 'index.json', '{ "semi": false }')).semicolons, false);
    assert.equal(
      (await shared({}, 'index.mjs', 'export default { semi: false };')).semicolons,
      false,
    );
    assert.equal((await shared({ main: './own.js' }, 'own.js', script)).semicolons, false);
    assert.equal((await shared({ main: 'own' }, 'own.js', script)).semicolons, false);
  });

  it('a script adopts the settings of another file, and says what differs', async () => {
    const scripts = {
      '/p/prettier.config.js':
        "const base = require('./style');\nmodule.exports = { ...base, semi: true, plugins: [] };",
      '/p/style/index.js':
        "module.exports = { ...require('./wide.cjs'), semi: false, tabWidth: 4 };",
      '/p/style/wide.cjs': 'module.exports = { printWidth: 110, tabWidth: 8 };',
    };
    const { semicolons, width, indent } = await settings(scripts);
    assert.deepEqual([semicolons, width, indent], [true, 110, '    ']);
    const modules = {
      '/p/.prettierrc.mjs': "import base from '../base.mjs';\nexport default { ...base };",
      '/base.mjs': "import style from '@acme/style';\nexport default style;",
      '/node_modules/@acme/style/package.json': '{ "main": "style.js" }',
      '/node_modules/@acme/style/style.js': 'module.exports = { singleQuote: true };',
    };
    assert.equal((await settings(modules)).quote, "'");
  });

  it('settings that adopt each other do not loop', async () => {
    const circle = {
      '/p/.prettierrc.js': "module.exports = { ...require('./a'), semi: false };",
      '/p/a.js':
        "module.exports = { ...require('./.prettierrc.js'), ...require('./a'), tabWidth: 3 };",
    };
    assert.equal((await settings(circle)).indent, '   ');
  });

  it('Biome: commas everywhere unless it says otherwise', async () => {
    const biome = (script: object) =>
      settings({ '/p/biome.json': JSON.stringify({ javascript: { formatter: script } }) });
    const commas = async (script: object) => {
      const { trailingCommas, trailingArguments } = await biome(script);
      return [trailingCommas, trailingArguments];
    };
    assert.deepEqual(await commas({}), [true, true]);
    assert.deepEqual(await commas({ trailingCommas: 'es5' }), [true, false]);
    assert.deepEqual(await commas({ trailingComma: 'none' }), [false, false]);
  });

  it('Biome: what settings extend applies below them: files, packages, and the root of a monorepo', async () => {
    const format = (formatter: object, more: object = {}) => JSON.stringify({ formatter, ...more });
    const shared = await settings({
      '/p/biome.json': format({ lineWidth: 110 }, { extends: ['./base.json', '@org/style/biome'] }),
      '/p/base.json': format(
        { indentStyle: 'space', indentWidth: 3, lineWidth: 60 },
        { javascript: { formatter: { semicolons: 'asNeeded', quoteStyle: 'single' } } },
      ),
      '/p/node_modules/@org/style/package.json':
        '{ "exports": { "./biome": "./lint/style.json" } }',
      '/p/node_modules/@org/style/lint/style.json': JSON.stringify({
        javascript: { formatter: { quoteStyle: 'double' } },
      }),
    });
    assert.deepEqual(
      [shared.width, shared.indent, shared.semicolons, shared.quote],
      [110, '   ', false, '"'],
    );
    const nested = await settings(
      {
        '/p/biome.jsonc': format({ indentStyle: 'space', indentWidth: 4, lineWidth: 120 }),
        '/p/apps/biome.json': format({ lineWidth: 30 }, { root: false }),
        '/p/apps/api/biome.json': format({ lineWidth: 90 }, { root: false, extends: '//' }),
      },
      '/p/apps/api/src/app.ts',
    );
    assert.deepEqual([nested.indent, nested.width], ['    ', 90]);
  });

  it('Biome: a package that exports its settings by a pattern is read, the longest pattern first', async () => {
    const of = (width: number) => `{ "formatter": { "lineWidth": ${width} } }`;
    const found = await settings({
      '/p/biome.json': '{ "extends": ["style/biome/core"] }',
      '/p/node_modules/style/package.json': JSON.stringify({
        exports: {
          './*': './other/*.json',
          './biome/*': { default: './config/*/biome.jsonc' },
          './biome/none/*': './config/*/biome.jsonc',
        },
      }),
      '/p/node_modules/style/config/core/biome.jsonc': of(97),
      '/p/node_modules/style/other/biome/core.json': of(40),
    });
    assert.equal(found.width, 97);
  });

  it('Biome: settings that extend each other come to an end, and names outside a package are not read', async () => {
    const circle = await settings({
      '/p/biome.json': '{ "extends": ["./a.json"], "formatter": { "lineWidth": 70 } }',
      '/p/a.json':
        '{ "extends": ["./biome.json", "./a.json"], "formatter": { "indentStyle": "space" } }',
    });
    assert.deepEqual([circle.width, circle.indent], [70, '  ']);
    const outside = await settings({
      '/p/biome.json': '{ "extends": ["style/../../secret.json", "none", 5] }',
      '/p/node_modules/style/package.json': '{ "main": "../../../secret.json" }',
      '/secret.json': '{ "formatter": { "lineWidth": 40 } }',
    });
    assert.equal(outside.width, 80);
  });

  it('EditorConfig: an indent of no columns is none', async () => {
    const editor = (lines: string) => settings({ '/p/.editorconfig': `[*]\n${lines}\n` });
    assert.deepEqual(await editor('indent_style = space\nindent_size = 3'), {
      indent: '   ',
      tabWidth: 3,
    });
    assert.deepEqual(await editor('indent_style = space\nindent_size = 0'), {});
    assert.deepEqual(await editor('indent_style = space'), {});
    assert.deepEqual(await editor('indent_style = tab\nindent_size = tab\ntab_width = 8'), {
      indent: '\t',
      tabWidth: 8,
    });
  });
});
