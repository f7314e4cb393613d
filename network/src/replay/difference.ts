/** The first difference between two values, in words. */
export interface Difference {
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}

const MAX_TEXT = 160;

/**
 * Walks two values of the same shape and finds the first difference; undefined if they are equal. Values are XDR structures,
 * lists, bytes and plain values.
 */
export function firstDifference(
  expected: unknown,
  got: unknown,
  path: string,
): Difference | undefined {
  if (expected === got) return undefined;
  if (!isObject(expected) || !isObject(got)) return differ(expected, got, path);
  if (expected instanceof Uint8Array || got instanceof Uint8Array) {
    return show(expected) === show(got) ? undefined : differ(expected, got, path);
  }
  if (Array.isArray(expected) && Array.isArray(got)) return inLists(expected, got, path);
  return inFields(expected, got, path);
}

function inLists(
  expected: readonly unknown[],
  got: readonly unknown[],
  path: string,
): Difference | undefined {
  if (expected.length !== got.length) {
    return differ(`${expected.length} items`, `${got.length} items`, `${path}.length`);
  }
  for (const [at, item] of expected.entries()) {
    const difference = firstDifference(item, got[at], `${path}[${at}]`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function inFields(expected: object, got: object, path: string): Difference | undefined {
  const fields = new Map<string, unknown>(Object.entries(expected));
  const others = new Map<string, unknown>(Object.entries(got));
  if (fields.get('type') !== others.get('type') && typeof fields.get('type') === 'string') {
    return differ(fields.get('type'), others.get('type'), `${path}.type`);
  }
  for (const name of new Set([...fields.keys(), ...others.keys()])) {
    const difference = firstDifference(fields.get(name), others.get(name), `${path}.${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function differ(expected: unknown, got: unknown, path: string): Difference {
  return { path, expected: show(expected), got: show(got) };
}

/** A value on one line. */
export function show(value: unknown): string {
  const text = render(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function render(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'bigint' || typeof value === 'number') return value.toString();
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return (
    JSON.stringify(value, (_, inner: unknown) => {
      if (typeof inner === 'bigint') return inner.toString();
      return inner instanceof Uint8Array ? Buffer.from(inner).toString('hex') : inner;
    }) ?? String(value)
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
