import { execFile } from 'node:child_process';

/** What `command --version` prints; `undefined` when it does not start. */
export function versionOf(command: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, ['--version'], { timeout: 5_000, windowsHide: true }, (error, stdout) => {
      resolve(error ? undefined : stdout.trim());
    });
  });
}
