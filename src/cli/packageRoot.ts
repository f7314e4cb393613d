import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

interface PackageRoot {
  readonly folder: string;
  readonly version: string;
}

/** The folder of this package, found by searching upwards from the running file, a bundle or a source. */
export function packageRoot(): PackageRoot {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const path = join(folder, 'package.json');
    const manifest = existsSync(path)
      ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest)
      : undefined;
    if (manifest?.name === 'svc-x402') return { folder, version: manifest.version ?? 'unknown' };
    const parent = dirname(folder);
    if (parent === folder) return { folder: dirname(fileURLToPath(import.meta.url)), version: '' };
    folder = parent;
  }
}
