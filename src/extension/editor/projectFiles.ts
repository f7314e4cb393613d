import { type Uri, workspace } from 'vscode';
import type { Project, ProjectFiles } from '../../codegen/index.ts';

/** The files around a document, wherever its workspace is. */
export function projectFilesOf(document: Uri): ProjectFiles {
  const at = (path: string) => document.with({ path });
  return {
    async exists(path) {
      try {
        await workspace.fs.stat(at(path));
        return true;
      } catch {
        return false;
      }
    },
    async read(path) {
      try {
        return Buffer.from(await workspace.fs.readFile(at(path))).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** The parts of a project that matter for generated code. */
export function codeFacts(project: Project | undefined): {
  readonly packageName: string | undefined;
  readonly packageModules: 'esm' | 'commonjs' | undefined;
  readonly nextVersion: string | undefined;
} {
  const { name, type, dependencies, devDependencies } = project?.manifest ?? {};
  return {
    packageName: name,
    packageModules: project && (type === 'module' ? 'esm' : 'commonjs'),
    nextVersion: dependencies?.['next'] ?? devDependencies?.['next'],
  };
}
