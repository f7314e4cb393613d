/** Languages of files that can hold routes. */
export const ROUTE_LANGUAGES = [
  'javascript',
  'javascriptreact',
  'typescript',
  'typescriptreact',
] as const;

const HINT =
  /\b(express|fastify|Router|NextRequest|NextResponse|withX402)\b|\.(get|post|put|patch|delete|all|route)\s*[(<]|export\s+(async\s+)?(function|const|let)\s+(GET|POST|PUT|PATCH|DELETE)\b/;

/** Whether reading the syntax tree is worth while: costs nothing for files without any route. */
export function mayHoldRoutes(text: string): boolean {
  return HINT.test(text);
}
