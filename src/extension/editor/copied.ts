import { env, window } from 'vscode';

/** Says that something is on the clipboard, where nobody has to close it. */
export function copied(what: string): void {
  window.setStatusBarMessage(`$(check) Copied: ${what}`, 3_000);
}

/** Copies a text and says so. */
export async function copy(text: string, what: string): Promise<void> {
  await env.clipboard.writeText(text);
  copied(what);
}
