import { findProgram, type ProgramSearch } from './findProgram.ts';

/** Limits how long a person waits for a registry. */
const LONGEST_MS = 6_000;

/** npm's output; `exitCode` is `undefined` if npm was killed or could not start. */
export interface NpmResult {
  readonly exitCode: number | undefined;
  readonly output: string;
}

/**
 * Runs npm with a folder's configuration, but never a program from that folder. npm reads the folder's
 * `.npmrc` and calls the registry named there, in a URL that may contain environment variables. Use it
 * only for projects that the user trusts.
 */
export function npmIn(
  folder: string,
  { longestMs = LONGEST_MS, search }: { longestMs?: number; search?: Partial<ProgramSearch> } = {},
): (args: readonly string[]) => Promise<NpmResult> {
  const npm = findProgram('npm', folder, search);
  return async (given) => {
    // Loaded only here, because starting a service does not need it.
    const { execFile } = await import('node:child_process');
    return await new Promise((resolve) => {
      if (!npm) {
        resolve({ exitCode: undefined, output: '' });
        return;
      }
      const { command, args, windowsVerbatimArguments } = npm(given);
      const options = { cwd: folder, timeout: longestMs, windowsHide: true };
      const how = { ...options, windowsVerbatimArguments };
      execFile(command, [...args], how, (error, output) => {
        const exitCode = typeof error?.code === 'number' ? error.code : undefined;
        resolve({ exitCode: error === null ? 0 : exitCode, output });
      });
    });
  };
}
