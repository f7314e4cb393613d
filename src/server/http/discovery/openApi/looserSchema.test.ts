import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { looserSchema } from './looserSchema.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

function isValid(schema: object | boolean, value: unknown): boolean {
  return ajv.validate(schema, value) === true;
}

describe('looserSchema', () => {
  it('keeps the keywords that readers can use', () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 1, pattern: '^[a-z]+$' },
        days: { enum: [1, 7] },
      },
      required: ['city'],
      additionalProperties: false,
    };
    assert.deepEqual(looserSchema(schema), schema);
  });

  it('has no reference and no base anywhere', () => {
    const hostile = {
      $id: 'https://evil.example/',
      $schema: 'http://json-schema.org/draft-07/schema#',
      $defs: { a: { type: 'string' } },
      properties: {
        a: { $ref: '#/$defs/a', type: 'string' },
        b: { items: { $ref: 'https://evil.example/b' } },
        c: { anyOf: [{ $dynamicRef: '#x', type: 'number' }] },
      },
    };
    assert.deepEqual(looserSchema(hostile), {
      properties: { a: true, b: { items: true }, c: { anyOf: [{ type: 'number' }] } },
    });
  });

  it('leaves out keywords of other dialects and malformed ones', () => {
    const odd = {
      type: 'text',
      items: [{ type: 'string' }],
      required: 'a',
      minLength: -1,
      multipleOf: 0,
      pattern: '(',
      exclusiveMinimum: true,
      additionalProperties: 'no',
      anyOf: [],
    };
    assert.deepEqual(looserSchema(odd), {});
  });

  it('never refuses a value that the seller’s schema accepts', () => {
    const cases: readonly (readonly [object, unknown])[] = [
      [{ oneOf: [{ $ref: '#/$defs/s' }, { type: 'number' }], $defs: { s: { type: 'string' } } }, 1],
      [{ not: { $ref: '#/$defs/s' }, $defs: { s: { type: 'string' } } }, 1],
      [{ patternProperties: { '^x': true }, additionalProperties: false }, { x1: 1 }],
      [
        { prefixItems: [{ $ref: '#/$defs/n' }], items: false, $defs: { n: { type: 'number' } } },
        [1],
      ],
      [{ if: { type: 'string' }, else: false }, 'ab'],
    ];
    for (const [schema, value] of cases) {
      assert.ok(isValid(schema, value), JSON.stringify(schema));
      assert.ok(isValid(looserSchema(schema), value), JSON.stringify(schema));
    }
  });

  it('never refuses a value that a schema of any form accepts, and is valid itself', () => {
    const leaf = fc.oneof(
      fc.constantFrom(true, false),
      fc.record(
        {
          type: fc.constantFrom('string', 'number', 'object', 'array', 'text', ['string', 'null']),
          enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 }),
          minLength: fc.integer({ min: -1, max: 3 }),
          required: fc.oneof(fc.constant('a'), fc.constant(['a']), fc.constant(['a', 'a'])),
          $ref: fc.constantFrom('#', 'https://evil.example/'),
        },
        { requiredKeys: [] },
      ),
    );
    const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
      const some = tie('schema');
      const named = fc.dictionary(fc.constantFrom('a', 'b', '^x'), some, { maxKeys: 2 });
      const list = fc.array(some, { maxLength: 2 });
      const branch = fc.record(
        {
          properties: named,
          patternProperties: named,
          additionalProperties: some,
          items: fc.oneof(some, list),
          prefixItems: list,
          anyOf: list,
          oneOf: list,
          allOf: list,
          not: some,
          if: some,
          else: some,
        },
        { requiredKeys: [] },
      );
      return { schema: fc.oneof({ maxDepth: 3 }, leaf, branch) };
    });
    fc.assert(
      fc.property(schema, fc.jsonValue({ maxDepth: 2 }), (from, value) => {
        const looser = looserSchema(from);
        assert.ok(ajv.validateSchema(looser), JSON.stringify({ from, looser }));
        let accepted = false;
        try {
          accepted = isValid(from as object, value);
        } catch {
          // Not a schema that the catalog would have listed.
        }
        assert.ok(!accepted || isValid(looser, value), JSON.stringify({ from, looser, value }));
      }),
      { numRuns: 300 },
    );
  });
});
