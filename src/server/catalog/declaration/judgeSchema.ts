import { createHash } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { boundedPattern } from './boundedPattern.ts';
import { isJsonObject, type Json, type JsonObject } from './jsonTree.ts';

/** What a schema found, or that it could not be asked. `undefined`: the value fits. */
export type SchemaProblem = string | undefined;

/** References are followed by copying: their number bounds the size of what is compiled. */
const MAX_REFERENCES = 16;
const MAX_REMEMBERED = 1_000;
const NEVER = new Set([
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$vocabulary',
]);

/** Finds the references of a schema, or a keyword that reaches outside it. */
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

/** Whether following references can come back: then a small value may cost exponentially much. */
function isRecursive(schema: JsonObject, pointer: string, path: readonly string[] = []): boolean {
  if (path.includes(pointer)) return true;
  const target = at(schema, pointer);
  const next = target === undefined ? [] : (references(target) ?? []);
  return next.some((below) => isRecursive(schema, below, [...path, pointer]));
}

function structuralProblem(schema: JsonObject): SchemaProblem {
  const found = references(schema);
  if (found === undefined) return 'the schema refers to something outside itself';
  if (found.length > MAX_REFERENCES) return `the schema has more than ${MAX_REFERENCES} references`;
  if (found.some((pointer) => isRecursive(schema, pointer))) return 'the schema refers to itself';
  return undefined;
}

const patternEngine = Object.assign(
  (pattern: string, flags: string) => boundedPattern(pattern, flags),
  { code: 'boundedPattern' },
);

let made: Ajv2020 | undefined;

/** Made when the first schema comes: it takes some milliseconds that a start need not wait for. */
function validator(): Ajv2020 {
  made ??= new Ajv2020({
    strict: false,
    logger: false,
    // Formats are annotations in draft 2020-12, and some of their patterns are costly.
    validateFormats: false,
    addUsedSchema: false,
    allErrors: false,
    code: { regExp: patternEngine },
  });
  return made;
}

function compileAndTry(schema: JsonObject, value: Json): SchemaProblem {
  // Another draft's name would send ajv for that draft's schema; the rules of 2020-12 are used.
  const { $schema: _, ...rules } = schema;
  const ajv = validator();
  try {
    const validate = ajv.compile(rules);
    if (validate(value) === true) return undefined;
    const [first] = validate.errors ?? [];
    return `${first?.instancePath || 'info'}: ${first?.message ?? 'does not fit'}`.slice(0, 300);
  } catch (error) {
    return `the schema cannot be used: ${error instanceof Error ? error.message : ''}`.slice(
      0,
      300,
    );
  } finally {
    ajv.removeSchema(rules);
  }
}

const verdicts = new Map<string, SchemaProblem>();

/**
 * Asks a stranger's JSON schema (draft 2020-12) whether a value fits. The cost is bounded: callers
 * bound the size of both; references are few, inside the schema and without a cycle; patterns are
 * tried only when they are cheap. The same question is answered from memory.
 */
export function judgeSchema(schema: JsonObject, value: Json): SchemaProblem {
  const key = createHash('sha256')
    .update(JSON.stringify([schema, value]))
    .digest('base64');
  if (verdicts.has(key)) return verdicts.get(key);
  const problem = structuralProblem(schema) ?? compileAndTry(schema, value);
  if (verdicts.size >= MAX_REMEMBERED) {
    const [oldest] = verdicts.keys();
    if (oldest !== undefined) verdicts.delete(oldest);
  }
  verdicts.set(key, problem);
  return problem;
}
