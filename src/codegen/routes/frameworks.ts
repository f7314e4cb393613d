import { ts } from 'ts-morph';
import type { Origins } from '../source/bindings.ts';
import { packageName } from '../source/moduleNames.ts';
import type { Registering } from './pathPattern.ts';

/** The role of a package in a call such as `x.get('/path', …)`. */
export type PackageRole =
  | { readonly kind: 'sold'; readonly framework: Registering }
  /** A server whose routes cannot have payments, because no payment adapter is published for it. */
  | { readonly kind: 'other'; readonly name: string }
  /** Calls a server, or mocks one in tests. */
  | { readonly kind: 'client'; readonly name: string };

const SOLD: Readonly<Record<string, Registering>> = {
  express: 'express',
  'express-promise-router': 'express',
  'express-ws': 'express',
  fastify: 'fastify',
  'fastify-plugin': 'fastify',
  '@fastify/autoload': 'fastify',
  hono: 'hono',
};

const OTHERS: Readonly<Record<string, string>> = {
  koa: 'Koa',
  'koa-router': 'Koa',
  '@koa/router': 'Koa',
  'koa-tree-router': 'Koa',
  '@hapi/hapi': 'hapi',
  hapi: 'hapi',
  restify: 'restify',
  polka: 'Polka',
  elysia: 'Elysia',
  h3: 'h3',
  'itty-router': 'itty-router',
  '@tinyhttp/app': 'tinyhttp',
  'hyper-express': 'HyperExpress',
  'uWebSockets.js': 'uWebSockets.js',
  restana: 'restana',
  oak: 'Oak',
  '@oak/oak': 'Oak',
  '@adonisjs/core': 'AdonisJS',
  '@sveltejs/kit': 'SvelteKit',
  nitropack: 'Nitro',
  nitro: 'Nitro',
  '@remix-run/node': 'Remix',
  '@remix-run/express': 'Remix',
  '@react-router/node': 'React Router',
  '@trpc/server': 'tRPC',
  'graphql-yoga': 'GraphQL',
  '@apollo/server': 'GraphQL',
  'apollo-server': 'GraphQL',
  encore: 'Encore',
};

const CLIENTS: Readonly<Record<string, string>> = {
  axios: 'axios',
  got: 'got',
  ky: 'ky',
  superagent: 'superagent',
  supertest: 'supertest',
  request: 'request',
  needle: 'needle',
  undici: 'undici',
  ofetch: 'ofetch',
  wretch: 'wretch',
  msw: 'MSW',
  nock: 'nock',
  miragejs: 'Mirage',
  'fetch-mock': 'fetch-mock',
  'axios-mock-adapter': 'axios-mock-adapter',
  'chai-http': 'chai-http',
  'light-my-request': 'light-my-request',
  cypress: 'Cypress',
  '@playwright/test': 'Playwright',
  playwright: 'Playwright',
  '@angular/common/http': 'Angular',
  'hono/client': 'Hono’s client',
};

