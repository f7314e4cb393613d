import { commands, type Disposable, type TextDocument, window, workspace } from 'vscode';
import type { Route } from '../../codegen/index.ts';

const AFTER_MS = 150;

/**
 * Sets the context key that menus use to offer what applies at the cursor: `svc-x402.cursor` is `free` or `paid` in a route,
 * `free-file` or `paid-file` beside one, else `none`.
 */
export function followCursor(
  read: (document: TextDocument) => Promise<readonly Route[]>,
): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let shown = '';

  async function look(): Promise<void> {
    const editor = window.activeTextEditor;
    const routes = editor === undefined ? [] : await read(editor.document);
    const at = editor?.document.offsetAt(editor.selection.active) ?? 0;
    const here = routes.find(({ range }) => at >= range.start && at <= range.end);
    const paid = (route: Route) => route.gated === 'marker';
    const state =
      here !== undefined
        ? paid(here)
          ? 'paid'
          : 'free'
        : routes.length === 0
          ? 'none'
          : routes.some(paid)
            ? 'paid-file'
            : 'free-file';
    if (state === shown) return;
    shown = state;
    await commands.executeCommand('setContext', 'svc-x402.cursor', state);
  }

  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), AFTER_MS);
  };
  const listeners = [
    window.onDidChangeActiveTextEditor(soon),
    window.onDidChangeTextEditorSelection(soon),
    workspace.onDidChangeTextDocument(soon),
  ];
  soon();
  return {
    dispose() {
      clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
    },
  };
}
