import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'build', 'bench', 'facilitator');
const SQLITE = 'node-sqlite3-wasm.wasm';

/**
 * Bundles a program of this folder in the same way as the service. A TypeScript loader sets each function's name whenever it is
 * created, a cost that the shipped code does not have.
 * @returns the file to run
 */
export async function bundled(name: string): Promise<string> {
  const outfile = join(folder, basename(name).replace(/\.ts$/, '.cjs'));
  mkdirSync(folder, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: [join('bench', 'facilitator', name)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    target: 'node18',
    minify: true,
    external: ['pg-native'],
    supported: { 'dynamic-import': false },
    // Other files are expected beside the shipped bundles.
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'dist', 'server.js')).href),
    },
    banner: { js: "'use strict';globalThis.crypto ??= require('node:crypto').webcrypto;" },
    logLevel: 'warning',
  });
  // The library expects this one beside its own code.
  const library = createRequire(import.meta.url).resolve('node-sqlite3-wasm');
  copyFileSync(join(dirname(library), SQLITE), join(folder, SQLITE));
  return outfile;
}
