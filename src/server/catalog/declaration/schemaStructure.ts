import { isJsonObject, type Json, type JsonObject } from './jsonTree.ts';

/** Maximum number of references that a schema contains. */
const MAX_REFERENCES = 16;
/**
 * Maximum number of values in a schema after every reference is replaced with its target. A declaration itself has
 * at most 2,000: references can double that number, but not multiply it further.
 */
const MAX_EXPANDED = 4_000;
const NEVER = new Set([
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$vocabulary',
]);

/** Finds the references of a schema; `undefined` if a keyword reaches outside it. */
function references(schema: Json, found: string[] = []): string[] | undefined {
  if (Array.isArray(schema)) {
    for (const item of schema) if (references(item, found) === undefined) return undefined;
  } else if (isJsonObject(schema)) {
    for (const [name, value] of Object.entries(schema)) {
      if (NEVER.has(name) && typeof value === 'string') return undefined;
      if (name === '$ref' && typeof value === 'string') {
        if (!/^#(\/[^%]*)?$/.test(value)) return undefined;
        found.push(value);
      } else if (references(value, found) === undefined) return undefined;
    }
  }
  return found;
}

function at(schema: JsonObject, pointer: string): Json | undefined {
  let node: Json | undefined = schema;
  if (pointer === '#') return node;
  for (const part of pointer.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(node)) node = node[Number(name)];
    else if (isJsonObject(node)) node = Object.hasOwn(node, name) ? node[name] : undefined;
    else return undefined;
  }
  return node;
}

/** Whether references form a cycle: then a small value can have an exponential cost. */
function isRecursive(schema: JsonObject, pointer: string, path: readonly string[] = []): boolean {
  if (path.includes(pointer)) return true;
  const target = at(schema, pointer);
  const next = target === undefined ? [] : (references(target) ?? []);
  return next.some((below) => isRecursive(schema, below, [...path, pointer]));
}

/** Counts the values of a schema, following references, up to one above the bound. */
function expandedSize(schema: JsonObject): number {
  let size = 0;
  const walk = (node: Json): void => {
    size += 1;
    if (size > MAX_EXPANDED || typeof node !== 'object' || node === null) return;
    for (const [name, value] of Object.entries(node)) {
      const target = name === '$ref' && typeof value === 'string' ? at(schema, value) : value;
      if (target !== undefined) walk(target);
      if (size > MAX_EXPANDED) return;
    }
  };
  walk(schema);
  return size;
}

/**
 * Checks a seller's schema before it is compiled: references are few, inside the schema, without a
 * cycle, and following them does not multiply its size.
 *
 * @returns the problem, or `undefined`
 */
export function structuralProblem(schema: JsonObject): string | undefined {
  const found = references(schema);
  if (found === undefined) return 'the schema refers to something outside itself';
  if (found.length > MAX_REFERENCES) return `the schema has more than ${MAX_REFERENCES} references`;
  if (found.some((pointer) => isRecursive(schema, pointer))) return 'the schema refers to itself';
  if (expandedSize(schema) > MAX_EXPANDED) {
    return `the schema has more than ${MAX_EXPANDED} parts once its references are followed`;
  }
  return undefined;
}
