import { commands, type Disposable, Uri, window, workspace } from 'vscode';
import { describeSettlement, readFacilitatorRecord, readTransaction } from '../chain/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';

const SCHEME = 'svc-x402';

/** Read-only documents: settlements, and reports on test payments. */
export interface ReadOnlyDocuments extends Disposable {
  openSettlement(hash: string): Promise<void>;
  openReport(text: string): Promise<void>;
}

/** Address of a transaction for people. */
export function explorerLink({ addresses }: App, hash: string): string | undefined {
  return addresses.explorerUrl === undefined ? undefined : `${addresses.explorerUrl}/tx/${hash}`;
}

const REPORTS = 'reports';
const MOST_REPORTS = 20;
const SETTLEMENT = /^\/settlement-[0-9a-f]{8}\.md$/;

export function createReadOnlyDocuments(app: App): ReadOnlyDocuments {
  const { workspaceState } = app.context;
  const kept = () => workspaceState.get<Record<string, string>>(REPORTS, {});
  const registration = workspace.registerTextDocumentContentProvider(SCHEME, {
    // Tabs outlive a reload: their text is kept, or read again.
    provideTextDocumentContent: ({ path, query }) =>
      SETTLEMENT.test(path) ? readSettlement(app, query) : (kept()[path] ?? ''),
  });

  return {
    async openSettlement(hash) {
      const uri = Uri.from({
        scheme: SCHEME,
        path: `/settlement-${hash.slice(0, 8)}.md`,
        query: hash,
      });
      const document = await workspace.openTextDocument(uri);
      await window.showTextDocument(document, { preview: true, preserveFocus: false });
    },
    async openReport(text) {
      const path = `/report-${Date.now()}.md`;
      const reports = Object.entries(kept()).slice(1 - MOST_REPORTS);
      await workspaceState.update(REPORTS, Object.fromEntries([...reports, [path, text]]));
      const uri = Uri.from({ scheme: SCHEME, path });
      await workspace.openTextDocument(uri);
      // It opens when the reading ends, while the user may be typing elsewhere: the focus stays there.
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

/** The description of a settlement, read from the ledger. */
async function readSettlement(app: App, hash: string): Promise<string> {
  await app.startService();
  const { horizonUrl } = app.addresses;
  if (horizonUrl === undefined) throw new Error(t('No network runs to read the settlement from.'));
  const transaction = await readTransaction(horizonUrl, hash, app.transport);
  const { decodeEvents, decodeTransaction } = await import('../testPayment/index.ts');
  const decoded = decodeTransaction(transaction.envelope_xdr);
  const meta = transaction.result_meta_xdr ?? undefined;
  const events = meta === undefined ? undefined : decodeEvents(meta);
  const facilitator = await app.facilitatorForCode();
  const record =
    facilitator === undefined
      ? undefined
      : await readFacilitatorRecord(facilitator, hash, app.transport);
  return describeSettlement(transaction, decoded, events, explorerLink(app, hash), record);
}
