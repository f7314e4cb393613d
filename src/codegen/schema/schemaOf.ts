import type { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { constantObject } from '../source/values.ts';
import { fromTypeBox } from './fromTypeBox.ts';
import { fromZod } from './fromZod.ts';
import { isJsonObject, type JsonSchema } from './json.ts';
import { literalValue } from './literalValue.ts';

/** The JSON schema that an expression represents: in zod, in TypeBox, or as a literal. */
export function schemaOf(expression: ts.Expression, bindings: Bindings): JsonSchema | undefined {
  return (
    fromZod(expression, bindings) ??
    fromTypeBox(expression, bindings) ??
    writtenSchema(expression, bindings)
  );
}

function writtenSchema(expression: ts.Expression, bindings: Bindings): JsonSchema | undefined {
  const literal = constantObject(expression, bindings);
  const value = literal && literalValue(literal, bindings);
  if (!isJsonObject(value)) return undefined;
  const schema = 'type' in value || 'properties' in value || '$ref' in value;
  // A reference points to a schema that is registered elsewhere.
  return schema && !JSON.stringify(value).includes('"$ref"') ? withoutId(value) : undefined;
}

function withoutId({ $id: _id, $schema: _schema, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
