import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ts } from 'ts-morph';
import { Bindings } from '../source/bindings.ts';
import { parseSource } from '../source/sourceFile.ts';
import { fromZod } from './fromZod.ts';
import type { JsonSchema } from './json.ts';

/** The schema of the last constant of a file in which `z` is zod. */
function read(code: string, head = "import { z } from 'zod';"): JsonSchema | undefined {
  const file = parseSource('app.ts', `${head}\nimport { other } from './other.js';\n${code}`);
  const last = file.statements.at(-1);
  assert.ok(last && ts.isVariableStatement(last));
  const value = last.declarationList.declarations[0]?.initializer;
  assert.ok(value);
  return fromZod(value, new Bindings());
}

function says(cases: Readonly<Record<string, JsonSchema | undefined>>): void {
  for (const [code, schema] of Object.entries(cases)) {
    it(code, () => assert.deepEqual(read(`const schema = ${code};`), schema));
  }
}

describe('a zod schema of one value says its type', () => {
  says({
    'z.string()': { type: 'string' },
    'z.number()': { type: 'number' },
    'z.int()': { type: 'integer' },
    'z.number().int()': { type: 'integer' },
    'z.boolean()': { type: 'boolean' },
    'z.stringbool()': { type: 'boolean' },
    'z.null()': { type: 'null' },
    'z.any()': {},
    'z.unknown()': {},
    'z.record(z.string(), z.number())': { type: 'object' },
    'z.date()': { type: 'string', format: 'date-time' },
    'z.coerce.number()': { type: 'number' },
    '(z.string())': { type: 'string' },
  });
});

describe('a format of zod is the format of the same meaning', () => {
  says({
    'z.string().email()': { type: 'string', format: 'email' },
    'z.email()': { type: 'string', format: 'email' },
    'z.url()': { type: 'string', format: 'uri' },
    'z.uuid()': { type: 'string', format: 'uuid' },
    'z.string().datetime()': { type: 'string', format: 'date-time' },
    'z.string().date()': { type: 'string', format: 'date' },
    'z.string().time()': { type: 'string', format: 'time' },
    'z.ipv4()': { type: 'string', format: 'ipv4' },
    'z.iso.date()': { type: 'string', format: 'date' },
    'z.iso.datetime()': { type: 'string', format: 'date-time' },
    'z.number().email()': undefined,
  });
});

describe('a zod bound limits the value', () => {
  says({
    'z.number().min(1).max(9)': { type: 'number', minimum: 1, maximum: 9 },
    'z.number().gte(-1).lte(9)': { type: 'number', minimum: -1, maximum: 9 },
    'z.number().gt(1).lt(9)': { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 9 },
    'z.number().positive()': { type: 'number', exclusiveMinimum: 0 },
    'z.number().nonnegative()': { type: 'number', minimum: 0 },
    'z.string().min(2).max(3)': { type: 'string', minLength: 2, maxLength: 3 },
    'z.string().length(3)': { type: 'string', minLength: 3, maxLength: 3 },
    'z.string().nonempty()': { type: 'string', minLength: 1 },
    'z.array(z.string()).min(2).max(4)': {
      type: 'array',
      items: { type: 'string' },
      minItems: 2,
      maxItems: 4,
    },
    'z.array(z.string()).nonempty()': { type: 'array', items: { type: 'string' }, minItems: 1 },
    'z.array(z.string()).length(3)': { type: 'array', items: { type: 'string' } },
  });

  for (const name of ['min', 'gte', 'max', 'lte', 'gt', 'lt']) {
    it(`${name} of a number from elsewhere says nothing`, () => {
      assert.deepEqual(read(`const schema = z.number().${name}(other);`), { type: 'number' });
    });
  }

  it('length of a number from elsewhere says nothing', () => {
    assert.deepEqual(read('const schema = z.string().length(other);'), { type: 'string' });
  });
});

describe('constants and lists of constants are kept unchanged', () => {
  says({
    "z.literal('a')": { const: 'a' },
    'z.literal(3)': { const: 3 },
    'z.literal(false)': { const: false },
    'z.literal(other)': undefined,
    "z.enum(['a', 'b'])": { type: 'string', enum: ['a', 'b'] },
    "z.nativeEnum({ A: 'a', B: 'b' })": { type: 'string', enum: ['a', 'b'] },
    'z.nativeEnum({ A: 1, B: 2 })': { enum: [1, 2] },
    'z.enum(other)': undefined,
    'z.enum([])': undefined,
    "z.union([z.literal('a'), z.literal('b')])": { enum: ['a', 'b'] },
    "z.union([z.literal('a'), z.number()])": { anyOf: [{ const: 'a' }, { type: 'number' }] },
    'z.union([z.string(), other])': undefined,
    'z.union(other)': undefined,
  });
});

