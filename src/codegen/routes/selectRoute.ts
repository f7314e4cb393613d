import { lineEnd, offsetOfColumn } from '../source/lines.ts';
import type { Range, Route } from './route.ts';

/**
 * The routes that a line of a text identifies: those whose call has a part on it, the inner ones if calls are nested. Nothing
 * is guessed: a line outside all routes identifies none.
 * @param line from 1
 * @param column from 1; narrows the line down to what is at that position
 * @returns `undefined` if the text has no such line
 */
export function routesAtLine<T extends Route>(
  text: string,
  routes: readonly T[],
  line: number,
  column?: number,
): readonly T[] | undefined {
  const start = offsetOfColumn(text, line, 1);
  if (start === undefined) return undefined;
  const end = lineEnd(text, start);
  const at = column === undefined ? undefined : offsetOfColumn(text, line, column);
  if (column !== undefined && (at === undefined || at > end)) return undefined;
  const part: Range = at === undefined ? { start, end } : { start: at, end: at };
  const own = routes.filter(({ range }) => touches(range, part));
  // `.route('/x')` precedes the method that makes the route.
  const found = own.length > 0 ? own : routes.filter(({ call }) => touches(call, part));
  return withoutEnded(found, part.start).filter(
    ({ range }) =>
      !found.some((other) => other.range.start > range.start && other.range.end < range.end),
  );
}

/** The routes with a name such as `GET /weather/:city`, by their own or full path; the method is optional. */
export function routesNamed<T extends Route>(routes: readonly T[], name: string): readonly T[] {
  const [, method, path = ''] = /^(?:([A-Za-z]+|\*)\s+)?(\S.*)$/.exec(name.trim()) ?? [];
  const verb = method?.toUpperCase().replace(/^ALL$/, '*');
  return routes.filter((route) => {
    const same = [route.path, route.mounted].some(
      (own) => own === path || (path !== '/' && own === path.replace(/\/$/, '')),
    );
    return same && (verb === undefined || route.method === verb);
  });
}

function touches(range: Range, part: Range): boolean {
  return range.start <= part.end && part.start <= range.end;
}

/**
 * Returns the innermost route that contains a position, or else the nearest one above it.
 */
export function routeAt<T extends Route>(routes: readonly T[], offset: number): T | undefined {
  const around = (part: 'range' | 'handler') =>
    [
      ...withoutEnded(
        routes.filter((route) => holds(route[part], offset)),
        offset,
      ),
    ].sort((a, b) => size(a.range) - size(b.range))[0];
  const above = routes.filter(({ range }) => range.start <= offset).at(-1);
  return around('range') ?? around('handler') ?? above ?? routes[0];
}

/** Where one call of a chain ends and the next one begins, a position means the next one. */
function withoutEnded<T extends Route>(routes: readonly T[], offset: number): readonly T[] {
  const begins = routes.some(({ range }) => range.start === offset);
  return begins ? routes.filter(({ range }) => range.end !== offset) : routes;
}

function holds(range: Range | undefined, offset: number): boolean {
  return range !== undefined && range.start <= offset && offset <= range.end;
}

function size({ start, end }: Range): number {
  return end - start;
}
