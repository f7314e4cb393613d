import { Ajv2020 } from 'ajv/dist/2020.js';
import { boundedPattern } from './boundedPattern.ts';
import type { Json, JsonObject } from './jsonTree.ts';

const MAX_PROBLEM_LENGTH = 300;

const patternEngine = Object.assign(
  (pattern: string, flags: string) => boundedPattern(pattern, flags),
  { code: 'boundedPattern' },
);

const newAjv = (): Ajv2020 => {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    // Formats are annotations in draft 2020-12, and some of their patterns are costly.
    validateFormats: false,
    addUsedSchema: false,
    allErrors: false,
    code: { regExp: patternEngine },
  });
  // Reads the rules of the draft itself now, so that no stranger's schema pays for it.
  ajv.compile({ type: 'object', properties: { warm: { minimum: 1 } } });
  return ajv;
};

let ajv = newAjv();

/** Starts afresh after a schema was given up in the middle, which leaves the compiler unusable. */
export function forgetSchemas(): void {
  ajv = newAjv();
}

/**
 * Tries a value by a JSON schema (draft 2020-12). Its cost is the schema author's to choose, so it
 * runs in a worker only (`schemaWorker.ts`).
 *
 * @returns what does not fit, or `undefined`
 */
export function tryExample(schema: JsonObject, value: Json): string | undefined {
  // Another draft's name would send ajv for that draft's schema; the rules of 2020-12 are used.
  const { $schema: _, ...rules } = schema;
  try {
    const validate = ajv.compile(rules);
    if (validate(value) === true) return undefined;
    const [first] = validate.errors ?? [];
    const problem = `${first?.instancePath || 'info'}: ${first?.message ?? 'does not fit'}`;
    return problem.slice(0, MAX_PROBLEM_LENGTH);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    return `the schema cannot be used: ${why}`.slice(0, MAX_PROBLEM_LENGTH);
  } finally {
    ajv.removeSchema(rules);
  }
}
