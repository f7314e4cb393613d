import { existsSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type * as Codegen from '../../codegen/index.ts';
import { CliError } from '../cliError.ts';
import type { Report } from '../report.ts';
import { readSource, readSourceOrReason, scriptsIn, type Unread } from './sourceFiles.ts';
import { diskFiles } from './userProject.ts';

/** A file of the user's code that a command names. */
export interface Target {
  readonly path: string;
  /** The same with `/`. */
  readonly file: string;
  /** The file's name as the user gave it. */
  readonly named: string;
  readonly source: Codegen.SourceText;
  readonly routes: readonly Codegen.Route[];
  readonly project: Codegen.Project | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** The options of a command that choose routes. */
interface Selection {
  readonly route?: string;
  readonly framework?: 'express' | 'fastify' | 'hono';
}

/**
 * Reads the file named by `FILE[:LINE[:COLUMN]]`, or the file in a folder that has the named route.
 * @throws CliError if there is none, or it cannot be read as source code
 */
export async function readTarget(
  named: string,
  selection: Selection,
  code: typeof Codegen,
): Promise<Target> {
  const [, file = named, line, column] = existsSync(named)
    ? []
    : (/^(.+?):(\d+)(?::(\d+))?$/.exec(named) ?? []);
  const path = resolve(file);
  if (!existsSync(path)) throw new CliError('usage', `${file} does not exist.`);
  if (statSync(path).isDirectory()) return inFolder(path, file, selection, code);
  return {
    ...(await readFile(path, readSource(path, file), selection, code)),
    named: file,
    line: line === undefined ? undefined : Number(line),
    column: column === undefined ? undefined : Number(column),
  };
}

/** A file and the routes in it. */
export type ReadRoutes = Pick<Target, 'path' | 'file' | 'source' | 'routes' | 'project'>;

/** What `routesUnder` did not look at, which is not the same as code without endpoints. */
interface NotRead {
  readonly unread: readonly Unread[];
  /** Number of tests in a folder, which were left out. */
  readonly tests: number;
}

/** Says how many tests a folder has that were left out; `''` if it has none. Begins with a space. */
export function testsLeftOut(tests: number): string {
  if (tests === 0) return '';
  const files = tests === 1 ? '1 test file was' : `${tests} test files were`;
  return ` ${files} left out. Name a file to read it.`;
}

/** Prints the same as a line of its own. */
export function sayTests(tests: number, report: Report): void {
  if (tests > 0) report.say(testsLeftOut(tests).trim(), 'tests', { tests });
}

/** Whether a file was read. */
export function wasRead(each: ReadRoutes | NotRead): each is ReadRoutes {
  return 'routes' in each;
}

async function readFile(
  path: string,
  text: string,
  { framework }: Selection,
  code: typeof Codegen,
): Promise<ReadRoutes> {
  const file = path.replaceAll('\\', '/');
  const { source, project } = await code.sourceInProject(file, text, diskFiles, framework);
  return { path, file, source, project, routes: code.findRoutes(source) };
}

/**
 * Yields the routes of a file, or of each readable script in a folder, without its tests.
 * @throws CliError if the file or folder itself cannot be read
 */
export async function* routesUnder(
  folder: string,
  selection: Selection,
  code: typeof Codegen,
): AsyncGenerator<ReadRoutes> {
  for await (const each of routesAndGaps(folder, selection, code)) if (wasRead(each)) yield each;
}

/**
 * The same, and at the end what it could not read.
 * @throws CliError if the file or folder itself cannot be read
 */
export async function* routesAndGaps(
  folder: string,
  selection: Selection,
  code: typeof Codegen,
): AsyncGenerator<ReadRoutes | NotRead> {
  const root = resolve(folder);
  if (!existsSync(root)) throw new CliError('usage', `${folder} does not exist.`);
  if (!statSync(root).isDirectory()) {
    const read = await readFile(root, readSource(root, folder), selection, code);
    yield read;
    const reason = code.whyUnread(read.source);
    if (reason !== undefined) yield { unread: [{ path: root, reason }], tests: 0 };
    return;
  }
  const { paths, unread } = scriptsIn(root);
  const gaps = [...unread];
  let tests = 0;
  for (const path of paths) {
    const found = readSourceOrReason(path);
    if (!('text' in found)) {
      gaps.push(found);
      continue;
    }
    if (code.isTestFile(relative(root, path), found.text)) {
      tests += 1;
      continue;
    }
    const read = await readFile(path, found.text, selection, code);
    const reason = code.whyUnread(read.source);
    if (reason !== undefined) gaps.push({ path, reason });
    yield read;
  }
  yield { unread: gaps, tests };
}

async function inFolder(
  folder: string,
  named: string,
  selection: Selection,
  code: typeof Codegen,
): Promise<Target> {
  if (selection.route === undefined) {
    throw new CliError(
      'usage',
      `${named} is a folder. Name a file as FILE:LINE, or a route as --route "GET /path"; svc-x402 list ${named} shows them.`,
    );
  }
  const found: Target[] = [];
  let tests = 0;
  for await (const read of routesAndGaps(folder, selection, code)) {
    if (!wasRead(read)) {
      ({ tests } = read);
      continue;
    }
    for (const _ of code.routesNamed(read.routes, selection.route)) {
      found.push({ ...read, named: read.path, line: undefined, column: undefined });
    }
  }
  const [only] = found;
  if (only && found.length === 1) return only;
  throw new CliError(
    'usage',
    only
      ? `${selection.route} is registered in several places. Name the file:\n${found.map(({ path }) => `  ${path}`).join('\n')}`
      : `No route ${selection.route} was found in ${named}.${testsLeftOut(tests)}`,
  );
}

/**
 * Chooses a route by its name or line, or because it is the only one in the file.
 * @throws CliError when none or several match; it lists the routes
 */
export function chosenRoute(
  { source, line, column, named }: Target,
  routes: readonly Codegen.Route[],
  name: string | undefined,
  code: Pick<
    typeof Codegen,
    'clientsIn' | 'soldByProxy' | 'lineNumber' | 'columnNumber' | 'routesAtLine' | 'routesNamed'
  >,
): Codegen.Route {
  const [first] = routes;
  if (!first) {
    const clients = code.clientsIn(source);
    const servers = clients.length === 1 ? 'which is not a server' : 'which are not servers';
    const why =
      clients.length > 0 ? ` It contains calls to ${clients.join(', ')}, ${servers}.` : '';
    const how = why === '' ? code.soldByProxy(source) : undefined;
    throw new CliError('failed', `No endpoint was found in ${named}.${why}${how ? ` ${how}` : ''}`);
  }
  const { text } = source;
  let meant = routes;
  if (line !== undefined) {
    const there = code.routesAtLine(text, routes, line, column);
    if (there === undefined) {
      throw new CliError('usage', `${named} has no line ${line}${column ? `:${column}` : ''}.`);
    }
    meant = there;
  }
  if (name !== undefined) meant = code.routesNamed(meant, name);
  const [only] = meant;
  if (only && meant.length === 1) return only;
  const rows = (meant.length > 0 ? meant : routes).map((route) => {
    const state = route.gated ? '  (paid)' : route.refusal ? '  (not possible)' : '';
    const { start } = route.range;
    const place = `${code.lineNumber(text, start)}${meant.length > 1 && line !== undefined ? `:${code.columnNumber(text, start)}` : ''}`;
    return `  :${place}  ${route.method} ${route.mounted ?? route.path}${state}`;
  });
  const asked = name ?? `line ${line}`;
  const said =
    line === undefined && name === undefined
      ? `There are several endpoints in ${named}. Name the line of one as FILE:LINE, or use --route "GET /path":`
      : meant.length === 0
        ? `No endpoint in ${named} is at ${asked}. Its endpoints are:`
        : `Several endpoints in ${named} are at ${asked}. Name one as FILE:LINE:COLUMN:`;
  throw new CliError('usage', `${said}\n${rows.join('\n')}`);
}
