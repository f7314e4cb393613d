import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { cacheFolder } from './cacheFolder.ts';
import { CompiledFile } from './compiledFile.ts';

/** By then a service has started, and the functions that starting needs are compiled too. */
const WRITE_AFTER_MS = 3_000;

/** What Node calls for a file with this ending. */
type Load = (module: NodeJS.Module, path: string) => void;
type Wrapper = (
  exports: unknown,
  require: NodeJS.Require,
  module: NodeJS.Module,
  path: string,
  folder: string,
) => void;

/**
 * Keeps the compiled code of our bundles for the next start: compiling them takes longer than anything else there. Node does so
 * itself from 22.1 on; before that V8's code cache is used directly.
 */
export function keepCompiled(): void {
  const folder = cacheFolder();
  if (folder === undefined) return;
  if ('enableCompileCache' in nodeModule && typeof nodeModule.enableCompileCache === 'function') {
    nodeModule.enableCompileCache(folder);
    return;
  }
  const require = nodeModule.createRequire(import.meta.url);
  const ours = dirname(fileURLToPath(import.meta.url));
  const { extensions } = require as { extensions: Record<string, Load> };
  const load = extensions['.js'];
  if (load === undefined) return;
  extensions['.js'] = (module, path) => {
    if (dirname(path) === ours) loadKept(folder, module, path);
    else load(module, path);
  };
}

function loadKept(folder: string, module: NodeJS.Module, path: string): void {
  const kept = new CompiledFile(folder, path);
  const cachedData = kept.read();
  const source = nodeModule.wrap(readFileSync(path, 'utf8'));
  const script = new Script(source, { filename: path, ...(cachedData && { cachedData }) });
  const run = script.runInThisContext() as Wrapper;
  run.call(
    module.exports,
    module.exports,
    nodeModule.createRequire(path),
    module,
    path,
    dirname(path),
  );
  if (cachedData !== undefined && script.cachedDataRejected !== true) return;
  let written = false;
  const write = (): void => {
    if (written) return;
    written = true;
    kept.write(script.createCachedData());
  };
  setTimeout(write, WRITE_AFTER_MS).unref();
  process.once('exit', write);
}
