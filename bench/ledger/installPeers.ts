import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Installs the chains to compare with, by version, in a folder of their own. */
export function installPeers(): void {
  const folder = fileURLToPath(new URL('../peers/', import.meta.url));
  if (existsSync(new URL('../peers/node_modules/.package-lock.json', import.meta.url))) return;
  process.stderr.write('installing anvil and hardhat for comparison …\n');
  execFileSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}
