import type { SpendingStore } from './sessionBudget.ts';

/** What is used of `node:fs/promises`. */
interface Files {
  readFile(path: string, encoding: 'utf8'): Promise<string>;
  writeFile(path: string, text: string, options: { mode: number; flush?: boolean }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

/**
 * Keeps the spending of a session in a file, for Node, Bun and Deno. The file is replaced whole, and only
 * its owner can read it. Use one file for each process.
 */
export function spendingFile(path: string): SpendingStore {
  return {
    async read() {
      const files = await openFiles();
      try {
        return await files.readFile(path, 'utf8');
      } catch (error) {
        if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async write(text) {
      const files = await openFiles();
      const next = `${path}.next`;
      await files.writeFile(next, text, { mode: 0o600, flush: true });
      await files.rename(next, path);
    },
  };
}

/** Named at run time: browsers have no such module, and what bundles for them must not look for it. */
function openFiles(): Promise<Files> {
  // Put together at run time: bundlers for browsers resolve every name that they can read.
  const name = ['node:fs', 'promises'].join('/');
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name) as Promise<Files>;
}
