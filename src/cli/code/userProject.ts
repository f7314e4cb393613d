import { existsSync, readFileSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Project, ProjectFiles } from '../../codegen/index.ts';

/** The disk, for paths with `/`. */
export const diskFiles: ProjectFiles = {
  exists: (path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  read: (path) => readFile(path, 'utf8').catch(() => undefined),
};

/** The version of Next.js that is installed for a project, or else the range that it asks for. */
export function nextVersionOf({ folder, manifest }: Project): string | undefined {
  try {
    const installed = createRequire(join(folder, 'package.json')).resolve('next/package.json');
    return versionIn(installed);
  } catch {
    return manifest.dependencies?.['next'] ?? manifest.devDependencies?.['next'];
  }
}

function versionIn(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version?: string };
  return version;
}
