import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { CompiledFile } from './compiledFile.ts';

/** Time by which a service has started, so that the functions needed for the start are compiled. */
const WRITE_AFTER_MS = 3_000;

/** The loader that Node calls for files with this extension. */
type Load = (module: NodeJS.Module, path: string) => void;
type Wrapper = (
  exports: unknown,
  require: NodeJS.Require,
  module: NodeJS.Module,
  path: string,
  folder: string,
) => void;

/**
 * Caches the compiled code of the bundles next to this one in a folder.
 * @param use the purpose they are run for
 */
export function loadKept(folder: string, use: string): void {
  const require = nodeModule.createRequire(import.meta.url);
  const ours = dirname(fileURLToPath(import.meta.url));
  const { extensions } = require as { extensions: Record<string, Load> };
  const load = extensions['.js'];
  if (load === undefined) return;
  extensions['.js'] = (module, path) => {
    if (dirname(path) === ours) loadBundle(new CompiledFile(folder, path, use), module, path);
    else load(module, path);
  };
}

function loadBundle(kept: CompiledFile, module: NodeJS.Module, path: string): void {
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
