import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { ofModerateSize, Readings } from '../source/readings.ts';
import { bare, calledName, importedFrom } from '../source/values.ts';
import { isJsonObject, type JsonObject, type JsonSchema } from './json.ts';
import { literalValue } from './literalValue.ts';
import { type Member, methodCallOf, objectOf, type ReadMember, unionOf } from './member.ts';

/** The JSON schema of a zod expression; `undefined` for any other expression, and if code decides. */
export function fromZod(expression: ts.Expression, bindings: Bindings): JsonSchema | undefined {
  return member(expression, bindings, 0)?.schema;
}

const below =
  (bindings: Bindings, depth: number): ReadMember =>
  (expression) =>
    member(expression, bindings, depth + 1);

const known = new Readings<Member>();

function member(expression: ts.Expression, bindings: Bindings, depth: number): Member | undefined {
  const at = bare(expression);
  return known.of(at, () => ofModerateSize(read(at, bindings, depth)), depth);
}

function read(expression: ts.Expression, bindings: Bindings, depth: number): Member | undefined {
  const found = methodCallOf(expression, bindings, depth);
  if (!found) return undefined;
  const { call, depth: own } = found;
  const owner = call.expression.expression;
  const made = isZod(owner, bindings) ? constructed(call, bindings, own) : undefined;
  if (made) return made;
  const base = member(owner, bindings, own + 1);
  return base && refined(base, call, bindings, own);
}

/** `z`, `z.coerce`, `z.string` of `z.iso`. */
function isZod(expression: ts.Expression, bindings: Bindings): boolean {
  const at = bare(expression);
  const whole =
    ts.isPropertyAccessExpression(at) && ['coerce', 'iso'].includes(at.name.text)
      ? at.expression
      : at;
  const from = ts.isIdentifier(whole) ? importedFrom(whole, bindings) : undefined;
  return from !== undefined && /^zod(\/|$)/.test(from.module);
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  datetime: 'date-time',
  date: 'date',
  time: 'time',
  ipv4: 'ipv4',
};

function constructed(
  call: ts.CallExpression,
  bindings: Bindings,
  depth: number,
): Member | undefined {
  const [first] = call.arguments;
  const of = (schema: JsonSchema): Member => ({ schema, optional: false });
  const name = calledName(call) ?? '';
  const inIso = /\biso\.\w+$/.test(call.expression.getText());
  switch (name) {
    case 'string':
      return of({ type: 'string' });
    case 'number':
      return of({ type: 'number' });
    case 'int':
      return of({ type: 'integer' });
    case 'boolean':
    case 'stringbool':
      return of({ type: 'boolean' });
    case 'date':
      return of({ type: 'string', format: inIso ? 'date' : 'date-time' });
    case 'null':
      return of({ type: 'null' });
    case 'any':
    case 'unknown':
      return of({});
    case 'record':
      return of({ type: 'object' });
    case 'literal': {
      const value = first && literalValue(first, bindings);
      return value === undefined ? undefined : of({ const: value });
    }
    case 'enum':
    case 'nativeEnum':
      return first && enumSchema(first, bindings);
    case 'array': {
      const items = first && member(first, bindings, depth + 1);
      return of(items ? { type: 'array', items: items.schema } : { type: 'array' });
    }
    case 'union':
      return first && unionOf(first, below(bindings, depth));
    case 'optional':
      return optionalOf(first, bindings, depth);
    case 'object':
    case 'strictObject':
    case 'looseObject':
      return first && objectOf(first, below(bindings, depth));
    default: {
      const format = FORMATS[name];
      return format === undefined ? undefined : of({ type: 'string', format });
    }
  }
}

function optionalOf(
  argument: ts.Expression | undefined,
  bindings: Bindings,
  depth: number,
): Member | undefined {
  const inner = argument && member(argument, bindings, depth + 1);
  return inner && { ...inner, optional: true };
}

function enumSchema(argument: ts.Expression, bindings: Bindings): Member | undefined {
  const value = literalValue(argument, bindings);
  const values = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  if (values.length === 0) return undefined;
  const texts = values.every((each) => typeof each === 'string');
  return { schema: { ...(texts ? { type: 'string' } : {}), enum: values }, optional: false };
}

/** What a method adds: `.min(1)`, `.optional()`, `.describe('…')`. */
function refined(
  base: Member,
  call: ts.CallExpression,
  bindings: Bindings,
  depth: number,
): Member | undefined {
  const [first] = call.arguments;
  const value = first && literalValue(first, bindings);
  const and = (more: JsonObject): Member => ({ ...base, schema: { ...base.schema, ...more } });
  const text = base.schema['type'] === 'string';
  const list = base.schema['type'] === 'array';
  const name = calledName(call) ?? '';
  switch (name) {
    case 'optional':
    case 'nullish':
      return { ...base, optional: true };
    case 'default':
    case 'catch':
    case 'prefault':
      return value === undefined
        ? { ...base, optional: true }
        : { schema: { ...base.schema, default: value }, optional: true };
    case 'nullable':
      return { ...base, schema: { anyOf: [base.schema, { type: 'null' }] } };
    case 'describe':
      return typeof value === 'string' ? and({ description: value }) : base;
    case 'int':
      return and({ type: 'integer' });
    case 'positive':
      return and({ exclusiveMinimum: 0 });
    case 'nonnegative':
      return and({ minimum: 0 });
    case 'min':
    case 'gte':
      if (typeof value !== 'number') return base;
      return and({ [text ? 'minLength' : list ? 'minItems' : 'minimum']: value });
    case 'max':
    case 'lte':
      if (typeof value !== 'number') return base;
      return and({ [text ? 'maxLength' : list ? 'maxItems' : 'maximum']: value });
    case 'gt':
      return typeof value === 'number' ? and({ exclusiveMinimum: value }) : base;
    case 'lt':
      return typeof value === 'number' ? and({ exclusiveMaximum: value }) : base;
    case 'nonempty':
      return and(list ? { minItems: 1 } : { minLength: 1 });
    case 'length':
      return typeof value === 'number' && text ? and({ minLength: value, maxLength: value }) : base;
    case 'regex':
    case 'refine':
    case 'superRefine':
    case 'trim':
    case 'toLowerCase':
    case 'toUpperCase':
    case 'strict':
    case 'passthrough':
    case 'strip':
    case 'loose':
    case 'finite':
    case 'readonly':
    case 'brand':
    case 'meta':
    case 'transform':
    case 'pipe':
      return base;
    case 'array':
      return { schema: { type: 'array', items: base.schema }, optional: false };
    case 'partial': {
      const { required: _required, ...rest } = base.schema;
      return { ...base, schema: rest };
    }
    case 'extend':
    case 'safeExtend':
      return first && extended(base, first, bindings, depth);
    default: {
      const format = FORMATS[name];
      return format !== undefined && text ? and({ format }) : undefined;
    }
  }
}

function extended(
  base: Member,
  argument: ts.Expression,
  bindings: Bindings,
  depth: number,
): Member | undefined {
  const more = objectOf(argument, below(bindings, depth))?.schema;
  if (!more) return undefined;
  const { properties, required } = base.schema;
  const names = [
    ...(Array.isArray(required) ? required : []),
    ...(Array.isArray(more['required']) ? more['required'] : []),
  ];
  return {
    ...base,
    schema: {
      type: 'object',
      properties: {
        ...(isJsonObject(properties) ? properties : {}),
        ...(isJsonObject(more['properties']) ? more['properties'] : {}),
      },
      ...(names.length > 0 ? { required: names } : {}),
    },
  };
}
