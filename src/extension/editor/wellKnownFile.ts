import { Range, type Uri, WorkspaceEdit, workspace } from 'vscode';
import type { ListedRoute, Project, Route } from '../../codegen/index.ts';
import type { App } from './app.ts';
import { projectFilesOf } from './projectFiles.ts';

/** A route whose payment was added or removed, with the text of its file before the change. */
export interface ChangedRoute extends ListedRoute {
  readonly document: Uri;
  readonly project: Project | undefined;
  /** The other paid routes of the file. */
  readonly others: readonly Route[];
}

/**
 * Keeps `/.well-known/x402` of the user's app up to date, if it has one. A failure is logged and never prevents adding the
 * payment.
 */
export async function keepWellKnown(
  app: App,
  changed: ChangedRoute,
  change: 'added' | 'removed',
): Promise<void> {
  const { document, project } = changed;
  if (project === undefined) return;
  try {
    const { findWellKnown, listResource, unlistResource } = await import('../../codegen/index.ts');
    const found = await findWellKnown(project, projectFilesOf(document));
    if (found?.text === undefined) return;
    const { text, note } =
      change === 'added'
        ? listResource(found, changed, undefined)
        : unlistResource(found, changed, changed.others);
    if (note !== undefined) app.log.info(note);
    if (text !== undefined) await replaceText(document.with({ path: found.path }), text);
  } catch (error) {
    app.log.warn(`/.well-known/x402: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Replaces a file's text in one undo step, and saves it unless it had unsaved changes. */
async function replaceText(file: Uri, text: string): Promise<void> {
  const opened = await workspace.openTextDocument(file);
  const { isDirty } = opened;
  const edit = new WorkspaceEdit();
  const end = opened.lineAt(opened.lineCount - 1).range.end;
  edit.replace(file, new Range(opened.positionAt(0), end), text);
  if ((await workspace.applyEdit(edit)) && !isDirty) await opened.save();
}
