import { execFile } from 'node:child_process';
import type { RunNpm } from '../../codegen/index.ts';
import { findProgram } from './programPath.ts';

/** A question may not hold up what is to be said. */
const LONGEST_MS = 6_000;

/**
 * npm with the configuration that counts in a folder. It reads the folder's `.npmrc` and asks the
 * registry that is named there, so it runs only once the user asked for an install.
 */
export function npmIn(folder: string): RunNpm {
  const npm = findProgram('npm', folder);
  return (args) =>
    new Promise((resolve) => {
      if (!npm) {
        resolve({ exitCode: undefined, output: '' });
        return;
      }
      const options = { cwd: folder, timeout: LONGEST_MS, windowsHide: true };
      execFile(npm.command, [...npm.before, ...args], options, (error, output) => {
        const exitCode = typeof error?.code === 'number' ? error.code : undefined;
        resolve({ exitCode: error === null ? 0 : exitCode, output });
      });
    });
}
