import { env, window } from 'vscode';
import { t } from '../words/index.ts';

/** Confirms that something was copied, in a message that nobody has to close. */
export function copied(what: string): void {
  window.setStatusBarMessage(t('$(check) Copied: {0}', what), 3_000);
}

/** Copies a text and confirms it. */
export async function copy(text: string, what: string): Promise<void> {
  await env.clipboard.writeText(text);
  copied(what);
}
