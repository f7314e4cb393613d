import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Bindings } from '../source/bindings.ts';
import { parseSource } from '../source/sourceFile.ts';
import { type FunctionNode, findIn, isFunctionNode } from '../source/syntax.ts';
import { isJsonObject, type JsonValue } from './json.ts';
import { shownResponse } from './response.ts';

/** The answer that the first function of a file shows. */
function answer(text: string, known: Readonly<Record<string, JsonValue>> = {}) {
  const handler = findIn(parseSource('a.ts', text), (node): FunctionNode | undefined =>
    isFunctionNode(node) ? node : undefined,
  );
  assert.ok(handler, text);
  return shownResponse(handler, new Map(Object.entries(known)), new Bindings());
}

const body = (code: string, known?: Readonly<Record<string, JsonValue>>) =>
  answer(`(req, res) => { ${code} };`, known);

const whole = (value: JsonValue, json = true) => ({ value, complete: true, json });
const part = (value: JsonValue, json = true) => ({ value, complete: false, json });

describe('an answer is the value that the handler’s response gets', () => {
  for (const code of [
    'res.json({ a: 1 });',
    'res.send({ a: 1 });',
    'return res.status(200).json({ a: 1 });',
    'res.code(201).send({ a: 1 });',
    'res.set(x).status(200).type(y).json({ a: 1 });',
    'return Response.json({ a: 1 });',
    'return NextResponse.json({ a: 1 }, { status: 201 });',
    'if (x) { res.json({ a: 1 }); }',
    'return { a: 1 };',
    'const answer = { a: 1 }; res.json(answer);',
  ]) {
    it(code, () => assert.deepEqual(body(code), whole({ a: 1 })));
  }

  it('an arrow function that returns it without a block', () => {
    assert.deepEqual(answer('() => ({ a: 1 });'), whole({ a: 1 }));
    assert.deepEqual(answer("() => 'ok';"), whole('ok', false));
    assert.deepEqual(answer('(req, res) => res.json({ a: 1 });'), whole({ a: 1 }));
    assert.equal(answer('(req, res) => res.end({ a: 1 });'), undefined);
  });

  it('a text is no JSON, unless it is sent as that', () => {
    assert.deepEqual(body("res.send('ok');"), whole('ok', false));
    assert.deepEqual(body("res.json('ok');"), whole('ok', true));
    assert.deepEqual(body("return 'ok';"), whole('ok', false));
    assert.deepEqual(body('return [1];'), whole([1]));
  });

  for (const code of [
    'other.json({ a: 1 });',
    'req.json({ a: 1 });',
    'res.write({ a: 1 });',
    'this.json({ a: 1 });',
    'json({ a: 1 });',
    'res.json();',
    'return;',
    'return 1;',
    'return load();',
    'const f = () => { return { a: 1 }; };',
    'try { x(); } catch { res.json({ a: 1 }); }',
  ]) {
    it(`none of ${code}`, () => assert.equal(body(code), undefined));
  }

  it('the last one counts', () => {
    assert.deepEqual(body('if (x) return { a: 1 }; return { b: 2 };'), whole({ b: 2 }));
  });

  it('no second parameter, no answer by it', () => {
    assert.equal(answer('(req) => { res.json({ a: 1 }); };'), undefined);
    assert.equal(answer('() => { Response.json(); };'), undefined);
  });
});

describe('error answers are not shown', () => {
  for (const code of [
    'res.status(400).json({ a: 1 });',
    'res.code(500).send({ a: 1 });',
    'res.status(status).json({ a: 1 });',
    'res.status(404).set(x).json({ a: 1 });',
    'return NextResponse.json({ a: 1 }, { status: 400 });',
    "res.json({ error: 'x' });",
    "res.json({ error: 'x', code: 3 });",
    "return { error: 'x' };",
  ]) {
    it(code, () => assert.equal(body(code), undefined));
  }

  it('an answer that happens to have such a name is', () => {
    assert.deepEqual(body('res.json({ error: 0, a: 1, b: 2 });'), whole({ error: 0, a: 1, b: 2 }));
    assert.deepEqual(body('res.status(399).json({ a: 1 });'), whole({ a: 1 }));
    assert.deepEqual(body('return Response.json({ a: 1 }, { status: 399 });'), whole({ a: 1 }));
    assert.deepEqual(body('res.json({ a: 1 }, { statusCode: 400 });'), whole({ a: 1 }));
  });
});

