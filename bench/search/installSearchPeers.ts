import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Installs what to compare with, by version, in the folder of all benches' peers. */
export function installSearchPeers(): void {
  if (existsSync(new URL('../peers/node_modules/@orama/orama', import.meta.url))) return;
  process.stderr.write('installing MiniSearch and Orama for comparison …\n');
  execFileSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
    cwd: fileURLToPath(new URL('../peers/', import.meta.url)),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}