/** The role of a package by its name; `undefined` for one that is unrelated to routes. */
export function packageRole(module: string): PackageRole | undefined {
  if (Object.hasOwn(CLIENTS, module)) return { kind: 'client', name: CLIENTS[module] ?? module };
  if (Object.hasOwn(SOLD, module)) return { kind: 'sold', framework: SOLD[module] ?? 'express' };
  if (Object.hasOwn(OTHERS, module)) return { kind: 'other', name: OTHERS[module] ?? module };
  if (/^@fastify\//.test(module)) return { kind: 'sold', framework: 'fastify' };
  if (/^(hono\/|@hono\/)/.test(module)) return { kind: 'sold', framework: 'hono' };
  if (/^@remix-run\//.test(module)) return { kind: 'other', name: 'Remix' };
  if (/^@nestjs\//.test(module)) return { kind: 'other', name: 'NestJS' };
  if (/^@(koa|hapi)\//.test(module)) {
    return { kind: 'other', name: module.startsWith('@koa') ? 'Koa' : 'hapi' };
  }
  return undefined;
}

/** What is known about a file's project before its calls are read. */
export interface Surroundings {
  /** Names of the packages that the nearest package.json requires; `undefined` if it was not read. */
  readonly dependencies?: readonly string[] | undefined;
  /** The framework that the user named for the file's routes. */
  readonly framework?: Registering | undefined;
  /** Where imports from other files of the project, and aliases of an import map, lead. */
  readonly origins?: Origins | undefined;
  /** Paths at which other files mount this file's exports. */
  readonly mounts?: Readonly<Record<string, string>> | undefined;
}

/** Servers that a file and its project point to, closest evidence first. */
export interface Evidence {
  readonly said: Registering | undefined;
  /** Imports of the file itself. */
  readonly file: readonly PackageRole[];
  /** Servers in the manifest; `undefined` if no manifest was read. */
  readonly manifest: readonly PackageRole[] | undefined;
  /** The file drives or mocks servers in tests. */
  readonly drives: boolean;
  /** The project has chanfana, which registers classes on other packages' servers. */
  readonly classes: boolean;
}

const TEST_DRIVERS = new Set(['Playwright', 'MSW', 'Cypress', 'supertest', 'nock', 'Mirage']);

/** Collects what a file imports and what its project depends on. */
export function evidenceOf(file: ts.SourceFile, around: Surroundings): Evidence {
  const modules = importedModules(file, around.origins);
  return {
    said: around.framework,
    file: servers(modules),
    manifest: around.dependencies && servers(around.dependencies),
    drives: modules.some((module) => TEST_DRIVERS.has(CLIENTS[module] ?? '')),
    classes: around.dependencies?.includes('chanfana') === true,
  };
}

/** The only server that the evidence points to, or the names of several, or none. */
export function likelyServer(evidence: Evidence): PackageRole | readonly PackageRole[] | undefined {
  const candidates = evidence.file.length > 0 ? evidence.file : (evidence.manifest ?? []);
  return candidates.length > 1 ? candidates : candidates[0];
}

export function roleName(role: PackageRole): string {
  if (role.kind !== 'sold') return role.name;
  return { express: 'Express', fastify: 'Fastify', hono: 'Hono' }[role.framework];
}

const ON_OTHERS = ['NestJS', 'tRPC', 'GraphQL', 'Remix', 'React Router', 'Nitro'];

/** Forms of endpoints without a call that registers them, by the path of the file or by its text. */
const FORMS: readonly (readonly [
  name: string,
  path: RegExp | undefined,
  text: RegExp | undefined,
])[] = [
  ['SvelteKit', /(^|\/)\+server\.[jt]s$/, undefined],
  [
    'Nitro',
    /^(?=.*\.[cm]?[jt]s$)(?:.*?\/)?server\/(?:api|routes)\/./,
    /\b(defineEventHandler|eventHandler)\s*\(/,
  ],
  ['h3', undefined, /\b(defineEventHandler|eventHandler)\s*\(/],
];

/**
 * Returns the server framework that a file belongs to, if no change of its code can sell its endpoints.
 * @returns `undefined` for a framework that is sold, and for a file that shows none
 */
export function unsoldServer(path: string, text: string, around: Surroundings): string | undefined {
  for (const [name, inPath, inText] of FORMS) {
    if ((inPath?.test(path) ?? true) && (inText?.test(text) ?? true)) return name;
  }
  const imported = [...text.matchAll(/\b(?:from|require\()\s*['"]([^'"\n]{1,200})['"]/g)];
  const own = servers(imported.map(([, module = '']) => module));
  const found = own.length > 0 ? own : servers(around.dependencies ?? []);
  const [first] = found;
  return first && found.every(({ kind }) => kind === 'other') ? roleName(first) : undefined;
}

function servers(modules: readonly string[]): readonly PackageRole[] {
  const found = new Map<string, PackageRole>();
  for (const module of modules) {
    const role = packageRole(module);
    if (role && role.kind !== 'client') found.set(roleName(role), role);
  }
  // These run on another server, and have routes of forms of their own.
  for (const name of ON_OTHERS) if (found.size > 1) found.delete(name);
  return [...found.values()];
}

/** Names of a file's imports that call servers, or mock them in tests. */
export function importedClients(file: ts.SourceFile): readonly string[] {
  const roles = importedModules(file).map(packageRole);
  return [...new Set(roles.flatMap((role) => (role?.kind === 'client' ? [role.name] : [])))];
}

function importedModules(file: ts.SourceFile, origins: Origins = {}): readonly string[] {
  const modules = file.statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      return [statement.moduleSpecifier.text];
    }
    return [];
  });
  const required = [...file.text.matchAll(/\brequire\(\s*['"]([^'"]+)['"]\s*\)/g)];
  const named = [...modules, ...required.map(([, module = '']) => module)];
  const led = Object.entries(origins)
    .filter(([key]) => named.some((module) => key === module || key.startsWith(`${module} `)))
    .map(([, { module }]) => module);
  return [...named, ...led].map(packageName);
}
