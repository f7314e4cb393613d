import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ts } from 'ts-morph';
import { Bindings } from '../source/bindings.ts';
import { parseSource } from '../source/sourceFile.ts';
import { callSites, methodCalls } from './callSites.ts';
import { handlerFunction } from './handlerCalls.ts';

/** The code of the function that an expression leads to. */
function leads(expression: string, head = ''): string | undefined {
  const file = parseSource('app.ts', `${head}\nconst it = ${expression};`);
  const last = file.statements.at(-1);
  assert.ok(last && ts.isVariableStatement(last));
  const value = last.declarationList.declarations[0]?.initializer;
  assert.ok(value);
  return handlerFunction(value, new Bindings())?.getText();
}

describe('a handler is found behind what wraps it', () => {
  const F = '() => 1';
  it('a function is itself', () => {
    assert.equal(leads(F), F);
    assert.equal(leads(`(${F}) as Handler`), F);
    assert.equal(leads('function () {}'), 'function () {}');
  });

  it('a wrapper returns the last function that it gets', () => {
    assert.equal(leads(`wrap(${F})`), F);
    assert.equal(leads(`wrap(() => 2, ${F})`), F);
    assert.equal(leads(`wrap(${F}, { a: 1 })`), F);
    assert.equal(leads(`wrap(inner(${F}))`), F);
    assert.equal(leads('wrap(a, b)'), undefined);
    assert.equal(leads('wrap()'), undefined);
  });

  it('a bound function is the function', () => {
    assert.equal(leads('h.bind(this)', `const h = ${F};`), F);
    assert.equal(leads('h.call(this)', `const h = ${F};`), undefined);
  });

  it('the last of a list answers', () => {
    assert.equal(leads(`[() => 2, ${F}]`), F);
    assert.equal(leads('[]'), undefined);
  });

  it('a name refers to its function', () => {
    assert.equal(leads('h', `const h = ${F};`), F);
    assert.equal(leads('h', `let h = wrap(${F});`), F);
    assert.equal(leads('h', 'function h() {}'), 'function h() {}');
    assert.equal(leads('h', "import { h } from './h.js';"), undefined);
    assert.equal(leads('h', 'let h;'), undefined);
    assert.equal(leads('h'), undefined);
    assert.equal(leads('h.list', `const h = ${F};`), undefined);
    assert.equal(leads("'text'"), undefined);
  });

  it('as deep as real wrappers nest, and no deeper', () => {
    assert.equal(leads(`a(b(c(d(e(${F})))))`), F);
    assert.equal(leads(`a(b(c(d(e(f(${F}))))))`), undefined);
    assert.equal(leads('it'), undefined);
  });
});

describe('a call has the form of a route', () => {
  const sites = (text: string) =>
    callSites(methodCalls(parseSource('app.ts', text)), new Bindings()).map(
      ({ receiver, method, pathExpression, call, rest }) =>
        [receiver, pathExpression, call].map((node) => node.getText()).join(' | ') +
        ` | ${method} ${rest.length}`,
    );

  it('receiver, method, path, and what follows', () => {
    assert.deepEqual(sites("app.get('/x', a, b);"), ["app | '/x' | app.get('/x', a, b) | get 2"]);
    assert.deepEqual(sites("this.app.post('/x', a);"), [
      "this.app | '/x' | this.app.post('/x', a) | post 1",
    ]);
  });

  it('not without anything after the path, nor with another method', () => {
    assert.deepEqual(sites("app.get('/x'); app.get(); app.use('/x', a); get('/x', a);"), []);
  });

  it('a chain belongs to what it begins with', () => {
    assert.deepEqual(sites("app.use(x).get('/a', h).put('/b', h);"), [
      "app | '/a' | app.use(x).get('/a', h) | get 1",
      "app | '/b' | app.use(x).get('/a', h).put('/b', h) | put 1",
    ]);
    assert.deepEqual(
      sites("make().get('/a', h).put('/b', h);").map((at) => at.slice(0, 6)),
      ['make()', 'make()'],
    );
    assert.deepEqual(sites("lib.make().get('/a', h);"), [
      "lib.make() | '/a' | lib.make().get('/a', h) | get 1",
    ]);
  });

  it('behind route, the path is the one of the route', () => {
    assert.deepEqual(sites("app.route('/x').all(a).get(b, c);"), [
      "app | '/x' | app.route('/x') | all 1",
      "app | '/x' | app.route('/x') | get 2",
    ]);
    assert.deepEqual(sites("const x = (app.route('/x')); x.get(a);"), [
      "app | '/x' | app.route('/x') | get 1",
    ]);
    assert.deepEqual(sites("app.get('/w', h).route('/x').get(a);"), [
      "app | '/w' | app.get('/w', h) | get 1",
      "app | '/x' | app.get('/w', h).route('/x') | get 1",
    ]);
  });

  it('options of a full route are not a path', () => {
    assert.deepEqual(sites("app.route({ url: '/x' }).get(a);"), []);
    assert.deepEqual(sites("app.route('/x', 2).get(a);"), []);
    assert.deepEqual(sites('const x = 3; x.get(a);'), []);
  });
});
