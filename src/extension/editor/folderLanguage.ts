import { commands, type Disposable, workspace } from 'vscode';

const JAVASCRIPT = '**/{package.json,*.js,*.mjs,*.cjs,*.ts,*.mts,*.cts,*.jsx,*.tsx}';
/** Folders of packages, which contain files of all languages. */
const NOT_OWN = '**/{node_modules,.venv,venv,site-packages}/**';

/**
 * Sets the context key `svc-x402.hasJavaScript`, by which the walkthrough begins with code or with a port: code is written only
 * into JavaScript and TypeScript. Without a folder it is set, because a file of either can be opened alone.
 */
export function noticeFolderLanguage(): Disposable {
  const look = async () => {
    const folders = workspace.workspaceFolders ?? [];
    const found = folders.length === 0 ? [] : await workspace.findFiles(JAVASCRIPT, NOT_OWN, 1);
    const has = folders.length === 0 || found.length > 0;
    await commands.executeCommand('setContext', 'svc-x402.hasJavaScript', has);
  };
  const watcher = workspace.createFileSystemWatcher(JAVASCRIPT, false, true, true);
  const soon = () => void look().catch(() => undefined);
  const listeners = [
    watcher,
    watcher.onDidCreate(soon),
    workspace.onDidChangeWorkspaceFolders(soon),
  ];
  soon();
  return {
    dispose() {
      for (const listener of listeners) listener.dispose();
    },
  };
}
