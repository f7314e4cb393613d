import type { SpendingStore } from './sessionBudget.ts';

/** The functions of `node:fs/promises` that are used. */
interface Files {
  readFile(path: string, encoding: 'utf8'): Promise<string>;
  writeFile(path: string, text: string, options: { mode: number; flush?: boolean }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

/**
 * Stores a session's spending in a file, for Node, Bun and Deno. Each write replaces the file, which only its owner can read.
 * Use one file for each process.
 * @example with an account that holds USDC
 * ```ts
 * import { accountSigner, createX402Fetch, spendingFile, USDC, usdc } from 'svc-x402-sdk';
 *
 * const pay = createX402Fetch({
 *   signer: accountSigner(address, sign),
 *   rpcUrl: 'http://127.0.0.1:8000/rpc',
 *   allowedAssets: [USDC],
 *   sessionCeiling: { [USDC]: usdc('1 USDC') },
 *   spendingStore: spendingFile('spending.json'), // a restart does not forget what was spent
 * });
 * console.log((await pay('http://127.0.0.1:4022/weather/Lima')).status); // 200
 * ```
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

/** Imports the module at run time: browsers do not have it, and bundlers for them must not look for it. */
function openFiles(): Promise<Files> {
  // Assembled at run time, because bundlers for browsers resolve every name that they can read.
  const name = ['node:fs', 'promises'].join('/');
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name) as Promise<Files>;
}
