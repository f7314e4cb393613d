import { type Disposable, type Event, EventEmitter, type TextDocument, workspace } from 'vscode';
import { GATE_MARK, ROUTE_LANGUAGES } from '../routes/index.ts';
import { missingPackages, packagesInCode } from '../server/index.ts';
import { onInstalled } from './installOffer.ts';

/** Which packages the open files with payments lack. */
export interface PackageWatcher extends Disposable {
  readonly onChange: Event<void>;
  /** The missing packages, as last looked up. */
  of(document: TextDocument): readonly string[];
}

/** Looks when a file is opened or saved, after each install, and when a lock file or package.json is saved. */
export function watchPackages(): PackageWatcher {
  const changes = new EventEmitter<void>();
  const known = new Map<string, readonly string[]>();

  async function look(document: TextDocument): Promise<void> {
    if (document.uri.scheme !== 'file') return;
    if (!ROUTE_LANGUAGES.some((language) => language === document.languageId)) return;
    const text = document.getText();
    const names = text.includes(GATE_MARK) ? packagesInCode(text) : [];
    const missing = await missingPackages(document.fileName, names);
    const key = document.uri.toString();
    if ((known.get(key) ?? []).join() === missing.join()) return;
    known.set(key, missing);
    changes.fire();
  }

  const lookAtAll = () => {
    for (const document of workspace.textDocuments) void look(document);
  };
  const parts = [
    changes,
    workspace.onDidOpenTextDocument((document) => void look(document)),
    workspace.onDidCloseTextDocument(({ uri }) => known.delete(uri.toString())),
    workspace.onDidSaveTextDocument((document) => {
      if (document.fileName.endsWith('package.json')) lookAtAll();
      else void look(document);
    }),
    onInstalled(lookAtAll),
  ];
  lookAtAll();
  return {
    onChange: changes.event,
    of: (document) => known.get(document.uri.toString()) ?? [],
    dispose() {
      for (const part of parts) part.dispose();
    },
  };
}
