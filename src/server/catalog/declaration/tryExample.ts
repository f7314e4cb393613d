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
  // Compiles the draft's own rules now, so that this does not count against a seller's schema.
  ajv.compile({ type: 'object', properties: { warm: { minimum: 1 } } });
  return ajv;
};

let ajv = newAjv();

/** Resets the compiler, which is unusable after a schema was aborted. */
export function forgetSchemas(): void {
  ajv = newAjv();
}

/**
 * Checks a value against a JSON schema (draft 2020-12). The schema's author controls the cost, so this
 * runs only in a worker (`schemaWorker.ts`).
 *
 * @returns why the value does not fit, or `undefined`
 */
export function tryExample(schema: JsonObject, value: Json): string | undefined {
  // ajv would look for the schema of a draft that is named; the rules of 2020-12 apply instead.
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
