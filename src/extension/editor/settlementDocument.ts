import { commands, type Disposable, Uri, window, workspace } from 'vscode';
import { describeSettlement, readTransaction } from '../chain/index.ts';
import type { App } from './app.ts';

const SCHEME = 'svc-x402';

/** Documents to read: settlements, and the accounts of test payments. */
export interface ReadOnlyDocuments extends Disposable {
  openSettlement(hash: string): Promise<void>;
  openReport(text: string): Promise<void>;
}

/** Address of a transaction for people. */
export function explorerLink({ addresses }: App, hash: string): string | undefined {
  return addresses.explorerUrl === undefined ? undefined : `${addresses.explorerUrl}/tx/${hash}`;
}

export function createReadOnlyDocuments(app: App): ReadOnlyDocuments {
  const texts = new Map<string, string>();
  let reports = 0;
  const registration = workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ path }) => texts.get(path) ?? '',
  });

  async function open(path: string, text: string): Promise<void> {
    texts.set(path, text);
    const document = await workspace.openTextDocument(Uri.from({ scheme: SCHEME, path }));
    await window.showTextDocument(document, { preview: true, preserveFocus: false });
  }

  return {
    async openSettlement(hash) {
      const { horizonUrl } = app.addresses;
      if (horizonUrl === undefined) throw new Error('No network runs to read the settlement from.');
      const transaction = await readTransaction(horizonUrl, hash, app.transport);
      const { decodeEvents, decodeTransaction } = await import('../testPayment/index.ts');
      const decoded = decodeTransaction(transaction.envelope_xdr);
      const meta = transaction.result_meta_xdr ?? undefined;
      const events = meta === undefined ? undefined : decodeEvents(meta);
      const text = describeSettlement(transaction, decoded, events, explorerLink(app, hash));
      await open(`/settlement-${hash.slice(0, 8)}.md`, text);
    },
    async openReport(text) {
      reports += 1;
      const path = `/test-payment-${reports}.md`;
      texts.set(path, text);
      const uri = Uri.from({ scheme: SCHEME, path });
      await workspace.openTextDocument(uri);
      // It comes when the payment ends, whatever is being typed by then: the focus stays there.
      const shown = { preview: true, preserveFocus: true };
      await commands
        .executeCommand('vscode.openWith', uri, 'vscode.markdown.preview.editor', shown)
        .then(undefined, async () => {
          await window.showTextDocument(uri, shown);
        });
    },
    dispose: () => registration.dispose(),
  };
}
