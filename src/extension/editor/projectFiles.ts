import { FileType, RelativePattern, type TextDocument, type Uri, workspace } from 'vscode';
import type { Project, ProjectFiles, SourceText } from '../../codegen/index.ts';

/** Settings and manifests are smaller; larger files are not read. */
const MAX_BYTES = 2_000_000;
const MAX_SCRIPTS = 20_000;

/** The files around a document, in any kind of workspace. Only plain files of moderate size are read. */
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
        const { type, size } = await workspace.fs.stat(at(path));
        if ((type & FileType.File) === 0 || size > MAX_BYTES) return undefined;
        return Buffer.from(await workspace.fs.readFile(at(path))).toString('utf8');
      } catch {
        return undefined;
      }
    },
    async scripts(folder) {
      const within = new RelativePattern(at(folder), '**/*.{ts,tsx,js,jsx,mjs,cjs,mts,cts}');
      const found = await workspace.findFiles(
        within,
        '**/{node_modules,dist,.next}/**',
        MAX_SCRIPTS,
      );
      return found.map(({ path }) => path);
    },
  };
}

/** A document in the form that the code generation reads, and its project. */
export async function readDocument(
  document: TextDocument,
  framework?: SourceText['framework'],
): Promise<{ readonly source: SourceText; readonly project: Project | undefined }> {
  const { sourceInProject } = await import('../../codegen/index.ts');
  const files = projectFilesOf(document.uri);
  return sourceInProject(document.uri.path, document.getText(), files, framework);
}
