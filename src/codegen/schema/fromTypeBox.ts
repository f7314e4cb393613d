import type { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { ofModerateSize, Readings } from '../source/readings.ts';
import { bare, importedFrom } from '../source/values.ts';
import { isJsonObject, type JsonObject, type JsonSchema } from './json.ts';
import { literalValue } from './literalValue.ts';
import { type Member, methodCallOf, objectOf, unionOf } from './member.ts';

const MODULES = new Set(['@sinclair/typebox', 'typebox', '@fastify/type-provider-typebox']);

/** The JSON schema of a TypeBox expression; `undefined` for any other expression. */
export function fromTypeBox(expression: ts.Expression, bindings: Bindings): JsonSchema | undefined {
  return member(expression, bindings, 0)?.schema;
}

const known = new Readings<Member>();

function member(expression: ts.Expression, bindings: Bindings, depth: number): Member | undefined {
  const at = bare(expression);
  return known.of(at, () => ofModerateSize(read(at, bindings, depth)), depth);
}

function read(expression: ts.Expression, bindings: Bindings, depth: number): Member | undefined {
  const found = methodCallOf(expression, bindings, depth);
  const from = found && importedFrom(found.call.expression.expression, bindings);
  if (!from || !MODULES.has(from.module)) return undefined;
  const { call, depth: own } = found;
  const [first, second] = call.arguments;
  const of = (schema: JsonSchema, options: ts.Expression | undefined): Member => ({
    schema: { ...schema, ...optionsOf(options, bindings) },
    optional: false,
  });
  const below = (each: ts.Expression) => member(each, bindings, own + 1);
  switch (call.expression.name.text) {
    case 'String':
      return of({ type: 'string' }, first);
    case 'Number':
      return of({ type: 'number' }, first);
    case 'Integer':
      return of({ type: 'integer' }, first);
    case 'Boolean':
      return of({ type: 'boolean' }, first);
    case 'Null':
      return of({ type: 'null' }, first);
    case 'Any':
    case 'Unknown':
      return of({}, first);
    case 'Literal': {
      const value = first && literalValue(first, bindings);
      return value === undefined ? undefined : of({ const: value }, second);
    }
    case 'Optional': {
      const inner = first && below(first);
      return inner && { ...inner, optional: true };
    }
    case 'Array': {
      const items = first && below(first);
      return of(items ? { type: 'array', items: items.schema } : { type: 'array' }, second);
    }
    case 'Record':
      return of({ type: 'object' }, undefined);
    case 'Union':
      return first && unionOf(first, below);
    case 'Object':
      return first && objectWith(objectOf(first, below), second, bindings);
    default:
      return undefined;
  }
}

function objectWith(
  members: Member | undefined,
  options: ts.Expression | undefined,
  bindings: Bindings,
): Member | undefined {
  return members && { ...members, schema: { ...members.schema, ...optionsOf(options, bindings) } };
}

function optionsOf(options: ts.Expression | undefined, bindings: Bindings): JsonObject {
  const value = options && literalValue(options, bindings);
  if (!isJsonObject(value)) return {};
  // An id would make the listing's validator look for another document.
  const { $id: _id, ...rest } = value;
  return rest;
}
