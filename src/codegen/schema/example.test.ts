import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleOf } from './example.ts';
import type { JsonSchema, JsonValue } from './json.ts';

function gives(schema: JsonSchema, value: JsonValue, placeholder = false): void {
  it(`${JSON.stringify(schema)} gives ${JSON.stringify(value)}`, () => {
    assert.deepEqual(exampleOf(schema, 'city'), { value, placeholder });
  });
}

describe('a value that the schema itself contains is its example', () => {
  gives({ type: 'string', default: 'Lima' }, 'Lima');
  gives({ type: 'number', default: 0, const: 1 }, 0);
  gives({ const: 'c' }, 'c');
  gives({ type: 'string', examples: ['Cusco', 'Lima'] }, 'Cusco');
  gives({ enum: ['c', 'f'] }, 'c');
  gives({ examples: ['a'], enum: ['b'] }, 'a');
  gives({ examples: [], enum: ['b'] }, 'b');
  gives({ anyOf: [{ type: 'boolean' }, { type: 'null' }] }, true);
  gives({ oneOf: [{ type: 'null' }] }, null);
  gives({ type: 'boolean', anyOf: [] }, true);
});

describe('a number lies within its bounds', () => {
  gives({ type: 'integer' }, 1);
  gives({ type: 'number', minimum: 5 }, 5);
  gives({ type: 'number', minimum: 1 }, 1);
  gives({ type: 'number', minimum: -5 }, 1);
  gives({ type: 'number', exclusiveMinimum: 0 }, 1);
  gives({ type: 'integer', exclusiveMinimum: 1 }, 2);
  gives({ type: 'integer', exclusiveMinimum: 7 }, 8);
  gives({ type: 'number', maximum: 1 }, 1);
  gives({ type: 'number', maximum: -3 }, -3);
  gives({ type: 'integer', exclusiveMaximum: 1 }, 0);
  gives({ type: 'integer', exclusiveMaximum: 2 }, 1);
  gives({ type: 'integer', exclusiveMaximum: -3 }, -4);
  gives({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5);
  gives({ type: 'number', exclusiveMinimum: 0, maximum: 0.5 }, 0.5);
  gives({ type: 'integer', minimum: 0, exclusiveMaximum: 1 }, 0);
  gives({ type: 'number', minimum: 0.5, exclusiveMaximum: 1 }, 0.75);
});

describe('a number is a multiple where the schema asks for one', () => {
  gives({ type: 'integer', multipleOf: 5 }, 5);
  gives({ type: 'integer', multipleOf: 5, minimum: 7 }, 10);
  gives({ type: 'integer', multipleOf: 5, minimum: 10 }, 10);
  gives({ type: 'integer', multipleOf: 5, exclusiveMinimum: 10 }, 15);
  gives({ type: 'integer', multipleOf: 5, exclusiveMinimum: 7 }, 10);
  gives({ type: 'integer', multipleOf: 5, maximum: 3 }, 0);
  gives({ type: 'integer', multipleOf: 5, exclusiveMaximum: 5 }, 0);
});

describe('values of other types', () => {
  gives({ type: 'boolean' }, true);
  gives({ type: 'null' }, null);
  gives({ type: 'array', items: { type: 'integer' } }, [1]);
  gives({ type: 'array', items: { type: 'integer' }, minItems: 3 }, [1, 1, 1]);
  gives({ type: 'array', items: { type: 'integer' }, minItems: 0 }, [1]);
  gives({ type: 'array', items: { type: 'string' } }, ['city'], true);
  gives({ type: 'array' }, [], true);
  gives({ type: 'object', properties: { days: { type: 'integer' } } }, { days: 1 });
  gives(
    { type: 'object', properties: { days: { type: 'integer' }, town: { type: 'string' } } },
    { days: 1, town: 'town' },
    true,
  );
  gives({ type: 'object' }, {});
});

describe('an unknown text has its name as placeholder', () => {
  gives({ type: 'string' }, 'city', true);
  gives({}, 'city', true);
  gives({ type: 'string', minLength: 6 }, 'cityxx', true);
  gives({ type: 'string', maxLength: 2 }, 'ci', true);
  gives({ type: 'string', format: 'unheard-of' }, 'city', true);
});

describe('a text with a format is one of that format', () => {
  const shapes = {
    email: /^\w+@example\.com$/,
    uri: /^https:\/\/example\.com$/,
    url: /^https:\/\/example\.com$/,
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    date: /^\d{4}-\d\d-\d\d$/,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    time: /^\d\d:\d\d:\d\dZ$/,
    ipv4: /^(\d+\.){3}\d+$/,
    hostname: /^example\.com$/,
  };
  for (const [format, shape] of Object.entries(shapes)) {
    it(format, () => {
      const { value, placeholder } = exampleOf({ type: 'string', format }, 'x');
      assert.match(String(value), shape);
      assert.equal(placeholder, false);
    });
  }
});
