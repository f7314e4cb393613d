import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const peers = fileURLToPath(new URL('../peers/', import.meta.url));

/** Installs pinned versions of the search engines for comparison in the benches' shared folder. */
export function installSearchPeers(): void {
  if (existsSync(join(peers, 'node_modules', '@orama', 'orama'))) return;
  process.stderr.write('installing MiniSearch and Orama for comparison …\n');
  execFileSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
    cwd: peers,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}