describe('an object names its properties, and requires the non-optional ones', () => {
  says({
    'z.object({ a: z.string(), b: z.number().optional() })': {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a'],
    },
    'z.strictObject({ a: z.string().nullish() })': {
      type: 'object',
      properties: { a: { type: 'string' } },
    },
    'z.looseObject({ a: z.optional(z.string()) })': {
      type: 'object',
      properties: { a: { type: 'string' } },
    },
    'z.object({ a: z.number().default(3), b: z.number().catch(4), c: z.string().prefault("x") })': {
      type: 'object',
      properties: {
        a: { type: 'number', default: 3 },
        b: { type: 'number', default: 4 },
        c: { type: 'string', default: 'x' },
      },
    },
    'z.object({ a: z.number().default(other) })': {
      type: 'object',
      properties: { a: { type: 'number' } },
    },
    'z.object({ a: other })': { type: 'object', properties: { a: {} } },
    'z.object({ a: z.string() }).partial()': {
      type: 'object',
      properties: { a: { type: 'string' } },
    },
    'z.object({ ...other })': undefined,
    'z.object(other)': undefined,
    'z.object({ a: z.object({ b: z.null() }) })': {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { type: 'null' } }, required: ['b'] } },
      required: ['a'],
    },
  });

  it('a property can have its schema’s name', () => {
    assert.deepEqual(read('const city = z.string();\nconst schema = z.object({ city });'), {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    });
  });
});

describe('an extended object has the properties of both', () => {
  const base = 'z.object({ a: z.string() })';
  const both = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'number' } },
    required: ['a', 'b'],
  };
  says({
    [`${base}.extend({ b: z.number() })`]: both,
    [`${base}.safeExtend({ b: z.number() })`]: both,
    [`${base}.partial().extend({ b: z.number().optional() })`]: {
      type: 'object',
      properties: both.properties,
    },
    [`${base}.extend({ b: z.number().optional() })`]: { ...both, required: ['a'] },
    [`${base}.partial().extend({ b: z.number() })`]: { ...both, required: ['b'] },
    [`${base}.extend(other)`]: undefined,
    'z.any().extend({ b: z.number() })': {
      type: 'object',
      properties: { b: { type: 'number' } },
      required: ['b'],
    },
  });
});

describe('lists, nullable values and descriptions', () => {
  says({
    'z.array(z.int())': { type: 'array', items: { type: 'integer' } },
    'z.array(other)': { type: 'array' },
    'z.string().array()': { type: 'array', items: { type: 'string' } },
    'z.string().nullable()': { anyOf: [{ type: 'string' }, { type: 'null' }] },
    "z.string().describe('A city')": { type: 'string', description: 'A city' },
    'z.string().describe(other)': { type: 'string' },
  });
});

describe('parts that only code can decide are left out, and the rest is kept', () => {
  const kept = [
    'regex(/x/)',
    'refine(other)',
    'superRefine(other)',
    'trim()',
    'toLowerCase()',
    'toUpperCase()',
    'readonly()',
    'brand()',
    'meta(other)',
    'transform(other)',
    'pipe(other)',
  ];
  for (const method of kept) {
    it(method, () =>
      assert.deepEqual(read(`const schema = z.string().${method};`), { type: 'string' }),
    );
  }
  for (const method of ['strict()', 'passthrough()', 'strip()', 'loose()']) {
    it(method, () =>
      assert.deepEqual(read(`const schema = z.object({ a: z.null() }).${method};`), {
        type: 'object',
        properties: { a: { type: 'null' } },
        required: ['a'],
      }),
    );
  }
  says({
    'z.number().finite()': { type: 'number' },
    'z.string().unheardOf()': undefined,
    'z.unheardOf()': undefined,
  });
});

describe('a schema is zod’s where its name comes from zod', () => {
  const string = { type: 'string' };
  for (const head of [
    "import { z } from 'zod';",
    "import z from 'zod';",
    "import * as z from 'zod/v4';",
    "const { z } = require('zod');",
    "const z = require('zod');",
  ]) {
    it(head, () => assert.deepEqual(read('const schema = z.string();', head), string));
  }
  for (const head of ["import { z } from 'zodiac';", "import { z } from './zod';", 'let z;']) {
    it(`not ${head}`, () => assert.equal(read('const schema = z.string();', head), undefined));
  }

  it('through constants of the file, but not through variables', () => {
    assert.deepEqual(read('const city = z.string();\nconst schema = city;'), string);
    assert.equal(read('let city = z.string();\nconst schema = city;'), undefined);
  });

  it('a call of another kind is none', () => {
    assert.equal(read('const schema = other();'), undefined);
    assert.equal(read('const schema = other.string();'), undefined);
    assert.equal(read("const schema = 'text';"), undefined);
    assert.equal(read('const schema = z.other.string();'), undefined);
  });

  it('a constant that refers to itself does not loop', () => {
    assert.equal(read('const schema = schema;'), undefined);
  });
});
