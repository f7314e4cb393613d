import { randomBytes } from 'node:crypto';
import {
  commands,
  type Disposable,
  Uri,
  ViewColumn,
  type Webview,
  type WebviewPanel,
  window,
} from 'vscode';
import { SettlementHistory } from '../../chain/index.ts';
import {
  EARNING_PERIODS,
  type EarningPeriod,
  earningsFace,
  earningsPage,
} from '../../earnings/index.ts';
import { createPoller, PERIODS } from '../../polling/index.ts';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { withoutNetwork } from './listView.ts';

/** What the page shows: earnings, or the reason there are none and the next step. */
type Face =
  | { readonly kind: 'summary'; readonly face: object; readonly next?: Next }
  | { readonly kind: 'message'; readonly text: string; readonly next?: Next };

interface Next {
  readonly label: string;
  readonly command: string;
}

interface Message {
  readonly kind?: unknown;
  readonly period?: unknown;
  readonly timeZone?: unknown;
  readonly command?: unknown;
}

/** An earnings page in a webview. It reads while it is visible. */
interface EarningsPane extends Disposable {
  setVisible(visible: boolean): void;
  refresh(): void;
}

/** @param heading whether the page shows its own title */
function createEarningsPane(
  app: App,
  webview: Webview,
  isVisible: () => boolean,
  heading: boolean,
): EarningsPane {
  const history = new SettlementHistory();
  let period: EarningPeriod = 'all';
  /** The reader's own, received from the page, because this process might run elsewhere. */
  let timeZone: string | undefined;
  const poller = createPoller({
    everyMs: PERIODS.earnings,
    async read(signal) {
      try {
        const message = await readFace(signal);
        if (!signal.aborted) await webview.postMessage(message);
      } catch (error) {
        if (signal.aborted) return;
        const text = error instanceof Error ? error.message : String(error);
        await webview.postMessage({ kind: 'message', text, next: tryAgain() });
        throw error;
      }
    },
  });

  async function readFace(signal: AbortSignal): Promise<Face> {
    const { payTo } = app.settings;
    if (payTo === undefined) {
      const next = { label: t('Set Address…'), command: 'svc-x402.setPayTo' };
      return {
        kind: 'message',
        text: t('Set a payment address to see what it earns.'),
        next,
      };
    }
    const missing = withoutNetwork(app);
    if (missing !== undefined) return waitingFor(missing.state);
    const { horizonUrl = '' } = app.addresses;
    const read = await history.read(horizonUrl, payTo, app.transport, signal);
    const routeOf = (hash: string) => app.routeOfSettlement(hash);
    // Read here, not at activation: the first use of time zones takes 15 ms.
    timeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
    const face = earningsFace({ ...read, routeOf }, period, new Date(), timeZone);
    const next = { label: t('Test Payment…'), command: 'svc-x402.testEndpointByUrl' };
    return { kind: 'summary', face, ...(read.settlements.length === 0 ? { next } : {}) };
  }

  async function receive(message: Message): Promise<void> {
    if (typeof message.timeZone === 'string') timeZone = message.timeZone;
    period = EARNING_PERIODS.find((known) => known === message.period) ?? period;
    switch (message.kind) {
      case 'ready':
        poller.setVisible(isVisible());
        poller.refresh();
        return;
      case 'period':
        poller.refresh();
        return;
      case 'export':
        await commands.executeCommand('svc-x402.exportEarnings', period, timeZone);
        return;
      case 'run':
        if (typeof message.command === 'string' && NEXT.has(message.command)) {
          await commands.executeCommand(message.command);
        }
    }
  }

  const media = Uri.joinPath(app.context.extensionUri, 'media');
  webview.options = { enableScripts: true, localResourceRoots: [media] };
  const listeners = [
    webview.onDidReceiveMessage((message: Message) => void receive(message)),
    app.onChange(() => poller.refresh()),
    app.onPaid(() => poller.refresh()),
  ];
  const uri = (name: string) => webview.asWebviewUri(Uri.joinPath(media, name)).toString();
  webview.html = earningsPage(
    {
      nonce: randomBytes(16).toString('hex'),
      source: webview.cspSource,
      script: uri('earnings.js'),
      style: uri('earnings.css'),
    },
    heading,
  );
  return {
    setVisible: (visible) => poller.setVisible(visible),
    refresh: () => poller.refresh(),
    dispose() {
      for (const listener of listeners) listener.dispose();
      poller.dispose();
    },
  };
}

/** Commands that the page offers. */
const NEXT = new Set([
  'svc-x402.setPayTo',
  'svc-x402.startService',
  'svc-x402.showLog',
  'svc-x402.refreshViews',
  'svc-x402.testEndpointByUrl',
  'workbench.trust.manage',
]);

const tryAgain = (): Next => ({ label: t('Try Again'), command: 'svc-x402.refreshViews' });

/** Explains why the network cannot be shown, with the next step. */
function waitingFor(state: string): Face {
  const kind = 'message';
  switch (state) {
    case 'starting':
      return {
        kind,
        text: t('Starting the local service…'),
        next: { label: t('Show Log'), command: 'svc-x402.showLog' },
      };
    case 'untrusted':
      return {
        kind,
        text: t("Svc doesn't start anything in Restricted Mode."),
        next: { label: t('Manage Workspace Trust'), command: 'workbench.trust.manage' },
      };
    default:
      return {
        kind,
        text: t("The local x402 service isn't running."),
        next: { label: t('Start Service'), command: 'svc-x402.startService' },
      };
  }
}

const TAB = 'svc-x402.earningsTab';

/** Earnings with a chart, in the sidebar and in a tab: a list cannot show one (spec: Earnings Summary). */
export interface EarningsView extends Disposable {
  refresh(): void;
  /** Opens the tab, or shows it if it is open. */
  openTab(): void;
}

export function createEarningsView(app: App): EarningsView {
  const panes = new Set<EarningsPane>();
  let tab: WebviewPanel | undefined;

  function follow(pane: EarningsPane, closed: (listener: () => void) => Disposable): void {
    panes.add(pane);
    closed(() => {
      panes.delete(pane);
      pane.dispose();
    });
  }

  function adopt(panel: WebviewPanel): void {
    tab = panel;
    panel.iconPath = Uri.joinPath(app.context.extensionUri, 'media', 'icon.svg');
    const pane = createEarningsPane(app, panel.webview, () => panel.visible, true);
    panel.onDidChangeViewState(() => pane.setVisible(panel.visible));
    follow(pane, panel.onDidDispose);
    panel.onDidDispose(() => {
      tab = undefined;
    });
  }

  const registrations = [
    window.registerWebviewViewProvider('svc-x402.earnings', {
      resolveWebviewView(view) {
        const pane = createEarningsPane(app, view.webview, () => view.visible, false);
        view.onDidChangeVisibility(() => pane.setVisible(view.visible));
        follow(pane, view.onDidDispose);
      },
    }),
    window.registerWebviewPanelSerializer(TAB, {
      deserializeWebviewPanel: async (panel: WebviewPanel) => {
        if (tab === undefined) adopt(panel);
        else panel.dispose();
      },
    }),
  ];
  return {
    refresh() {
      for (const pane of panes) pane.refresh();
    },
    openTab() {
      if (tab !== undefined) tab.reveal();
      else adopt(window.createWebviewPanel(TAB, t('Earnings'), ViewColumn.Active, {}));
    },
    dispose() {
      tab?.dispose();
      for (const registration of registrations) registration.dispose();
      for (const pane of panes) pane.dispose();
    },
  };
}
