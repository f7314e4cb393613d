import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSource } from './sourceFile.ts';
import { readStyle, type Style } from './style.ts';

const style = (text: string, path = 'a.ts', modules?: Style['modules']): Style =>
  readStyle(parseSource(path, text), modules);

/** Each text and the value of one member of its style. */
function has<K extends keyof Style>(name: K, cases: Readonly<Record<string, Style[K]>>): void {
  for (const [text, value] of Object.entries(cases)) {
    it(`${JSON.stringify(text)} has ${JSON.stringify(value)}`, () =>
      assert.equal(style(text)[name], value));
  }
}

describe('a file without a habit gets Prettier’s style', () => {
  it('with single quotes', () => {
    assert.deepEqual(style(''), {
      quote: "'",
      semicolons: true,
      indent: '  ',
      eol: '\n',
      trailingCommas: true,
      trailingArguments: true,
      spacedBraces: true,
      modules: 'commonjs',
      declare: 'const',
      width: 80,
      tabWidth: 2,
      arrowParens: true,
      sameQuotedNames: false,
      bracketEnv: false,
    });
  });
});

describe('quotes are those of most texts', () => {
  has('quote', {
    'a("x", "y", \'z\');': '"',
    'a("x", \'z\');': "'",
    "a('x');": "'",
    "a(\"it's\", 'x');": "'",
    'a("it\'s");': "'",
    'a("x"); b("y"); c(\'"\'); d(\'"\'); e(\'"\');': '"',
  });

  it('those of JSX say nothing', () => {
    assert.equal(style('const a = <b c="d" e="f" />;', 'a.tsx').quote, "'");
  });
});

describe('semicolons are those of most statements', () => {
  has('semicolons', {
    'a()\nb()': false,
    'a();\nb()': true,
    'a();\nb()\nc()': false,
    'const a = 1\n': false,
    "import 'x'\n": false,
    'function f() { return 1 }': false,
    'if (a) {}\nclass A {}\nb();': true,
  });
});

describe('indentation is the commonest step', () => {
  has('indent', {
    'a {\n    b\n}\nc {\n    d\n}\n': '    ',
    'a {\n\tb\n}\n': '\t',
    'a {\n\t\tb\n}\n': '\t',
    'a {\n  b\n}\nc {\n    d {\n      e\n    }\n}\n': '  ',
    'a {\n   b\n\n   c\n}\n': '   ',
    '/**\n * a\n * b\n */\na {\n    b\n}\n': '    ',
    'a\nb\n': '  ',
  });
});

describe('line ends are those of most lines', () => {
  has('eol', { 'a\r\nb\r\nc\n': '\r\n', 'a\r\nb\n': '\n', 'a\r\nb\nc\n': '\n', 'a\r\n': '\r\n' });
});

describe('a comma follows the last element where the file puts one', () => {
  has('trailingCommas', {
    'a = {\n b: 1\n};': false,
    'a = {\n b: 1,\n};': true,
    'a = [\n 1\n];': false,
    'a = [\n 1,\n];': true,
    'a = { b: 1 };': true,
    'a = [1]; b = [\n];': true,
    'a = {\n b: 1\n}; c = {\n d: 1,\n};': true,
    'f(\n 1\n);': true,
  });
  has('trailingArguments', {
    'f(\n 1\n);': false,
    'f(\n 1,\n);': true,
    'f(1); a = {\n b: 1\n};': false,
    'f(\n 1\n); a = {\n b: 1,\n};': false,
    'f(\n 1,\n); a = {\n b: 1\n};': true,
    'f(\n 1,\n); f(\n 1\n);': true,
    'f(1);': true,
  });
});

describe('braces have spaces where the file’s have', () => {
  has('spacedBraces', {
    'a = {b: 1};': false,
    'a = { b: 1 };': true,
    'a = {b: 1}; c = { d: 1 };': true,
    "import {a} from 'a';": false,
    'const {a} = b;': false,
    'const { a } = b;': true,
    'a = {};': true,
    'a = {\nb: 1};': true,
  });
});

describe('modules are what the file shows, else what its package says', () => {
  for (const [text, modules] of [
    ["import a from 'a';", 'esm'],
    ["import a = require('a');", 'esm'],
    ["export * from 'a';", 'esm'],
    ['export default a;', 'esm'],
    ['export const a = 1;', 'esm'],
    ["const a = require('a');", 'commonjs'],
    ['module.exports = a;', 'commonjs'],
    ['exports.a = a;', 'commonjs'],
  ] as const) {
    it(text, () => {
      assert.equal(style(text, 'a.ts', 'esm').modules, modules);
      assert.equal(style(text, 'a.ts', 'commonjs').modules, modules);
    });
  }

  it('nothing shown', () => {
    for (const text of ['a();', 'const a = 1;', 'required(1); myexports.a;']) {
      assert.equal(style(text, 'a.ts', 'esm').modules, 'esm', text);
      assert.equal(style(text, 'a.ts', 'commonjs').modules, 'commonjs', text);
    }
  });

  it('an extension may decide', () => {
    const required = "require('a');";
    const imported = "import 'a';";
    assert.equal(style(required, 'a.mjs').modules, 'esm');
    assert.equal(style(required, 'a.mts').modules, 'esm');
    assert.equal(style(imported, 'a.cjs').modules, 'commonjs');
    assert.equal(style(imported, 'a.cts').modules, 'esm');
    assert.equal(style(required, 'a.cts', 'esm').modules, 'commonjs');
    assert.equal(style('a();', 'a.cts', 'esm').modules, 'commonjs');
  });
});

describe('declarations are those of the file', () => {
  has('declare', {
    'var a = 1;': 'var',
    'var a = 1; const b = 2;': 'const',
    'let a = 1;': 'const',
    'a();': 'const',
  });
});

describe('lines are as wide as the file’s', () => {
  has('width', {
    [`// ${'x'.repeat(80)}`]: 100,
    [`// ${'x'.repeat(79)}`]: 80,
    [`// ${'x'.repeat(98)}`]: 100,
    [`// ${'x'.repeat(99)}`]: 80,
  });
});

describe('the environment is read as the file reads it', () => {
  has('bracketEnv', {
    "process.env['A'];": true,
    "process.env['A']; process.env.B;": false,
    'process.env.A;': false,
    "other.env['A'];": false,
    "process.env['A']; other.B; other.C;": true,
  });
});
