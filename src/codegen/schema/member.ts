import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { isMethodCall, type MethodCall } from '../source/syntax.ts';
import { bare, constantValue, memberValue, propertyName } from '../source/values.ts';
import type { JsonSchema, JsonValue } from './json.ts';

/** A schema of a property, and whether the property may be omitted. */
export interface Member {
  readonly schema: JsonSchema;
  readonly optional: boolean;
}

/** Reads the schema that a library's expression describes; `undefined` if it cannot be determined. */
export type ReadMember = (expression: ts.Expression) => Member | undefined;

/** Maximum nesting of schemas, including named constants. */
const DEEPEST = 12;

/** Resolves an expression to a method call, through constants of this file. */
export function methodCallOf(
  expression: ts.Expression,
  bindings: Bindings,
  depth: number,
): { readonly call: MethodCall; readonly depth: number } | undefined {
  let at = bare(expression);
  for (let own = depth; own <= DEEPEST; own += 1) {
    if (isMethodCall(at)) return { call: at, depth: own };
    const value = ts.isIdentifier(at) ? constantValue(at, bindings) : undefined;
    if (!value) return undefined;
    at = bare(value);
  }
  return undefined;
}

/** An object schema from an object literal; a member that cannot be determined can be anything. */
export function objectOf(argument: ts.Expression, read: ReadMember): Member | undefined {
  const at = bare(argument);
  if (!ts.isObjectLiteralExpression(at)) return undefined;
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const element of at.properties) {
    const name = element.name && propertyName(element.name);
    if (name === undefined) return undefined;
    const value = memberValue(element);
    const found = value && read(value);
    properties[name] = found?.schema ?? {};
    if (found && !found.optional) required.push(name);
  }
  return {
    schema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
    optional: false,
  };
}

/** A choice of several schemas from a list; nothing if one of them cannot be determined. */
export function unionOf(argument: ts.Expression, read: ReadMember): Member | undefined {
  const list = bare(argument);
  if (!ts.isArrayLiteralExpression(list)) return undefined;
  const options = list.elements.flatMap((element) => read(element) ?? []);
  if (options.length !== list.elements.length) return undefined;
  const constants = options.map(({ schema }) => schema['const']);
  const schema: JsonSchema = constants.every((value) => value !== undefined)
    ? { enum: constants as readonly JsonValue[] }
    : { anyOf: options.map((option) => option.schema) };
  return { schema, optional: options.some(({ optional }) => optional) };
}
