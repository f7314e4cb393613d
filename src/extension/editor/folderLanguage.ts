import { commands, type Disposable, workspace } from 'vscode';

const JAVASCRIPT = '**/{package.json,*.js,*.mjs,*.cjs,*.ts,*.mts,*.cts,*.jsx,*.tsx}';
/** Folders of packages, which contain files of all languages. */
const NOT_OWN = '**/{node_modules,.venv,venv,site-packages}/**';
/** An install creates thousands of files; they are looked at together. */
const PAUSE_MS = 1_000;

/**
 * Sets the context key `svc-x402.hasJavaScript`, by which the walkthrough begins with code or with a port: code is written only
 * into JavaScript and TypeScript. Without a folder it is set, because a file of either can be opened alone.
 */
export function noticeFolderLanguage(): Disposable {
  let has = false;
  let pause: NodeJS.Timeout | undefined;
  const look = async () => {
    const folders = workspace.workspaceFolders ?? [];
    const found = folders.length === 0 ? [] : await workspace.findFiles(JAVASCRIPT, NOT_OWN, 1);
    has = folders.length === 0 || found.length > 0;
    await commands.executeCommand('setContext', 'svc-x402.hasJavaScript', has);
  };
  const now = () => void look().catch(() => undefined);
  const watcher = workspace.createFileSystemWatcher(JAVASCRIPT, false, true, true);
  const listeners = [
    watcher,
    watcher.onDidCreate(() => {
      // A further file changes nothing.
      if (has || pause !== undefined) return;
      pause = setTimeout(() => {
        pause = undefined;
        now();
      }, PAUSE_MS);
    }),
    workspace.onDidChangeWorkspaceFolders(now),
  ];
  now();
  return {
    dispose() {
      clearTimeout(pause);
      for (const listener of listeners) listener.dispose();
    },
  };
}
