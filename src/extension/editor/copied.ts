import { env, window } from 'vscode';
import { t } from '../words/index.ts';

/** Shows that something is on the clipboard, in a place where nobody has to close the message. */
export function copied(what: string): void {
  window.setStatusBarMessage(t('$(check) Copied: {0}', what), 3_000);
}

/** Copies a text and shows that. */
export async function copy(text: string, what: string): Promise<void> {
  await env.clipboard.writeText(text);
  copied(what);
}
