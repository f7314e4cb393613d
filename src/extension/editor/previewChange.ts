import { commands, type Disposable, type TextDocument, Uri, window, workspace } from 'vscode';

const SCHEME = 'svc-x402-preview';

/** Shows a change beside the file before it is made. */
export interface ChangePreview extends Disposable {
  /** Resolves with whether to make the change. */
  ask(document: TextDocument, changed: string, title: string): Promise<boolean>;
}

export function createChangePreview(): ChangePreview {
  const texts = new Map<string, string>();
  const registration = workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  });
  let count = 0;
  return {
    async ask(document, changed, title) {
      count += 1;
      const name = document.uri.path.split('/').at(-1) ?? 'file';
      const after = Uri.from({ scheme: SCHEME, path: `/${count}/${name}` });
      texts.set(after.toString(), changed);
      await commands.executeCommand('vscode.diff', document.uri, after, title);
      const apply = 'Apply';
      const choice = await window.showInformationMessage(`${title}?`, apply, 'Discard');
      for (const group of window.tabGroups.all) {
        for (const tab of group.tabs) {
          const input = tab.input as { modified?: Uri } | undefined;
          if (input?.modified?.toString() === after.toString()) await window.tabGroups.close(tab);
        }
      }
      texts.delete(after.toString());
      return choice === apply;
    },
    dispose: () => registration.dispose(),
  };
}
