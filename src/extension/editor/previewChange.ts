import { commands, type Disposable, type TextDocument, Uri, window, workspace } from 'vscode';

const SCHEME = 'svc-x402-preview';
const OPEN = 'svc-x402.previewing';

/** Shows a change beside the file before it is made. The buttons are in the title of the diff. */
export interface ChangePreview extends Disposable {
  /** Resolves with whether to make the change; closing the diff discards it. */
  ask(document: TextDocument, changed: string, title: string): Promise<boolean>;
  /** Resolves the open preview. */
  answer(apply: boolean): void;
}

/** Only one preview is open at a time. */
interface Open {
  readonly after: Uri;
  readonly text: string;
  readonly end: (apply: boolean) => void;
}

export function createChangePreview(): ChangePreview {
  let open: Open | undefined;
  let count = 0;
  const answer = (apply: boolean) => open?.end(apply);
  const registrations = [
    workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) =>
        uri.toString() === open?.after.toString() ? open.text : '',
    }),
    window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.some((tab) => shows(tab, open?.after))) answer(false);
    }),
  ];
  return {
    async ask(document, changed, title) {
      answer(false);
      count += 1;
      const name = document.uri.path.split('/').at(-1) ?? 'file';
      const after = Uri.from({ scheme: SCHEME, path: `/${count}/${name}` });
      const answered = new Promise<boolean>((end) => {
        open = { after, text: changed, end };
      });
      await commands.executeCommand('setContext', OPEN, true);
      await commands.executeCommand('vscode.diff', document.uri, after, title, { preview: false });
      const apply = await answered;
      if (open?.after === after) {
        open = undefined;
        await commands.executeCommand('setContext', OPEN, false);
      }
      await closeTabsOf(after);
      return apply;
    },
    answer,
    dispose() {
      answer(false);
      for (const registration of registrations) registration.dispose();
    },
  };
}

function shows({ input }: { readonly input: unknown }, after: Uri | undefined): boolean {
  const { modified } = (input ?? {}) as { modified?: Uri };
  return after !== undefined && modified?.toString() === after.toString();
}

async function closeTabsOf(after: Uri): Promise<void> {
  for (const group of window.tabGroups.all) {
    await window.tabGroups.close(group.tabs.filter((tab) => shows(tab, after)));
  }
}
