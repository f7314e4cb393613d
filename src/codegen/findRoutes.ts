import type { ts } from 'ts-morph';
import { comparesHead, type MarkedBlock, markedBlocks } from './gate/markers.ts';
import { markGated } from './gate/markGated.ts';
import { decoratedRoutes } from './routes/decoratedRoutes.ts';
import { type FoundRoute, publicRoute } from './routes/foundRoute.ts';
import {
  evidenceOf,
  importedClients,
  type Surroundings,
  unsoldServer,
} from './routes/frameworks.ts';
import { nextRoutes } from './routes/nextRoutes.ts';
import { registeredRoutes } from './routes/registeredRoutes.ts';
import { type Route, SELL_BY_PROXY } from './routes/route.ts';
import { Bindings } from './source/bindings.ts';
import { lineNumber } from './source/lines.ts';
import { parseSource, scriptExtension, syntaxErrors, unlessTooDeep } from './source/sourceFile.ts';

/** The text of a file and its path; the path determines the language and identifies Next.js routes. */
export interface SourceText extends Surroundings {
  /** With `/` or `\`, relative to the folder of its package.json, or absolute if it has none. */
  readonly path: string;
  readonly text: string;
}

/** A file, parsed once for all uses. */
export interface ReadFile {
  readonly file: ts.SourceFile;
  readonly bindings: Bindings;
  readonly routes: readonly FoundRoute[];
  /** Line of the first syntax error. */
  readonly brokenLine: number | undefined;
}

/**
 * Finds the endpoints of a file from its syntax tree alone, in text order. It executes nothing and reads no other files or
 * types, so it is fast enough for every key press.
 */
export function findRoutes(source: SourceText): readonly Route[] {
  const { path, text } = source;
  if (scriptExtension(path) === undefined || !mayHoldRoutes(path, text)) return [];
  return unlessTooDeep(() => readRoutes(source).routes, []).map(publicRoute);
}

/**
 * Returns why `findRoutes` cannot read a file, so that no endpoint found does not mean that there is none.
 * @returns `undefined` for a file that it reads
 */
export function whyUnread(source: SourceText): string | undefined {
  const { path, text } = source;
  if (scriptExtension(path) === undefined || !mayHoldRoutes(path, text)) return undefined;
  const why = 'Its code is nested too deeply to read.';
  return unlessTooDeep(() => {
    readRoutes(source);
    return undefined;
  }, why);
}

/** Names of the clients, mock servers and test drivers that a file imports, whose calls look like routes. */
export function clientsIn({ path, text }: SourceText): readonly string[] {
  if (scriptExtension(path) === undefined) return [];
  return unlessTooDeep(() => importedClients(parseSource(path, text)), []);
}

/** How to sell the endpoints of a file in which none was found, if it is part of a server that only a proxy can sell. */
export function soldByProxy(source: SourceText): string | undefined {
  const { path, text } = source;
  const name = scriptExtension(path) && unsoldServer(path.replaceAll('\\', '/'), text, source);
  return name && `This is code of ${name}. ${SELL_BY_PROXY}`;
}

/** The same as `findRoutes`, including the syntax nodes. */
export function readRoutes(source: SourceText): ReadFile {
  const { path, text } = source;
  const file = parseSource(path, text);
  const bindings = new Bindings(source.origins);
  const blocks = markedBlocks(text);
  const found = [
    ...nextRoutes(file, bindings),
    ...registeredRoutes(file, bindings, evidenceOf(file, source), source.mounts),
    ...decoratedRoutes(file, bindings),
  ]
    .filter((route) => !ours(text, blocks, route))
    .sort((a, b) => a.range.start - b.range.start);
  const [error] = syntaxErrors(file);
  return {
    file,
    bindings,
    routes: markGated(file, found, bindings),
    brokenLine: error && lineNumber(text, error.start),
  };
}

/** A marked block registers the payment of a route, not a separate endpoint. */
function ours(
  text: string,
  blocks: readonly MarkedBlock[],
  { framework, method, range }: Route,
): boolean {
  if (framework === 'next-app' && method !== 'HEAD') return false;
  const code = text.slice(range.start, range.end);
  // A statement that somebody wrote between the marks still counts as a route.
  return (
    (method === 'HEAD' ||
      /\bpaymentMiddleware\w*\(|\bpayTo:/i.test(code) ||
      comparesHead(code) ||
      isEngineGate(code)) &&
    blocks.some(({ start, end }) => start <= range.start && range.end <= end)
  );
}

/** A gate of our own engine has no handler beside its terms. */
function isEngineGate(code: string): boolean {
  return /\.(?:node|hono)\(\{\s*price:/.test(code) && !/=>|\bfunction\b/.test(code);
}

/** A quick check of the text, to avoid parsing files that cannot have a route. */
function mayHoldRoutes(path: string, text: string): boolean {
  return (
    /[\\/](?:route\.[cm]?[jt]sx?$|pages[\\/]api[\\/])/.test(`/${path}`) ||
    /[.@]\s*(get|post|put|patch|delete|head|options|all|route|openapi|on)\s*[(<]/i.test(text) ||
    // A table of routes: [{ method: 'GET', url: '/x', handler }]
    (/\bmethod\b/.test(text) && /\burl\b/.test(text) && /\bhandler\b/.test(text)) ||
    // import { Get as Read } from '@nestjs/common'
    /\b(get|post|put|patch|delete)\s+as\s/i.test(text)
  );
}
