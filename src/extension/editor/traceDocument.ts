import { type Disposable, Uri, window, workspace } from 'vscode';
import { readTrace } from '../chain/index.ts';
import { ReadError } from '../http/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';

const SCHEME = 'svc-x402-trace';
const NOT_FOUND = 404;
const HASH = /^[0-9a-f]{64}$/i;

/** Read-only documents that explain what a transaction did. Lines fold by indentation, as in any text. */
export interface TraceDocuments extends Disposable {
  /** @param hash of a transaction on the embedded network; the user is asked if there is none */
  openTrace(hash: string | undefined): Promise<void>;
}

export function createTraceDocuments(app: App): TraceDocuments {
  const registration = workspace.registerTextDocumentContentProvider(SCHEME, {
    // Tabs survive a reload: the trace is read again.
    provideTextDocumentContent: ({ query }) => readOf(app, query),
  });
  return {
    async openTrace(given) {
      const hash = given ?? (await askForHash());
      if (hash === undefined) return;
      const path = `/trace-${hash.slice(0, 8)}.txt`;
      const uri = Uri.from({ scheme: SCHEME, path, query: hash });
      const document = await workspace.openTextDocument(uri);
      await window.showTextDocument(document, { preview: true, preserveFocus: false });
    },
    dispose: () => registration.dispose(),
  };
}

/** Failed transactions are in no view: their hashes come from a terminal or a log. */
async function askForHash(): Promise<string | undefined> {
  const hash = await window.showInputBox({
    title: t('Show Trace'),
    prompt: t('Hash of a transaction on the embedded network'),
    ignoreFocusOut: true,
    validateInput: (text) =>
      HASH.test(text.trim()) ? undefined : t('Enter the 64 hexadecimal digits of a hash.'),
  });
  return hash?.trim().toLowerCase();
}

async function readOf(app: App, hash: string): Promise<string> {
  await app.startService();
  const { horizonUrl } = app.addresses;
  if (app.settings.network !== 'local' || horizonUrl === undefined) {
    throw new Error(t('Only the embedded network has traces. Set svc-x402.network to local.'));
  }
  try {
    return await readTrace(horizonUrl, hash, app.transport);
  } catch (error) {
    if (!(error instanceof ReadError) || error.status !== NOT_FOUND) throw error;
    const why = t('The network no longer has this transaction, or runs a version without traces.');
    throw new Error(why, { cause: error });
  }
}
