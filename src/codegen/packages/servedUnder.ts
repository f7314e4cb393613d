import { ts } from 'ts-morph';
import { joined } from '../routes/mounts.ts';
import type { Route } from '../routes/route.ts';
import { Bindings } from '../source/bindings.ts';
import { parseSource, unlessTooDeep } from '../source/sourceFile.ts';
import { isMethodCall, walk } from '../source/syntax.ts';
import { bare, constantObject, importedFrom, property, staticText } from '../source/values.ts';
import { candidates, leadsTo } from './honoMounts.ts';
import { type ProjectFiles, withBudget } from './project.ts';

/** Characters that are parsed of all files that may mount a router. */
const MAX_CHARACTERS = 200_000;
/** Maximum number of routers in routers, and of files that mount each other. */
const DEEPEST = 3;
const MOUNTS = /\.(?:use|register)\s*\(/;

/** A route of a file in a project. */
interface PlacedRoute {
  /** With `/`. */
  readonly file: string;
  readonly text: string;
  /** Folder of the nearest package.json. */
  readonly folder: string;
  readonly route: Pick<Route, 'framework' | 'call'>;
}

/**
 * Returns the path before that of an Express or Fastify route in URLs: where its own file or another one mounts its router or
 * plugin, as `app.use('/api', router)` and `app.register(plugin, { prefix: '/api' })` do. A payment does not depend on it.
 * @returns `''` if the code shows none; the first if there are several
 */
export async function servedUnder(
  { file, text, folder, route }: PlacedRoute,
  files: ProjectFiles,
): Promise<string> {
  if (route.framework !== 'express' && route.framework !== 'fastify') return '';
  const source = unlessTooDeep(() => new Mounting(file, text), undefined);
  const own = source?.prefixAt(route.call.start) ?? '';
  const moderate = withBudget(files, MAX_CHARACTERS, (other) => MOUNTS.test(other));
  return joined(await outside(file, folder, moderate, [file]), own);
}

async function outside(
  file: string,
  folder: string,
  files: ProjectFiles,
  seen: readonly string[],
): Promise<string> {
  if (seen.length > DEEPEST) return '';
  for (const path of candidates(file, folder)) {
    if (seen.includes(path)) continue;
    const text = await files.read(path);
    if (text === undefined || !MOUNTS.test(text)) continue;
    const found = unlessTooDeep(
      () => new Mounting(path, text).prefixOf((module) => leadsTo(module, path, file, folder)),
      undefined,
    );
    if (found !== undefined)
      return joined(await outside(path, folder, files, [...seen, path]), found);
  }
  return '';
}

/** What is mounted by a call, and where. */
interface Mount {
  readonly path: string;
  readonly mounted: readonly ts.Expression[];
  readonly on: ts.Expression;
}

/** The calls of a file that mount routers and plugins. */
class Mounting {
  readonly #file: ts.SourceFile;
  readonly #bindings = new Bindings();
  readonly #mounts: readonly Mount[];

  constructor(path: string, text: string) {
    this.#file = parseSource(path, text);
    const mounts: Mount[] = [];
    walk(this.#file, (node) => {
      const mount = isMethodCall(node) ? this.#mount(node) : undefined;
      if (mount) mounts.push(mount);
    });
    this.#mounts = mounts;
  }

  /** The path of what is imported from a module; `undefined` if this file does not mount it. */
  prefixOf(isModule: (module: string) => boolean): string | undefined {
    const mount = this.#mounts.find(({ mounted }) =>
      mounted.some((each) => isModule(this.#moduleOf(each) ?? '')),
    );
    return mount && joined(this.prefixAt(mount.on.getStart()), mount.path);
  }

  /** The path of what a statement is registered on, which begins at an offset. */
  prefixAt(offset: number, depth = 0): string {
    const names = this.#namesAt(offset);
    const mount = this.#mounts.find(
      ({ mounted, on }) =>
        on.getStart() !== offset &&
        mounted.some((each) => ts.isIdentifier(each) && names.includes(each.text)),
    );
    if (mount === undefined || depth > DEEPEST) return '';
    return joined(this.prefixAt(mount.on.getStart(), depth + 1), mount.path);
  }

  #mount(call: ts.CallExpression & { readonly expression: ts.PropertyAccessExpression }) {
    const { name, expression: on } = call.expression;
    const [first, second, ...others] = call.arguments;
    if (!first || (name.text !== 'use' && name.text !== 'register')) return undefined;
    if (name.text === 'use') {
      const path = staticText(first, this.#bindings);
      const mounted = [
        ...(path === undefined ? [first] : []),
        ...(second ? [second] : []),
        ...others,
      ];
      return { path: path ?? '', mounted: mounted.map(bare), on };
    }
    const options = second && constantObject(second, this.#bindings);
    const prefix = options && property(options, 'prefix');
    const path = prefix && staticText(prefix, this.#bindings);
    return { path: path ?? '', mounted: [bare(first)], on };
  }

  /** `router` of an import, `require('./router')`, `import('./router')`. */
  #moduleOf(expression: ts.Expression): string | undefined {
    if (
      ts.isCallExpression(expression) &&
      expression.expression.kind === ts.SyntaxKind.ImportKeyword
    ) {
      const [module] = expression.arguments;
      return module && ts.isStringLiteralLike(module) ? module.text : undefined;
    }
    return importedFrom(expression, this.#bindings)?.module;
  }

  /** The name at an offset, and those of the functions around it, which can be plugins. */
  #namesAt(offset: number): readonly string[] {
    const names: string[] = [];
    const look = (node: ts.Node): void => {
      if (node.getStart() > offset || node.end <= offset) return;
      if (ts.isIdentifier(node) && node.getStart() === offset) names.push(node.text);
      if (ts.isFunctionDeclaration(node) && node.name) names.push(node.name.text);
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) names.push(node.name.text);
      ts.forEachChild(node, look);
    };
    look(this.#file);
    return names;
  }
}
