import { cacheFolder } from './cacheFolder.ts';

/** Commands that a person waits for. Each has its own compiled code, because commands run different functions. */
const KEPT: ReadonlySet<string> = new Set(['dev', 'ledger', 'facilitator', 'mcp']);

/**
 * Caches the compiled code of our bundles for the next start, where compiling takes longer than anything else. Node's own cache
 * (`module.enableCompileCache`, from 22.1 on) omits most functions that a start runs, and saves half as much time.
 * @param command the command to run; commands that do not serve share one cache
 */
export async function keepCompiled(command: string | undefined): Promise<void> {
  const folder = cacheFolder();
  if (folder === undefined) return;
  const use = command !== undefined && KEPT.has(command) ? command : '';
  (await import('./loadKept.ts')).loadKept(folder, use);
}
