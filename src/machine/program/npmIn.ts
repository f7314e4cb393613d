import { execFile } from 'node:child_process';
import { findProgram, type ProgramSearch } from './findProgram.ts';

/** Keeps a question to a registry from holding up the answer to a person. */
const LONGEST_MS = 6_000;

/** What npm printed; `exitCode` is `undefined` when it was ended or could not be started. */
export interface NpmResult {
  readonly exitCode: number | undefined;
  readonly output: string;
}

/**
 * npm with the configuration that counts in a folder, never a program of that folder. It reads the
 * folder's `.npmrc` and asks the registry named there, in a URL that may hold variables of the
 * environment: it is not for a project that the user did not say to trust.
 */
export function npmIn(
  folder: string,
  { longestMs = LONGEST_MS, search }: { longestMs?: number; search?: Partial<ProgramSearch> } = {},
): (args: readonly string[]) => Promise<NpmResult> {
  const npm = findProgram('npm', folder, search);
  return (given) =>
    new Promise((resolve) => {
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
}
