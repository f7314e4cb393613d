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
const options: ts.CompilerOptions = {
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

/** The complaints of the compiler about texts, by the path of each. */
export function complaints(
  texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
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

function resolved(path: string): ts.ResolvedModuleWithFailedLookupLocations {
  return { resolvedModule: { resolvedFileName: path, extension: ts.Extension.Dts } };
}

/** The complaints about texts that the same texts did not have before. */
export function newComplaints(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
  const old = complaints(before);
  return new Map(
    [...complaints(after)].map(([path, found]) => {
      const left = [...(old.get(path) ?? [])];
      const fresh = found.filter((complaint) => {
        // What an app is made on has no type in JavaScript, nor where its package is not installed,
        // and then the handlers have none either, the file's own included.
        const untyped = /\.[cm]?js$/.test(path) || left.some((each) => each.startsWith('TS2307 '));
        if (untyped && /^TS70(06|19) /.test(complaint)) return false;
        const index = left.indexOf(complaint);
        if (index >= 0) left.splice(index, 1);
        return index < 0;
      });
      return [path, fresh];
    }),
  );
}
