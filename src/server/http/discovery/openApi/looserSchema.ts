type Json = Readonly<Record<string, unknown>>;

/** A JSON Schema of the dialect that OpenAPI 3.1 has. */
export type LooserSchema = boolean | Json;

const TYPES: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isAnything = (): boolean => true;

function isType(value: unknown): boolean {
  if (!Array.isArray(value)) return TYPES.has(value);
  return (
    value.length > 0 && new Set(value).size === value.length && value.every((one) => TYPES.has(one))
  );
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') !== undefined;
  } catch {
    return false;
  }
}

/** Keywords that are copied where their value has the form that the dialect asks for. */
const COPIED: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  description: isText,
  default: isAnything,
  examples: Array.isArray,
  type: isType,
  enum: Array.isArray,
  const: isAnything,
  format: isText,
  pattern: isPattern,
  minLength: isCount,
  maxLength: isCount,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
  minProperties: isCount,
  maxProperties: isCount,
  required: isNames,
};

const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value);

function listOf(value: unknown): LooserSchema[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isSchema)) return undefined;
  return value.map(looserSchema);
}

/** The keywords that have schemas below them, without `$ref` and what is judged by it. */
function below(schema: Json): Json {
  const { properties, additionalProperties, patternProperties } = schema;
  const { items, prefixItems, anyOf, oneOf, allOf } = schema;
  const choices = listOf(anyOf) ?? listOf(oneOf);
  const all = listOf(allOf);
  const first = listOf(prefixItems);
  // What the other keyword names would count as additional once that keyword is gone.
  const judgesRest = isSchema(additionalProperties) && patternProperties === undefined;
  const judgesItems = isSchema(items) && (prefixItems === undefined || first !== undefined);
  return {
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [name, looserSchema(one)]),
          ),
        }
      : {}),
    ...(judgesRest && (properties === undefined || isObject(properties))
      ? { additionalProperties: looserSchema(additionalProperties) }
      : {}),
    ...(first === undefined ? {} : { prefixItems: first }),
    ...(judgesItems ? { items: looserSchema(items) } : {}),
    ...(choices === undefined ? {} : { anyOf: choices }),
    ...(all === undefined ? {} : { allOf: all }),
  };
}

/**
 * Returns a seller's schema as it can be part of a document of others: valid in JSON Schema 2020-12, without references,
 * and never stricter. A reference would point into this document or at another host; a keyword whose value is malformed
 * would make the whole document invalid. Where they stood, anything is valid. `not`, `if` and their like are left out,
 * because with less below them they would refuse more; `oneOf` becomes `anyOf` for the same reason.
 */
export function looserSchema(schema: unknown): LooserSchema {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) return true;
  // In earlier drafts, and for many readers, a reference replaces everything beside it.
  if (schema['$ref'] !== undefined) return true;
  const copied = Object.entries(schema).filter(
    ([name, value]) => Object.hasOwn(COPIED, name) && COPIED[name]?.(value),
  );
  return { ...Object.fromEntries(copied), ...below(schema) };
}
