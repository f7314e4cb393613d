import { cacheFolder } from './cacheFolder.ts';

/** Commands that a person waits for. Each has compiled code of its own: what one runs, another has no use for. */
const KEPT: ReadonlySet<string> = new Set(['dev', 'ledger', 'facilitator', 'mcp']);

/**
 * Keeps the compiled code of our bundles for the next start: compiling them takes longer than anything else there. Node's own cache
 * (`module.enableCompileCache`, from 22.1 on) leaves out most functions that a start runs, and saves half as much.
 * @param command what runs; others than those that serve share theirs
 */
export async function keepCompiled(command: string | undefined): Promise<void> {
  const folder = cacheFolder();
  if (folder === undefined) return;
  const use = command !== undefined && KEPT.has(command) ? command : '';
  (await import('./loadKept.ts')).loadKept(folder, use);
}
