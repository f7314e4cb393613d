import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ts } from 'ts-morph';

const root = fileURLToPath(new URL('../../', import.meta.url));
const published = join(root, 'examples', 'paid-api', 'package.json');
const declared = join(root, 'test', 'codegen', 'declarations');

/** Packages whose types are written out here; those of x402 are the published ones, but for two. */
const DECLARATIONS: Readonly<Record<string, string>> = {
  express: 'express.d.ts',
  fastify: 'fastify.d.ts',
  'next/server': 'next-server.d.ts',
  '@x402/fastify': 'x402/fastify.d.ts',
  '@x402/hono': 'x402/hono.d.ts',
  '@x402/next': 'x402/next.d.ts',
};

/** Strict, with what bundlers resolve. */
const strict: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
  strict: true,
  allowJs: true,
  checkJs: true,
  jsx: ts.JsxEmit.Preserve,
  skipLibCheck: true,
  noEmit: true,
  experimentalDecorators: true,
};

/** Packages whose types an adapter and an app have to share. */
const SHARED = /^(express|express-serve-static-core|fastify|hono|next)(\/|$)/;

/**
 * The complaints of the compiler about texts, by the path of each.
 * @param project the folder of the package that the texts belong to, where it has its packages installed
 */
export function complaints(
  texts: ReadonlyMap<string, string>,
  project?: string,
): ReadonlyMap<string, readonly string[]> {
  const options = project === undefined ? strict : { ...strict, ...aliasesOf(project) };
  const host = ts.createCompilerHost(options, true);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getDefaultLibLocation = () => join(root, 'node_modules', 'typescript', 'lib');
  host.getSourceFile = (path, language, ...rest) => {
    const text = texts.get(path);
    return text === undefined
      ? getSourceFile.call(host, path, language, ...rest)
      : ts.createSourceFile(path, text, language, true);
  };
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text: name }) => {
      const installed = project === undefined ? undefined : inProject(project, name, from);
      if (installed?.resolvedModule) return installed;
      const own = DECLARATIONS[name];
      if (own !== undefined) return resolved(join(declared, own));
      // Corpus and declarations see what the example has installed, then what the project has.
      const outside = from.startsWith(declared) || texts.has(from);
      const start = outside ? published : from;
      const found = ts.resolveModuleName(name, start, options, host);
      return found.resolvedModule || !outside
        ? found
        : ts.resolveModuleName(name, join(root, 'package.json'), options, host);
    });
  // Adapters that are not installed there see the frameworks that are.
  function inProject(folder: string, name: string, from: string) {
    const within = from.startsWith(`${folder}/`);
    if (!within && !SHARED.test(name)) return undefined;
    return ts.resolveModuleName(name, within ? from : join(folder, 'package.json'), options, host);
  }
  const program = ts.createProgram([...texts.keys()], options, host);
  return new Map(
    [...texts.keys()].map((path) => {
      const file = program.getSourceFile(path);
      assert.ok(file);
      const found = [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
      ];
      return [
        path,
        found.map(
          ({ code, messageText }) =>
            `TS${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
        ),
      ];
    }),
  );
}

/** What a project calls its own files by; it is judged as strictly as all others. */
function aliasesOf(project: string): ts.CompilerOptions {
  const path = join(project, 'tsconfig.json');
  if (!ts.sys.fileExists(path)) return {};
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file)) as {
    readonly config?: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config ?? {}, ts.sys, project);
  const { baseUrl, paths, pathsBasePath, jsxImportSource } = options;
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(paths === undefined ? {} : { paths }),
    ...(pathsBasePath === undefined ? {} : { pathsBasePath }),
    ...(jsxImportSource === undefined ? {} : { jsxImportSource }),
  };
}

function resolved(path: string): ts.ResolvedModuleWithFailedLookupLocations {
  return { resolvedModule: { resolvedFileName: path, extension: ts.Extension.Dts } };
}

/** The complaints about texts that the same texts did not have before. */
export function newComplaints(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  project?: string,
): ReadonlyMap<string, readonly string[]> {
  const old = complaints(before, project);
  return new Map(
    [...complaints(after, project)].map(([path, found]) => {
      const known = old.get(path) ?? [];
      const left = [...known];
      // What an app is made on has no type in JavaScript, nor where its package is not installed,
      // and then the handlers have none either, the file's own included.
      const untyped =
        /\.[cm]?js$/.test(path) ||
        known.some((each) => /^TS2307 Cannot find module '[^.]/.test(each));
      const fresh = found.filter((complaint) => {
        if (untyped && /^TS70(06|19) /.test(complaint)) return false;
        // A module that is not here is not found in a second statement either.
        if (complaint.startsWith('TS2307 ') && known.includes(complaint)) return false;
        const index = left.indexOf(complaint);
        if (index >= 0) left.splice(index, 1);
        return index < 0;
      });
      return [path, fresh];
    }),
  );
}
