import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ts } from 'ts-morph';
import { Bindings } from '../source/bindings.ts';
import { parseSource } from '../source/sourceFile.ts';
import { fromTypeBox } from './fromTypeBox.ts';
import type { JsonSchema } from './json.ts';
import { schemaOf } from './schemaOf.ts';

function read(
  code: string,
  head = "import { Type } from '@sinclair/typebox';",
  reader = fromTypeBox,
): JsonSchema | undefined {
  const file = parseSource('app.ts', `${head}\nimport { other } from './other.js';\n${code}`);
  const last = file.statements.at(-1);
  assert.ok(last && ts.isVariableStatement(last));
  const value = last.declarationList.declarations[0]?.initializer;
  assert.ok(value);
  return reader(value, new Bindings());
}

function says(cases: Readonly<Record<string, JsonSchema | undefined>>): void {
  for (const [code, schema] of Object.entries(cases)) {
    it(code, () => assert.deepEqual(read(`const schema = ${code};`), schema));
  }
}

describe('a TypeBox schema says its type and its options', () => {
  says({
    'Type.String()': { type: 'string' },
    'Type.String({ minLength: 2 })': { type: 'string', minLength: 2 },
    'Type.Number({ minimum: 0 })': { type: 'number', minimum: 0 },
    'Type.Integer({ default: 3 })': { type: 'integer', default: 3 },
    "Type.Boolean({ description: 'Whether' })": { type: 'boolean', description: 'Whether' },
    'Type.Null()': { type: 'null' },
    "Type.Any({ title: 'x' })": { title: 'x' },
    'Type.Unknown()': {},
    "Type.Literal('c', { title: 'Celsius' })": { const: 'c', title: 'Celsius' },
    'Type.Literal(other)': undefined,
    'Type.Literal()': undefined,
    'Type.Record(Type.String(), Type.Number())': { type: 'object' },
    'Type.Array(Type.String(), { minItems: 1 })': {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
    },
    'Type.Array(other)': { type: 'array' },
    'Type.Array()': { type: 'array' },
    'Type.String(other)': { type: 'string' },
    "Type.String({ $id: 'Name', maxLength: 4 })": { type: 'string', maxLength: 4 },
    'Type.Unheard()': undefined,
  });
});

describe('a TypeBox object requires its non-optional properties', () => {
  says({
    'Type.Object({ a: Type.String(), b: Type.Optional(Type.Number({ default: 1 })) })': {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number', default: 1 } },
      required: ['a'],
    },
    'Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: false })': {
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: false,
    },
    'Type.Object({ a: Type.Optional(other) })': { type: 'object', properties: { a: {} } },
    'Type.Object(other)': undefined,
    'Type.Object()': undefined,
    'Type.Union([Type.String(), Type.Null()])': { anyOf: [{ type: 'string' }, { type: 'null' }] },
    'Type.Union()': undefined,
    'Type.Object({ a: Type.Union([Type.Optional(Type.String()), Type.Null()]) })': {
      type: 'object',
      properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    },
  });
});

describe('a schema is TypeBox’s where its name comes from TypeBox', () => {
  for (const module of ['@sinclair/typebox', 'typebox', '@fastify/type-provider-typebox']) {
    it(module, () => {
      const head = `import { Type } from '${module}';`;
      assert.deepEqual(read('const schema = Type.String();', head), { type: 'string' });
    });
  }

  it('and nothing else is', () => {
    assert.equal(read('const schema = Type.String();', "import { Type } from 'x';"), undefined);
    assert.equal(read('const schema = Type.String();', ''), undefined);
    assert.equal(read('const schema = other();'), undefined);
    assert.equal(read('const schema = 3;'), undefined);
  });

  it('through constants of the file, however many follow each other', () => {
    assert.deepEqual(read('const a = Type.String();\nconst schema = a;'), { type: 'string' });
    assert.equal(read('const schema = schema;'), undefined);
  });
});

describe('a literal schema is read unchanged', () => {
  const written = (code: string) => read(`const schema = ${code};`, undefined, schemaOf);

  it('with a type or properties, without what names it', () => {
    assert.deepEqual(written("{ type: 'string', $id: 'a', $schema: 'b' }"), { type: 'string' });
    assert.deepEqual(written('{ properties: {} }'), { properties: {} });
  });

  it('not where it leads to a schema that is registered elsewhere', () => {
    assert.equal(written("{ $ref: 'Query#' }"), undefined);
    assert.equal(written("{ type: 'array', items: { $ref: 'Query#' } }"), undefined);
  });

  it('not where it is not a schema, or only known at run time', () => {
    assert.equal(written("{ kind: 'string' }"), undefined);
    assert.equal(written('{ type: other }'), undefined);
    assert.equal(written("['type']"), undefined);
    assert.equal(written('other'), undefined);
  });

  it('zod and TypeBox are read by the same function', () => {
    const zod = "import { z } from 'zod';";
    assert.deepEqual(read('const schema = z.string();', zod, schemaOf), { type: 'string' });
    assert.deepEqual(written('Type.Integer()'), { type: 'integer' });
  });
});
