import { ts } from 'ts-morph';
import { type Bindings, constantValue, importedFrom } from '../source/bindings.ts';
import { bare, calledName, propertyName } from '../source/syntax.ts';
import { literalValue } from './fromZod.ts';
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from './json.ts';

const MODULES = new Set(['@sinclair/typebox', 'typebox', '@fastify/type-provider-typebox']);

interface Member {
  readonly schema: JsonSchema;
  readonly optional: boolean;
}

/** What a TypeBox schema says, as JSON schema; `undefined` where it is none. */
export function fromTypeBox(expression: ts.Expression, bindings: Bindings): JsonSchema | undefined {
  return member(expression, bindings, 0)?.schema;
}

function member(expression: ts.Expression, bindings: Bindings, depth: number): Member | undefined {
  const at = bare(expression);
  if (depth > 12) return undefined;
  if (ts.isIdentifier(at)) {
    const value = constantValue(at, bindings);
    return value && member(value, bindings, depth + 1);
  }
  if (!ts.isCallExpression(at) || !ts.isPropertyAccessExpression(at.expression)) return undefined;
  const from = importedFrom(at.expression.expression, bindings);
  if (!from || !MODULES.has(from.module)) return undefined;
  const [first, second] = at.arguments;
  const of = (schema: JsonSchema, options: ts.Expression | undefined): Member => ({
    schema: { ...schema, ...optionsOf(options, bindings) },
    optional: false,
  });
  switch (calledName(at)) {
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
      const inner = first && member(first, bindings, depth + 1);
      return inner && { ...inner, optional: true };
    }
    case 'Array': {
      const items = first && member(first, bindings, depth + 1);
      return of(items ? { type: 'array', items: items.schema } : { type: 'array' }, second);
    }
    case 'Record':
      return of({ type: 'object' }, undefined);
    case 'Union':
      return first && union(first, bindings, depth);
    case 'Object':
      return first && object(first, second, bindings, depth);
    default:
      return undefined;
  }
}

function union(argument: ts.Expression, bindings: Bindings, depth: number): Member | undefined {
  const list = bare(argument);
  if (!ts.isArrayLiteralExpression(list)) return undefined;
  const schemas = list.elements.flatMap((element): readonly JsonSchema[] => {
    const found = member(element, bindings, depth + 1);
    return found ? [found.schema] : [];
  });
  const constants = schemas.map((schema) => schema['const']);
  const schema: JsonSchema = constants.every((value) => value !== undefined)
    ? { enum: constants as readonly JsonValue[] }
    : { anyOf: schemas };
  return { schema, optional: false };
}

function object(
  argument: ts.Expression,
  options: ts.Expression | undefined,
  bindings: Bindings,
  depth: number,
): Member | undefined {
  const at = bare(argument);
  if (!ts.isObjectLiteralExpression(at)) return undefined;
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const element of at.properties) {
    const name = element.name && propertyName(element.name);
    if (name === undefined) return undefined;
    const value = ts.isPropertyAssignment(element) ? element.initializer : undefined;
    const found = value && member(value, bindings, depth + 1);
    properties[name] = found?.schema ?? {};
    if (found && !found.optional) required.push(name);
  }
  return {
    schema: {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...optionsOf(options, bindings),
    },
    optional: false,
  };
}

function optionsOf(options: ts.Expression | undefined, bindings: Bindings): JsonObject {
  const value = options && literalValue(options, bindings);
  if (!isJsonObject(value)) return {};
  // An id would make the listing's validator look for another document.
  const { $id: _id, ...rest } = value;
  return rest;
}
