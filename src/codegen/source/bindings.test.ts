import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ts } from 'ts-morph';
import { Bindings } from './bindings.ts';
import { parseSource } from './sourceFile.ts';
import { findIn } from './syntax.ts';
import { constantObject, importedFrom, requiredModule, staticText } from './values.ts';

/** The argument of `at(…)`. */
function marked(text: string): ts.Expression {
  const found = findIn(parseSource('a.ts', text), (node) =>
    ts.isCallExpression(node) && node.expression.getText() === 'at' ? node.arguments[0] : undefined,
  );
  assert.ok(found, text);
  return found;
}

const kind = (text: string) => {
  const at = marked(text);
  assert.ok(ts.isIdentifier(at));
  return new Bindings().of(at)?.kind;
};

describe('a name refers to the declaration in the nearest scope', () => {
  for (const [text, expected] of [
    ["import a from 'x'; at(a);", 'import'],
    ["import { a } from 'x'; at(a);", 'import'],
    ["import * as a from 'x'; at(a);", 'import'],
    ["import a = require('x'); at(a);", 'import'],
    ["const a = require('x'); at(a);", 'import'],
    ["const { a } = require('x'); at(a);", 'import'],
    ['const a = 1; at(a);', 'variable'],
    ['const { a } = b; at(a);', 'destructured'],
    ['const [, a] = b; at(a);', 'destructured'],
    ['const { x: { a } } = b; at(a);', 'destructured'],
    ["const { x: { a } } = require('x'); at(a);", undefined],
    ['function a() {} at(a);', 'function'],
    ['class a {} at(a);', 'other'],
    ['enum a { x } at(a);', 'other'],
    ['interface a {} at(a);', 'type'],
    ['type a = 1; at(a);', 'type'],
    ['interface a {} const b = 1, a = 2; at(a);', 'variable'],
    ['const a = 2; interface a {} at(a);', 'variable'],
    ['function f(a) { at(a); }', 'parameter'],
    ['const f = ({ a }) => at(a);', 'destructured'],
    ['const a = 1; function f(a) { at(a); }', 'parameter'],
    ['function f(a) { const a = 1; at(a); }', 'variable'],
    ['function f(a) {} at(a);', undefined],
    ['{ const a = 1; } at(a);', undefined],
    ['for (const a of b) at(a);', 'variable'],
    ['for (const a in b) at(a);', 'variable'],
    ['for (let a = 1;;) at(a);', 'variable'],
    ['for (a of b) at(a);', undefined],
    ['for (;;) at(a);', undefined],
    ['namespace n { const a = 1; at(a); }', 'variable'],
    ['import a = b.c; at(a);', undefined],
    ["import 'x'; at(a);", undefined],
    ['at(console);', undefined],
  ] as const) {
    it(text, () => assert.equal(kind(text), expected));
  }
});

describe('an import is known by its module and its name there', () => {
  const from = (text: string) => {
    const found = importedFrom(marked(text), new Bindings());
    return found && `${found.module} ${found.name}`;
  };
  for (const [text, expected] of [
    ["import a from 'x'; at(a);", 'x default'],
    ["import { a } from 'x'; at(a);", 'x a'],
    ["import { b as a } from 'x'; at(a);", 'x b'],
    ["import * as a from 'x'; at(a);", 'x *'],
    ["import a, { b } from 'x'; at(b);", 'x b'],
    ["import * as a from 'x'; at(a.b);", 'x b'],
    ["import a from 'x'; at(a.b);", 'x b'],
    ["import { a } from 'x'; at(a.b);", undefined],
    ["import a = require('x'); at(a.b);", 'x b'],
    ["const a = require('x'); at(a.b);", 'x b'],
    ["const { a } = require('x'); at(a);", 'x a'],
    ["const { b: a } = require('x'); at(a);", 'x b'],
    ["const a = require('x').b; at(a);", 'x b'],
    ["const { a } = require('x').b; at(a);", undefined],
    ["at(require('x'));", 'x *'],
    ["at(require('x').a);", 'x a'],
    ["at(require('x').a.b);", undefined],
    ["import x from 'x'; const { a } = x; at(a);", 'x a'],
    ["import x from 'x'; const { b: a } = x; at(a);", 'x b'],
    ["import x from 'x'; const { 'b': a } = x; at(a);", undefined],
    ["import x from 'x'; function f({ a } = x) { at(a); }", undefined],
    ['const { a } = x; at(a);', undefined],
    ['let a; at(a);', undefined],
    ['const a = 1; at(a.b);', undefined],
    ['at(1);', undefined],
  ] as const) {
    it(text, () => assert.equal(from(text), expected));
  }
});

describe('a module is required by a text alone', () => {
  for (const [code, name] of [
    ["require('x')", '*'],
    ['require(`x`)', '*'],
    ["(require('x'))", '*'],
    ["require('x').default", 'default'],
    ['require(x)', undefined],
    ["require('x', y)", undefined],
    ['require()', undefined],
    ["load('x')", undefined],
    ["a.require('x')", undefined],
  ] as const) {
    it(code, () => assert.equal(requiredModule(marked(`at(${code});`))?.name, name));
  }
});

describe('a text is known if the code always has the same value', () => {
  const head = `const A = '/a';
let L = '/l';
const P = { x: '/x', inner: { y: '/y' }, 'z': A };
const F = Object.freeze({ x: '/f' });
enum E { x = '/e', 'q' = '/q', n }
class C {}
`;
  const substitution = (inner: string) => `\`\${${inner}}/b\``;
  for (const [code, text] of [
    ["'/x'", '/x'],
    ['`/x`', '/x'],
    ['3', '3'],
    ['(A)', '/a'],
    [substitution('A'), '/a/b'],
    [substitution('L'), undefined],
    ["A + '/b'", '/a/b'],
    ["'/b' + A", '/b/a'],
    ["L + '/b'", undefined],
    ["'/b' + L", undefined],
    ["A - '/b'", undefined],
    ['L', undefined],
    ['P.x', '/x'],
    ['P.inner.y', '/y'],
    ['P.z', '/a'],
    ['P.none', undefined],
    ['P.inner', undefined],
    ['F.x', '/f'],
    ['E.x', '/e'],
    ['E.n', undefined],
    ['E.none', undefined],
    ['C.x', undefined],
    ['Q.x', undefined],
    ['f().x', undefined],
    ['f()', undefined],
  ] as const) {
    it(code, () => assert.equal(staticText(marked(`${head} at(${code});`), new Bindings()), text));
  }
});

describe('an object is known where it is written in the code', () => {
  const object = (code: string) =>
    constantObject(
      marked(`const O = { a: { b: 1 } }; let L = {}; at(${code});`),
      new Bindings(),
    )?.getText();
  for (const [code, text] of [
    ['{ x: 1 }', '{ x: 1 }'],
    ['({ x: 1 }) as X', '{ x: 1 }'],
    ['Object.freeze({ x: 1 })', '{ x: 1 }'],
    ['Object.freeze()', undefined],
    ['Object.assign({ x: 1 })', undefined],
    ['O', '{ a: { b: 1 } }'],
    ['O.a', '{ b: 1 }'],
    ['O.b', undefined],
    ['O.a.b', undefined],
    ['L', undefined],
    ['Q', undefined],
    ['3', undefined],
  ] as const) {
    it(code, () => assert.equal(object(code), text));
  }
});
