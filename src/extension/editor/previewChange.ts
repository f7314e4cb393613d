import {
  CommentMode,
  type CommentThread,
  CommentThreadCollapsibleState,
  commands,
  comments,
  type Disposable,
  Range,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Note } from '../../codegen/index.ts';
import { notesInOrder, warningOf } from '../routes/index.ts';
import { t } from '../words/index.ts';

const SCHEME = 'svc-x402-preview';
const OPEN = 'svc-x402.previewing';

/** Shows a change beside the file before it is made. The buttons are in the title of the diff. */
export interface ChangePreview extends Disposable {
  /** Resolves with whether to make the change; closing the diff discards it. */
  ask(document: TextDocument, proposal: ProposedChange): Promise<boolean>;
  /** Resolves the open preview. */
  answer(apply: boolean): void;
}

/** A change that has not been made yet. */
export interface ProposedChange {
  readonly title: string;
  /** The text of the file with the change. */
  readonly changed: string;
  /** Where the change begins in that text. */
  readonly offset: number;
  /** What the user should know before it is made. */
  readonly notes: readonly Note[];
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
  const controller = comments.createCommentController('svc-x402.notes', 'Svc x402');
  const registrations = [
    controller,
    workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) =>
        uri.toString() === open?.after.toString() ? open.text : '',
    }),
    window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.some((tab) => shows(tab, open?.after))) answer(false);
    }),
  ];
  /** Shows the notes beside the first line of the change. */
  function showNotes(
    after: Uri,
    changed: string,
    offset: number,
    notes: readonly Note[],
  ): CommentThread {
    const line = changed.slice(0, offset).split('\n').length - 1;
    const shown = notesInOrder(notes).map(({ sentence, heading }) => ({
      author: { name: heading },
      body: sentence,
      mode: CommentMode.Preview,
    }));
    const thread = controller.createCommentThread(after, new Range(line, 0, line, 0), shown);
    thread.canReply = false;
    thread.label = t('Read this before you apply the change');
    thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
    return thread;
  }

  return {
    async ask(document, { title, changed, offset, notes }) {
      answer(false);
      count += 1;
      const name = document.uri.path.split('/').at(-1) ?? 'file';
      const after = Uri.from({ scheme: SCHEME, path: `/${count}/${name}` });
      const answered = new Promise<boolean>((end) => {
        open = { after, text: changed, end };
      });
      await commands.executeCommand('setContext', OPEN, true);
      await commands.executeCommand('vscode.diff', document.uri, after, title, { preview: false });
      const thread = notes.length === 0 ? undefined : showNotes(after, changed, offset, notes);
      void warn(notes, answer);
      const apply = await answered;
      thread?.dispose();
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

/** Says what changes who pays where nobody can miss it. */
async function warn(notes: readonly Note[], answer: (apply: boolean) => void): Promise<void> {
  const warning = warningOf(notes);
  if (warning === undefined) return;
  const [apply, discard] = [t('Apply Anyway'), t('Discard Change')];
  const choice = await window.showWarningMessage(warning, apply, discard);
  if (choice !== undefined) answer(choice === apply);
}
