import { basename } from 'node:path';

/** A place in a text that looks like a route, found without a parser. */
export interface Place {
  readonly line: number;
  readonly text: string;
}

const CALL =
  /[\w)\]>]\s*(?:\?\.|\.)\s*(get|post|put|patch|delete|del|all|head|options|on|openapi|route)\s*(?:<[^()]*>)?\(\s*(?:['"`/[{]|[A-Za-z_$][\w$.]*\s*[,+])/g;
const NEXT_EXPORT =
  /^\s*export\s+(?:(?:async\s+)?function\s*\*?\s*|(?:const|let|var)\s+)(?:\{[^}]*\b)?(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b|^\s*export\s*\{[^}]*\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/gm;

/**
 * Every place of a text that may be a route: calls of a method's name with a path, and exports of
 * Next.js handlers. It is generous on purpose, and shares nothing with the finder: what it shows
 * beside the finder's routes is for people to judge.
 */
export function placesInText(path: string, text: string): readonly Place[] {
  const isNextRoute = /^route\.[cm]?[jt]sx?$/.test(basename(path));
  const code = withoutComments(text);
  const found = [...code.matchAll(CALL), ...(isNextRoute ? code.matchAll(NEXT_EXPORT) : [])];
  const lines = text.split('\n');
  return found.map((match) => {
    const at = match.index + Math.max(0, match[0].search(/\S/));
    const dot = code
      .slice(at)
      .search(/(get|post|put|patch|delete|del|all|head|options|on|openapi|route|export)\b/i);
    const line = code.slice(0, at + Math.max(0, dot)).split('\n').length;
    return { line, text: (lines[line - 1] ?? '').trim().slice(0, 160) };
  });
}

/** Comments become spaces, line for line; good enough where texts hold no `//` but in URLs. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/(^|[\s;{}(),])\/\/[^\n]*/g, (comment) => comment.replaceAll(/[^\n]/g, ' '));
}
