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
  /\.(get|post|put|patch|delete|head|options|all|route)\s*(<[^()]*>)?\s*\(\s*\[?\s*['"`]\/|\.route\s*\(\s*\{|@(Get|Post|Put|Patch|Delete|All)\s*\(/;

const NEXT_FILE = /[\\/](route\.[cm]?[jt]sx?|pages[\\/]api[\\/].*)$/;

/**
 * Whether a file is worth parsing. Parsing loads a compiler, a cost that files without routes should not incur.
 */
export function mayHoldRoutes(path: string, text: string): boolean {
  return NEXT_FILE.test(`/${path}`) || SERVER_MODULE.test(text) || REGISTRATION.test(text);
}
