import { execFile } from 'node:child_process';
import type { RunNpm } from '../../codegen/index.ts';

/** A question may not hold up what is to be said. */
const LONGEST_MS = 6_000;

/** npm with the configuration that counts in a folder. */
export function npmIn(folder: string, longestMs = LONGEST_MS): RunNpm {
  return (args) =>
    new Promise((resolve) => {
      const shell = process.platform === 'win32';
      const options = { cwd: folder, timeout: longestMs, windowsHide: true, shell };
      execFile('npm', [...args], options, (error, output) => {
        const exitCode = typeof error?.code === 'number' ? error.code : undefined;
        resolve({ exitCode: error === null ? 0 : exitCode, output });
      });
    });
}
