/** A value of JSON, as inputs are kept while they are changed. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export type JsonPath = readonly (string | number)[];

/** Characters of a value's text, at least; counting ends above `most`. Parts that a value has many times count each time. */
export function lengthOf(value: Json, most: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  let length = 2;
  for (const [name, inner] of Object.entries(value)) {
    if (length > most) return length;
    length += (Array.isArray(value) ? 1 : name.length + 4) + lengthOf(inner, most - length);
  }
  return length;
}

/** Every path into a value, the value itself first. At most `most` of them: large inputs have many alike. */
export function pathsOf(value: Json, most = 400): JsonPath[] {
  const found: JsonPath[] = [];
  const waiting: { at: JsonPath; value: Json }[] = [{ at: [], value }];
  for (const one of waiting) {
    if (found.length === most) break;
    found.push(one.at);
    if (typeof one.value !== 'object' || one.value === null) continue;
    const children = Array.isArray(one.value)
      ? one.value.map((child, n) => [n, child] as const)
      : Object.entries(one.value);
    for (const [key, child] of children) waiting.push({ at: [...one.at, key], value: child });
  }
  return found;
}

/** What is at a path; null if the value has no such place. */
export function valueAt(value: Json, path: JsonPath): Json {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return null;
    at = (at as { [name: string]: Json })[key] ?? null;
  }
  return at;
}

/** A copy in which `change` was made at a path; `undefined` takes the place out. */
export function changedAt(
  value: Json,
  path: JsonPath,
  change: (old: Json) => Json | undefined,
): Json {
  const [key, ...rest] = path;
  if (key === undefined) return change(value) ?? null;
  if (Array.isArray(value)) {
    const copy = [...value];
    const changed = inner(copy[Number(key)] ?? null, rest, change);
    if (changed === undefined) copy.splice(Number(key), 1);
    else copy[Number(key)] = changed;
    return copy;
  }
  const { [String(key)]: old = null, ...others } = value as { [name: string]: Json };
  const changed = inner(old, rest, change);
  return changed === undefined ? others : { ...others, [String(key)]: changed };
}

function inner(old: Json, rest: JsonPath, change: (old: Json) => Json | undefined) {
  return rest.length === 0 ? change(old) : changedAt(old, rest, change);
}

/** A power of two below a number: inputs that differ by less are alike. */
function about(count: number): number {
  return count < 4 ? count : 2 ** Math.floor(Math.log2(count));
}

/**
 * How a value is made, with sizes in place of contents: of inputs with the same outline the dearest alone is kept.
 */
export function outline(value: Json, depth = 0): string {
  if (typeof value === 'string') {
    return value.length <= 24 ? JSON.stringify(value) : `text(${about(value.length)})`;
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth > 6) return '…';
  if (Array.isArray(value)) {
    const [first] = value;
    const each = first === undefined ? '' : outline(first, depth + 1);
    return value.length < 2 ? `[${each}]` : `[${about(value.length)} × ${each}]`;
  }
  const names = Object.keys(value);
  const shown = names.slice(0, 8).map((name) => {
    const key = name.length <= 24 ? name : `name(${about(name.length)})`;
    return `${key}: ${outline(value[name] ?? null, depth + 1)}`;
  });
  return `{${shown.join(', ')}${names.length > 8 ? `, … ${about(names.length)} members` : ''}}`;
}
