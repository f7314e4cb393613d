import { isJsonObject, type JsonSchema, type JsonValue, schemaProperties } from './json.ts';

/** A value that a schema accepts, and whether it is meaningful or only a placeholder. */
export interface Example {
  readonly value: JsonValue;
  /** Some text in it is a placeholder for something that only a person knows. */
  readonly placeholder: boolean;
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  ipv4: '192.0.2.1',
  hostname: 'example.com',
};

/**
 * A value that a schema accepts. Texts about which nothing is known contain the name of their property.
 * @param name of the property that the schema is for
 */
export function exampleOf(schema: JsonSchema, name: string): Example {
  const known = (value: JsonValue): Example => ({ value, placeholder: false });
  if (schema['default'] !== undefined) return known(schema['default']);
  if (schema['const'] !== undefined) return known(schema['const']);
  for (const list of [schema['examples'], schema['enum']]) {
    if (Array.isArray(list) && list[0] !== undefined) return known(list[0]);
  }
  const options = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(options) && isJsonObject(options[0])) return exampleOf(options[0], name);
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return known(exampleNumber(schema));
    case 'boolean':
      return known(true);
    case 'null':
      return known(null);
    case 'array':
      return exampleArray(schema, name);
    case 'object':
      return exampleObject(schema);
    default:
      return exampleText(schema, name);
  }
}

function exampleNumber(schema: JsonSchema): number {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
  const step = typeof multipleOf === 'number' ? multipleOf : 1;
  // Unless a multiple is required, a bound can be a fraction and is used unchanged.
  const whole = (value: number, round: (quotient: number) => number): number =>
    typeof multipleOf === 'number' ? round(value / step) * step : value;
  let value = step;
  if (typeof minimum === 'number' && value < minimum) value = whole(minimum, Math.ceil);
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    value = whole(exclusiveMinimum, Math.floor) + step;
  if (typeof maximum === 'number' && value > maximum) value = whole(maximum, Math.floor);
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) {
    value = whole(exclusiveMaximum, Math.ceil) - step;
    // A step below the upper bound can be less than the lower bound; then use the middle.
    if (typeof minimum === 'number' && value < minimum) value = (minimum + exclusiveMaximum) / 2;
    if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
      value = (exclusiveMinimum + exclusiveMaximum) / 2;
  }
  return value;
}

function exampleArray(schema: JsonSchema, name: string): Example {
  const { items, minItems } = schema;
  if (!isJsonObject(items)) return { value: [], placeholder: true };
  const { value, placeholder } = exampleOf(items, name);
  const length = typeof minItems === 'number' ? Math.max(1, minItems) : 1;
  return { value: Array.from({ length }, () => value), placeholder };
}

function exampleObject(schema: JsonSchema): Example {
  const members = schemaProperties(schema).map(
    ([name, member]) => [name, exampleOf(member, name)] as const,
  );
  return {
    value: Object.fromEntries(members.map(([name, { value }]) => [name, value])),
    placeholder: members.some(([, { placeholder }]) => placeholder),
  };
}

function exampleText(schema: JsonSchema, name: string): Example {
  const { format, minLength, maxLength } = schema;
  const formatted = typeof format === 'string' ? FORMATS[format] : undefined;
  if (formatted !== undefined) return { value: formatted, placeholder: false };
  let value = name;
  if (typeof minLength === 'number') value = value.padEnd(minLength, 'x');
  if (typeof maxLength === 'number') value = value.slice(0, maxLength);
  return { value, placeholder: true };
}
