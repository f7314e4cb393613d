import { fileURLToPath } from 'node:url';
import { FileType, RelativePattern, type TextDocument, type Uri, workspace } from 'vscode';
import type { Project, ProjectFiles, Route, SourceText } from '../../codegen/index.ts';
import { CodeThread, CodeUnread, type WhyUnread } from '../routes/index.ts';
import { t } from '../words/index.ts';

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

/** The largest document that is read, in characters: larger ones are generated. */
export const LARGEST = 1_000_000;

/** Why code was not read, in words. */
const WHY: Readonly<Record<WhyUnread | 'too_large', () => string>> = {
  too_slow: () => t('reading it takes too long'),
  too_deep: () => t('its code is nested too deeply'),
  too_many: () => t('it has too many endpoints'),
  too_large: () => t('it is larger than 1 MB'),
};

/** A document whose endpoints are not known, which is not the same as none. */
export class DocumentUnread extends Error {
  readonly code = 'document_unread';

  constructor(document: TextDocument, why: keyof typeof WHY) {
    super(t('Cannot read the endpoints of {0}: {1}.', document.uri.path, WHY[why]()));
    this.name = 'DocumentUnread';
  }
}

interface ReadDocument {
  readonly source: SourceText;
  readonly project: Project | undefined;
  readonly routes: readonly Route[];
}

let thread: CodeThread | undefined;

/** Calls a function of the code generator in a thread, since code of strangers may take long to read. */
export const inThread: CodeThread['ask'] = (name, ...args) => {
  thread ??= new CodeThread(fileURLToPath(new URL('./codegen.js', import.meta.url)));
  return thread.ask(name, ...args);
};

/**
 * Reads a document, or something in it, in the thread.
 * @throws DocumentUnread if it exceeds the limits
 */
export async function readingDocument<T>(
  document: TextDocument,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof CodeUnread ? new DocumentUnread(document, error.why) : error;
  }
}

/**
 * A document in the form that the code generation reads, its project, and its endpoints.
 * @throws DocumentUnread if it exceeds the limits
 */
export async function readDocument(
  document: TextDocument,
  framework?: SourceText['framework'],
): Promise<ReadDocument> {
  const text = document.getText();
  if (text.length > LARGEST) throw new DocumentUnread(document, 'too_large');
  return readingDocument(document, async () => {
    const files = projectFilesOf(document.uri);
    const read = await inThread('sourceInProject', document.uri.path, text, files, framework);
    return { ...read, routes: await inThread('findRoutes', read.source) };
  });
}
