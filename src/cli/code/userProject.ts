import { access } from 'node:fs/promises';
import type { ProjectFiles } from '../../codegen/index.ts';
import { readSourceIfAny, scriptsIn } from './sourceFiles.ts';

/** The disk, for paths with `/`. Only plain files of moderate size are read. */
export const diskFiles: ProjectFiles = {
  exists: (path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  read: async (path) => readSourceIfAny(path),
  scripts: async (folder) => scriptsIn(folder).paths.map((path) => path.replaceAll('\\', '/')),
};
