import { isTestFile } from '../../codegen/testFiles/index.ts';

/** Languages of files that can contain routes. */
export const ROUTE_LANGUAGES = [
  'javascript',
  'javascriptreact',
  'typescript',
  'typescriptreact',
] as const;

/** Modules that only servers import. */
const SERVER_MODULE =
  /['"](express|fastify|fastify-plugin|@fastify\/[\w-]+|hono|@hono\/[\w-]+|@nestjs\/common)['"]/;

/** A call or a decorator that names a path, as `app.get('/weather'` does and `map.get(key)` does not. */
const REGISTRATION =
  /\.(?:get|post|put|patch|delete|head|options|all|route)(?:<|\s*\(\s*(?:\[\s*)?['"`]\/)|\.route\s*\(\s*\{|@(?:Get|Post|Put|Patch|Delete|All)\s*\(/;

/** Modules of pages and of clients of other servers, whose `get('/path')` is a request. */
const CLIENT_MODULE =
  /['"](react|react-dom|vue|svelte|@angular\/[\w-]+|preact|solid-js|axios|ky|got|superagent|supertest|nock|msw|@playwright\/test|@testing-library\/[\w-]+)['"]/;

const NEXT_FILE = /[\\/](?:route\.[cm]?[jt]sx?$|pages[\\/]api[\\/])/;

/**
 * Whether a file is worth parsing, by its path in the workspace and its text. Parsing loads a compiler, a cost that files without routes should not incur.
 */
export function mayHoldRoutes(path: string, text: string): boolean {
  if (isTestFile(path, text)) return false;
  if (NEXT_FILE.test(`/${path}`) || SERVER_MODULE.test(text)) return true;
  return REGISTRATION.test(text) && !CLIENT_MODULE.test(text);
}
