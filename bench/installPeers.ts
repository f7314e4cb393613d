import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('./peers/', import.meta.url);

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function manifest(path: string): Manifest | undefined {
  const file = new URL(path, folder);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined;
}

/** Installs pinned versions of the projects for comparison in a separate folder. */
export function installPeers(): void {
  const wanted = Object.entries(manifest('package.json')?.dependencies ?? {});
  const installed = ([name, version]: readonly [string, string]): boolean =>
    manifest(`node_modules/${name}/package.json`)?.version === version;
  if (wanted.every(installed)) return;
  process.stderr.write('installing what ours is compared with …\n');
  execFileSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}
