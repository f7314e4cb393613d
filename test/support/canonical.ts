import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const manifest = fileURLToPath(new URL('../../examples/paid-api/package.json', import.meta.url));

/**
 * Loads one of the published x402 packages. They live with the example, whose lock file fixes their
 * versions; the root package does not depend on them. `undefined` when the example is not installed.
 */
export function canonicalPackage<T>(name: string): T | undefined {
  try {
    return createRequire(manifest)(name) as T;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') {
      return undefined;
    }
    throw error;
  }
}

/** Reported by tests that need the packages and do not find them. */
export const NOT_INSTALLED =
  'the x402 packages are not installed: run `npm ci` in examples/paid-api';
