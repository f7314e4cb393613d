import { randomBytes } from 'node:crypto';
import { commands, type Disposable, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { describeSettlement, readFacilitatorRecord, readTransaction } from '../chain/index.ts';
import { messagePage, type Report, readReport, reportPage } from '../report/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';

const VIEW = 'svc-x402.report';
const REPORTS = 'reports';
const MAX_REPORTS = 20;
const PAGES = 'reportPages';
const MAX_PAGES = 20;
const SETTLEMENT = /^settlement-([0-9a-f]{64})$/;
const OWN_COMMAND = /^svc-x402\.\w+$/;

/** Read-only pages: settlements, and reports on the setup and on listings. */
export interface ReportPages extends Disposable {
  openSettlement(hash: string): Promise<void>;
  openReport(report: Report): Promise<void>;
}

/** URL of a transaction in an explorer. */
export function explorerLink({ addresses }: App, hash: string): string | undefined {
  return addresses.explorerUrl === undefined ? undefined : `${addresses.explorerUrl}/tx/${hash}`;
}

export function createReportPages(app: App): ReportPages {
  const { workspaceState } = app.context;
  const open = new Map<string, WebviewPanel>();
  const media = Uri.joinPath(app.context.extensionUri, 'media');
  const kept = () => workspaceState.get<Readonly<Record<string, unknown>>>(REPORTS, {});

  const pages = () => workspaceState.get<Readonly<Record<string, string>>>(PAGES, {});

  /** Remembers which page a title belongs to, for tabs whose own state the editor lost. */
  async function setTitle(panel: WebviewPanel, title: string, key: string): Promise<void> {
    panel.title = title;
    const { [title]: _before, ...others } = pages();
    const newest = [...Object.entries(others).slice(1 - MAX_PAGES), [title, key]];
    await workspaceState.update(PAGES, Object.fromEntries(newest));
  }

  /** Fills a panel. Tabs survive a reload: a report is kept, and a settlement is read again. */
  async function fill(panel: WebviewPanel, key: string): Promise<void> {
    const uri = (name: string) => panel.webview.asWebviewUri(Uri.joinPath(media, name)).toString();
    const parts = {
      nonce: randomBytes(16).toString('hex'),
      source: panel.webview.cspSource,
      script: uri('report.js'),
      style: uri('page.css'),
    };
    const hash = SETTLEMENT.exec(key)?.[1];
    const title = hash === undefined ? panel.title : t('Settlement {0}…', hash.slice(0, 8));
    const show = (message: string, failed: boolean) => {
      panel.webview.html = messagePage(parts, { title, message, failed }, key);
    };
    try {
      if (hash !== undefined) show(t('Reading…'), false);
      const report = hash === undefined ? readReport(kept()[key]) : await readSettlement(app, hash);
      if (report === undefined) throw new Error(t('This report was discarded. Open it again.'));
      await setTitle(panel, report.title, key);
      panel.webview.html = reportPage(parts, report, key);
    } catch (error) {
      show(error instanceof Error ? error.message : String(error), true);
    }
  }

  function adopt(panel: WebviewPanel, key: string): Promise<void> {
    open.set(key, panel);
    panel.iconPath = Uri.joinPath(media, 'icon.svg');
    panel.webview.options = { enableScripts: true, localResourceRoots: [media] };
    panel.onDidDispose(() => open.delete(key));
    panel.webview.onDidReceiveMessage(async (message: { kind?: unknown; command?: unknown }) => {
      const { kind, command } = message;
      if (kind === 'again') await fill(panel, key);
      if (kind === 'run' && typeof command === 'string' && OWN_COMMAND.test(command)) {
        await commands.executeCommand(command);
      }
    });
    return fill(panel, key);
  }

  async function show(key: string, title: string, preserveFocus: boolean): Promise<void> {
    const known = open.get(key);
    if (known !== undefined) {
      known.reveal(undefined, preserveFocus);
      return;
    }
    const column = { viewColumn: ViewColumn.Active, preserveFocus };
    const panel = window.createWebviewPanel(VIEW, title, column, { enableFindWidget: true });
    await Promise.all([adopt(panel, key), setTitle(panel, title, key)]);
  }

  const registration = window.registerWebviewPanelSerializer(VIEW, {
    deserializeWebviewPanel: async (panel: WebviewPanel, state: { key?: unknown } | undefined) => {
      // The page keeps its state itself, and a window that closes early loses it.
      const key = typeof state?.key === 'string' ? state.key : pages()[panel.title];
      if (key !== undefined && !open.has(key)) await adopt(panel, key);
      else panel.dispose();
    },
  });

  return {
    openSettlement: (hash) =>
      show(`settlement-${hash}`, t('Settlement {0}…', hash.slice(0, 8)), false),
    async openReport(report) {
      const key = `report-${Date.now()}`;
      const reports = Object.entries(kept()).slice(1 - MAX_REPORTS);
      await workspaceState.update(REPORTS, Object.fromEntries([...reports, [key, report]]));
      // It opens when the reading ends. By then the user might be typing elsewhere, so it does not take the focus.
      await show(key, report.title, true);
    },
    dispose() {
      registration.dispose();
      for (const panel of open.values()) panel.dispose();
    },
  };
}

/** The description of a settlement, read from the ledger. */
async function readSettlement(app: App, hash: string): Promise<Report> {
  await app.startService();
  const { horizonUrl } = app.addresses;
  if (horizonUrl === undefined)
    throw new Error(t('No network is running to read the settlement from.'));
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
