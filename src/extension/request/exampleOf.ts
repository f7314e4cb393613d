const DEEPEST = 6;

/** An example value that a JSON Schema allows; `undefined` without a schema. */
export function exampleOf(schema: unknown, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > DEEPEST) return undefined;
  const known = schema as Readonly<Record<string, unknown>>;
  if ('default' in known) return known['default'];
  if ('const' in known) return known['const'];
  const [example] = list(known['examples']);
  if (example !== undefined) return example;
  const [choice] = list(known['enum']);
  if (choice !== undefined) return choice;
  const [variant] = [...list(known['anyOf']), ...list(known['oneOf'])];
  if (variant !== undefined) return exampleOf(variant, depth + 1);
  const [type] = list(known['type']).concat(known['type'] ?? []);
  if (type === 'object' || known['properties'] !== undefined) {
    const properties = Object.entries((known['properties'] ?? {}) as Record<string, unknown>);
    return Object.fromEntries(
      properties.map(([name, inner]) => [name, exampleOf(inner, depth + 1) ?? '']),
    );
  }
  switch (type) {
    case 'array': {
      const item = exampleOf(known['items'], depth + 1);
      return item === undefined ? [] : [item];
    }
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return typeof known['minimum'] === 'number' ? known['minimum'] : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return undefined;
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
