import { execFile } from 'node:child_process';

/** The output of `command --version`; `undefined` if it does not start. */
export function versionOf(command: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, ['--version'], { timeout: 5_000, windowsHide: true }, (error, stdout) => {
      resolve(error ? undefined : stdout.trim());
    });
  });
}