describe('values known only at run time are left open', () => {
  const inside = (value: string, known?: Readonly<Record<string, JsonValue>>) => {
    const shown = body(`res.json({ a: ${value} });`, known);
    assert.equal(shown?.complete, false, value);
    assert.ok(shown && isJsonObject(shown.value));
    return shown.value['a'];
  };

  it('a call gives only a placeholder', () => assert.equal(inside('load()'), null));

  it('the type of a value is given if the code shows it', () => {
    assert.equal(inside('new Date().toISOString()'), '2026-01-31T12:00:00.000Z');
    assert.equal(inside('new Date(x)'), '2026-01-31T12:00:00.000Z');
    assert.equal(inside('Date.now()'), 1_769_860_800_000);
    for (const number of [
      'Math.random()',
      'Number(x)',
      'parseInt(x, 10)',
      'parseFloat(x)',
      'list.length',
      'a * b',
      'a - b',
      'a / b',
    ]) {
      assert.equal(inside(number), 1, number);
    }
    for (const unknown of ['a + b', 'MathX.random()', 'myNumber(x)', 'list.lengths', 'now()']) {
      assert.equal(inside(unknown), null, unknown);
    }
    for (const id of ['randomUUID()', 'crypto.randomUUID()']) {
      assert.match(String(inside(id)), /^[0-9a-f-]{36}$/, id);
    }
    assert.equal(inside('myrandomUUID()'), null);
  });

  it('values read from the request are shown in the answer', () => {
    const known = { city: 'Lima' };
    for (const code of [
      'city',
      'req.params.city',
      "req.query.city ?? 'x'",
      'String(city)',
      'Number(city)',
      "params.get('city')",
      '(city as string)',
    ]) {
      assert.equal(inside(code, known), 'Lima', code);
    }
    for (const code of [
      'town',
      'load(city)',
      'Number(city, 10)',
      "params.has('city')",
      'get(city)',
    ]) {
      assert.notEqual(inside(code, known), 'Lima', code);
    }
  });

  it('alone it shows nothing', () => {
    assert.equal(body('res.json(load());'), undefined);
    assert.equal(body('res.json(city);', { city: 'Lima' }), undefined);
  });

  it('a template shows its text, and the names of its parts', () => {
    const template = (inner: string) => `return \`Hi \${${inner}}!\`;`;
    assert.deepEqual(body(template('name')), part('Hi name!', false));
    assert.deepEqual(body(template('user.name')), part('Hi name!', false));
    assert.deepEqual(body(template('load()')), part('Hi value!', false));
    assert.deepEqual(body(template('name'), { name: 'Ada' }), part('Hi Ada!', false));
    assert.deepEqual(body(template('n'), { n: 3 }), part('Hi 3!', false));
    assert.deepEqual(body(template('n'), { n: ['x'] }), part('Hi n!', false));
  });

  it('a list of partly known values', () => {
    assert.deepEqual(body('return [1, load()];'), part([1, null]));
    assert.deepEqual(body('return [];'), whole([]));
  });
});

describe('an object is shown with the members that have names', () => {
  it('and is not all of it with others', () => {
    assert.deepEqual(body('return { a: 1, ...rest };'), part({ a: 1 }));
    assert.deepEqual(body('return { a: 1, [key]: 2 };'), part({ a: 1 }));
    assert.deepEqual(body('return { a: 1, run() {} };'), part({ a: 1, run: null }));
    assert.deepEqual(body('return { ...rest };'), undefined);
    assert.deepEqual(body('return {};'), whole({}));
    assert.deepEqual(body("return { 'a-b': { c: [true] } };"), whole({ 'a-b': { c: [true] } }));
  });

  it('a shorthand member has its name’s value', () => {
    assert.deepEqual(body('const a = 1; return { a };'), whole({ a: 1 }));
    assert.deepEqual(body('return { a };', { a: 'x' }), part({ a: 'x' }));
    assert.deepEqual(body('const a = { b: load() }; return { a };'), part({ a: { b: null } }));
    assert.deepEqual(body('const a = [load()]; return { a };'), part({ a: [null] }));
  });

  it('as deep as answers nest', () => {
    assert.deepEqual(
      body('return { a: { b: { c: { d: { e: { f: load() } } } } } };'),
      part({ a: { b: { c: { d: { e: { f: null } } } } } }),
    );
    assert.deepEqual(
      body('return { a: { b: { c: { d: { e: { f: { g: { h: load() } } } } } } } };'),
      part({ a: { b: { c: { d: { e: { f: { g: null } } } } } } }),
    );
  });
});
