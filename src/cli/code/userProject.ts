import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AddPaymentInput, Project, ProjectFiles } from '../../codegen/index.ts';
import { readSourceIfAny } from './sourceFiles.ts';

/** The disk, for paths with `/`. Only plain files of moderate size are read. */
export const diskFiles: ProjectFiles = {
  exists: (path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  read: async (path) => readSourceIfAny(path),
};

type Versions = NonNullable<AddPaymentInput['versions']>;

/** The versions of the frameworks that are installed for a project, or the ranges that it asks for. */
export function installedVersions({ folder, manifest }: Project): Versions {
  const found = (['express', 'fastify', 'hono', 'next'] as const).flatMap((name) => {
    const asked = { ...manifest.devDependencies, ...manifest.dependencies }[name];
    const version = installedVersion(folder, name) ?? asked;
    return version === undefined ? [] : [[name, version] as const];
  });
  return Object.fromEntries(found);
}

/** Looks for a package as Node does, but reads only its manifest. */
function installedVersion(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const text = readSourceIfAny(join(at, 'node_modules', name, 'package.json'));
    if (text !== undefined) {
      try {
        const { version } = JSON.parse(text) as { version?: unknown };
        return typeof version === 'string' ? version : undefined;
      } catch {
        return undefined;
      }
    }
    if (dirname(at) === at) return undefined;
  }
}
