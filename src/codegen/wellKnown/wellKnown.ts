import type { Project, ProjectFiles } from '../packages/project.ts';
import { isSettings } from '../packages/settingsFile.ts';
import type { Route } from '../routes/route.ts';

/** The file in which an app lists what it sells: `/.well-known/x402`, as x402scan reads it. */
export interface WellKnown {
  /** Absolute, with `/`. */
  readonly path: string;
  /** `undefined` if the file does not exist. */
  readonly text: string | undefined;
}

/** The result of adding or removing a resource. */
export interface WellKnownChange {
  /** The new text; `undefined` if unchanged. */
  readonly text: string | undefined;
  /** What the user should know, in a sentence. */
  readonly note: string | undefined;
}

/** A route to list or remove, and the code that defines it. */
export interface ListedRoute {
  readonly route: Route;
  /** The code of its file. */
  readonly code: string;
}

/** Folders whose files are served under `/`. */
const STATIC_FOLDERS = ['public', 'static'];
const NAMES = ['x402', 'x402.json'];

/**
 * Finds a project's file, or the path for a new one.
 * @returns `undefined` if the project has no folder of static files
 */
export async function findWellKnown(
  { folder, manifest }: Project,
  files: ProjectFiles,
): Promise<WellKnown | undefined> {
  for (const place of STATIC_FOLDERS) {
    for (const name of NAMES) {
      const path = `${folder}/${place}/.well-known/${name}`;
      const text = await files.read(path);
      if (text !== undefined) return { path, text };
    }
  }
  for (const place of STATIC_FOLDERS) {
    if (await files.exists(`${folder}/${place}`)) return newIn(`${folder}/${place}`);
  }
  // Next.js serves this folder as soon as it exists.
  const isNext = { ...manifest.devDependencies, ...manifest.dependencies }['next'] !== undefined;
  return isNext ? newIn(`${folder}/public`) : undefined;
}

function newIn(folder: string): WellKnown {
  return { path: `${folder}/.well-known/x402`, text: undefined };
}

/**
 * Lists a route. Unless given, the origin is that of the other entries. A URL that a reader cannot fetch is not listed.
 * @param origin `https://api.example.com`
 */
export function listResource(
  { text }: WellKnown,
  listed: ListedRoute,
  origin: string | undefined,
): WellKnownChange {
  const document = text === undefined ? EMPTY : readDocument(text);
  if (document === undefined) return { text: undefined, note: NOT_KNOWN };
  const { resources } = document;
  const at = origin ?? originOf(resources);
  if (at === undefined) return { text: undefined, note: NO_ORIGIN };
  const path = servedPath(listed);
  if (path === undefined) return { text: undefined, note: notFetched(listed) };
  const url = new URL(path, at).href;
  if (resources.includes(url)) return { text: undefined, note: undefined };
  const next = { ...document, resources: [...resources, url].sort() };
  const isNew = text === undefined && listed.route.framework === 'express';
  return { text: print(next, text), note: isNew ? EXPRESS_HIDES : undefined };
}

/**
 * Removes a route.
 * @param others the routes that are still paid: another method can have the same URL
 */
export function unlistResource(
  { text }: WellKnown,
  listed: ListedRoute,
  others: readonly Route[],
): WellKnownChange {
  const unchanged = { text: undefined, note: undefined };
  const document = text === undefined ? undefined : readDocument(text);
  const origin = document && originOf(document.resources);
  const path = servedPath(listed);
  if (!document || origin === undefined || path === undefined) return unchanged;
  if (others.some((other) => servedPath({ ...listed, route: other }) === path)) return unchanged;
  const { href } = new URL(path, origin);
  const resources = document.resources.filter((url) => url !== href);
  if (resources.length === document.resources.length) return unchanged;
  return { text: print({ ...document, resources }, text), note: undefined };
}

const NOT_KNOWN =
  '/.well-known/x402 of this app does not have the form {"version": 1, "resources": ["https://…"]}, so it was not changed. Add the endpoint by hand.';
const EXPRESS_HIDES =
  "express.static of Express 5 serves /.well-known with { dotfiles: 'allow' } only.";
const NO_ORIGIN =
  '/.well-known/x402 of this app lists nothing yet, so its origin is unknown. Run the command with --origin.';

function notFetched({ route }: ListedRoute): string {
  const why =
    route.params.length > 0 || /[:*{]/.test(pathOf(route))
      ? 'its path stands for many URLs'
      : 'this file does not show the path below which its router is mounted';
  return `${route.method} ${pathOf(route)} is not listed in /.well-known/x402, because ${why}. Add a URL that can be fetched by hand.`;
}

interface Document {
  readonly version: 1;
  readonly resources: readonly string[];
}

const EMPTY: Document = { version: 1, resources: [] };

/** Reads the file, which anyone might have written. Other members stay. */
function readDocument(text: string): Document | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isSettings(value) || value['version'] !== 1) return undefined;
  const { resources } = value;
  if (!Array.isArray(resources)) return undefined;
  const urls = resources.filter((one): one is string => typeof one === 'string' && isUrl(one));
  return urls.length === resources.length ? { ...value, version: 1, resources: urls } : undefined;
}

function isUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The origin of all entries; `undefined` if there are several or none. */
function originOf(resources: readonly string[]): string | undefined {
  const [origin, ...others] = new Set(resources.map((url) => new URL(url).origin));
  return others.length === 0 ? origin : undefined;
}

function pathOf({ path, mounted = path }: Route): string {
  return mounted;
}

/** Calls that create an app, not a router that is mounted elsewhere. */
const APP = String.raw`(?:express|fastify|Fastify|new\s+(?:OpenAPI)?Hono)\s*(?:<[^=;]{0,200}>)?\s*\(`;

/** The path under which a reader fetches the route; `undefined` if the code does not show one. */
function servedPath({ route, code }: ListedRoute): string | undefined {
  const path = pathOf(route);
  if (route.params.length > 0 || !/^\/[\w./~%-]*$/.test(path)) return undefined;
  if (route.framework === 'next-app' || route.mounted !== undefined) return path;
  const on = /^[\w$]+/.exec(code.slice(route.call.start));
  if (on === null) return undefined;
  const name = on[0].replaceAll('$', String.raw`\$`);
  return new RegExp(String.raw`\b${name}\b[^=;]{0,200}=\s*${APP}`).test(code) ? path : undefined;
}

function print(document: Document, before: string | undefined): string {
  const indent = /^[ \t]+(?=")/m.exec(before ?? '')?.[0] ?? '  ';
  return `${JSON.stringify(document, null, indent)}\n`;
}
