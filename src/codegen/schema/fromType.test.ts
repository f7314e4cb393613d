import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ts } from 'ts-morph';
import { Bindings } from '../source/bindings.ts';
import { parseSource } from '../source/sourceFile.ts';
import { fromType } from './fromType.ts';
import type { JsonSchema } from './json.ts';

/** The schema of a type in a file that begins with these lines. */
function read(type: string, head = ''): JsonSchema | undefined {
  const file = parseSource('app.ts', `${head}\ntype It = ${type};`);
  const last = file.statements.at(-1);
  assert.ok(last && ts.isTypeAliasDeclaration(last));
  return fromType(last.type, new Bindings());
}

function says(cases: Readonly<Record<string, JsonSchema | undefined>>, head = ''): void {
  for (const [type, schema] of Object.entries(cases)) {
    it(type, () => assert.deepEqual(read(type, head), schema));
  }
}

describe('a type of one value says its JSON type', () => {
  says({
    string: { type: 'string' },
    number: { type: 'number' },
    boolean: { type: 'boolean' },
    null: { type: 'null' },
    "'c'": { const: 'c' },
    '42': { const: 42 },
    true: { const: true },
    false: { const: false },
    '(string)': { type: 'string' },
    Date: { type: 'string', format: 'date-time' },
    bigint: undefined,
    unknown: undefined,
    '`a${string}`': undefined,
  });
});

describe('a union is a list of constants, or one of its parts', () => {
  says({
    "'c' | 'f'": { enum: ['c', 'f'] },
    'string | undefined': { type: 'string' },
    "'c' | number": { anyOf: [{ const: 'c' }, { type: 'number' }] },
    'string | null': { anyOf: [{ type: 'string' }, { type: 'null' }] },
    'string | bigint': undefined,
  });
});

describe('a list says what it is a list of', () => {
  says({
    'string[]': { type: 'array', items: { type: 'string' } },
    'readonly number[]': { type: 'array', items: { type: 'number' } },
    'Array<boolean>': { type: 'array', items: { type: 'boolean' } },
    'ReadonlyArray<string>': { type: 'array', items: { type: 'string' } },
    'unknown[]': { type: 'array' },
    Array: { type: 'array' },
  });
});

describe('the keys of a type are not the type', () => {
  says({ 'keyof Query': undefined }, 'interface Query { city: string }');
});

describe('an object type requires what is not marked with a question mark', () => {
  says({
    '{ city: string; days?: number }': {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'number' } },
      required: ['city'],
    },
    "{ 'a-b'?: string }": { type: 'object', properties: { 'a-b': { type: 'string' } } },
    '{ a: bigint }': { type: 'object', properties: { a: {} }, required: ['a'] },
    '{ run(): void; [key: string]: unknown; [Symbol.iterator]: string }': {
      type: 'object',
      properties: {},
    },
    '{ a: { b: string } }': {
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
      },
      required: ['a'],
    },
  });

  it('the first line of the comment above a property describes it', () => {
    assert.deepEqual(read('{\n /** A city\n of Peru */ city?: string }'), {
      type: 'object',
      properties: { city: { type: 'string', description: 'A city' } },
    });
    assert.deepEqual(read('{\n /** */ city?: string }'), {
      type: 'object',
      properties: { city: { type: 'string' } },
    });
    assert.deepEqual(read('{\n // A city\n city?: string }'), {
      type: 'object',
      properties: { city: { type: 'string' } },
    });
  });
});

describe('a name refers to its declaration in this file', () => {
  const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  says(
    {
      Query: city,
      Alias: city,
      'Readonly<Query>': city,
      'Promise<Query>': city,
      'Partial<Query>': { type: 'object', properties: city.properties },
      'Partial<Elsewhere>': undefined,
      Readonly: undefined,
      'Record<string, string>': { type: 'object' },
      Wider: undefined,
      'Of<string>': undefined,
      Elsewhere: undefined,
      Klass: undefined,
      'ns.Query': undefined,
      Endless: undefined,
    },
    `import type { Elsewhere } from './x.js';
interface Query { city: string }
type Alias = Query;
interface Wider extends Query { days: number }
interface Of<T> { it: T }
class Klass { city = '' }
type Endless = Endless;`,
  );
});

describe('a type inferred from a schema has the schema’s content', () => {
  const head = `import { z } from 'zod';
import { type Static, Type } from '@sinclair/typebox';
const Zod = z.string();
const Box = Type.Integer();`;
  says(
    {
      'z.infer<typeof Zod>': { type: 'string' },
      'z.input<typeof Zod>': { type: 'string' },
      'z.output<typeof Zod>': { type: 'string' },
      'Static<typeof Box>': { type: 'integer' },
      'Static<Box>': undefined,
      'Static<typeof Box.inner>': undefined,
      Static: undefined,
      'Other<typeof Box>': undefined,
      'xz.infer<typeof Zod>': undefined,
    },
    head,
  );
});
