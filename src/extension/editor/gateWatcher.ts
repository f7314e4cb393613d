import { type Disposable, type TextDocument, Uri, workspace } from 'vscode';
import { findGateFiles, GATE_MARK, ROUTE_LANGUAGES } from '../routes/index.ts';
import type { App } from './app.ts';

/** Whether this window's files contain a gate, which needs the facilitator. */
export interface GateWatcher extends Disposable {
  readonly present: boolean;
}

const KNOWN = 'gateFiles';
const MAX_KNOWN = 20;
const LARGEST = 500_000;

/** @param onFound called when a gate is found for the first time in this window */
export function watchGates(app: App, onFound: () => void): GateWatcher {
  const { workspaceState } = app.context;
  const known = new Set(workspaceState.get<readonly string[]>(KNOWN, []));
  let present = false;

  function found(files: readonly string[]): void {
    if (files.length === 0) return;
    const before = known.size;
    for (const file of files) known.add(file);
    if (known.size > before) void workspaceState.update(KNOWN, [...known].slice(-MAX_KNOWN));
    if (present) return;
    present = true;
    onFound();
  }

  const look = (document: TextDocument) => {
    if (!ROUTE_LANGUAGES.some((language) => language === document.languageId)) return;
    if (document.getText().includes(GATE_MARK)) found([document.uri.toString()]);
  };
  const listeners = [
    workspace.onDidOpenTextDocument(look),
    workspace.onDidSaveTextDocument(look),
    workspace.onDidChangeWorkspaceFolders(() => void search()),
  ];

  async function search(): Promise<void> {
    found(
      await findGateFiles(
        {
          async find(pattern, most) {
            const uris = await workspace.findFiles(pattern, '**/node_modules/**', most);
            return uris.map(String);
          },
          read: readText,
        },
        [...known],
      ),
    );
  }

  for (const document of workspace.textDocuments) look(document);
  if (!present) {
    search().catch((error: unknown) => app.log.debug(`search for gates: ${String(error)}`));
  }
  return {
    get present() {
      return present;
    },
    dispose() {
      for (const listener of listeners) listener.dispose();
    },
  };
}

async function readText(file: string): Promise<string | undefined> {
  const uri = Uri.parse(file);
  try {
    if ((await workspace.fs.stat(uri)).size > LARGEST) return undefined;
    return Buffer.from(await workspace.fs.readFile(uri)).toString('utf8');
  } catch {
    return undefined;
  }
}
