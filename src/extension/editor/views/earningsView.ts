import { randomBytes } from 'node:crypto';
import { type Disposable, Uri, type Webview, type WebviewView, window } from 'vscode';
import { formatDecimalAmount } from '../../../protocol/index.ts';
import { readSettlements } from '../../chain/index.ts';
import { earningsPage, summarise } from '../../earnings/index.ts';
import { createPoller, PERIODS } from '../../polling/index.ts';
import type { App } from '../app.ts';
import { withoutNetwork } from './listView.ts';

const LOADED = 200;

/** Earnings with a chart: the one view that cannot be a list (spec: Earnings Summary). */
export function createEarningsView(app: App): Disposable & { refresh(): void } {
  let open: WebviewView | undefined;
  /** The reader's own, received from the page: this process may run elsewhere. */
  let timeZone: string | undefined;
  const poller = createPoller({
    everyMs: PERIODS.earnings,
    async read(signal) {
      try {
        const message = await readFace(signal);
        if (!signal.aborted) await open?.webview.postMessage(message);
      } catch (error) {
        if (signal.aborted) return;
        const words = error instanceof Error ? error.message : String(error);
        await open?.webview.postMessage({ kind: 'message', text: words });
        throw error;
      }
    },
  });

  async function readFace(signal: AbortSignal): Promise<object> {
    const { payTo } = app.settings;
    if (payTo === undefined) {
      return { kind: 'message', text: 'Set the address that is paid to see what it earns.' };
    }
    const missing = withoutNetwork(app);
    if (missing !== undefined) {
      const text = missing.message ?? 'The local service isn’t running yet.';
      return { kind: 'message', text };
    }
    const { horizonUrl = '' } = app.addresses;
    const page = await readSettlements(horizonUrl, payTo, LOADED, app.transport, { signal });
    // Asked here, not at activation: the first use of time zones takes 15 ms.
    timeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
    const summary = summarise(page.settlements, new Date(), timeZone, (hash) =>
      app.routeOfSettlement(hash),
    );
    const usdc = (amount: bigint) => `${formatDecimalAmount(amount)} USDC`;
    return {
      kind: 'summary',
      total: usdc(summary.total),
      today: usdc(summary.today),
      thisWeek: usdc(summary.thisWeek),
      uniquePayers: String(summary.uniquePayers),
      count: summary.count,
      since: summary.since?.toISOString(),
      complete: page.cursor === undefined,
      days: bars(summary.byDay.map(({ day, amount }) => [day, amount])),
      endpoints: bars([
        ...summary.byEndpoint.map(({ url, amount }): [string, bigint] => [url, amount]),
        ...(summary.unattributed > 0n
          ? [['not known here', summary.unattributed] as [string, bigint]]
          : []),
      ]),
    };

    /** Lengths as a share of the longest; amounts stay exact text. */
    function bars(pairs: readonly (readonly [string, bigint])[]) {
      const [most = 1n] = pairs.map(([, amount]) => amount).sort((a, b) => (a > b ? -1 : 1));
      return pairs.map(([name, amount]) => ({
        name,
        amount: usdc(amount),
        share: most === 0n ? 0 : Number((amount * 1000n) / most) / 1000,
      }));
    }
  }

  const registration = window.registerWebviewViewProvider('svc-x402.earnings', {
    resolveWebviewView(view) {
      open = view;
      const media = Uri.joinPath(app.context.extensionUri, 'media');
      view.webview.options = { enableScripts: true, localResourceRoots: [media] };
      view.webview.onDidReceiveMessage((message: { kind?: unknown; timeZone?: unknown }) => {
        if (message.kind !== 'ready') return;
        if (typeof message.timeZone === 'string') timeZone = message.timeZone;
        poller.setVisible(view.visible);
        poller.refresh();
      });
      view.onDidChangeVisibility(() => poller.setVisible(view.visible));
      view.onDidDispose(() => {
        open = undefined;
        poller.setVisible(false);
      });
      view.webview.html = pageFor(view.webview, media);
    },
  });
  const listeners = [app.onChange(() => poller.refresh()), app.onPaid(() => poller.refresh())];
  return {
    refresh: () => poller.refresh(),
    dispose() {
      for (const listener of listeners) listener.dispose();
      poller.dispose();
      registration.dispose();
    },
  };
}

function pageFor(webview: Webview, media: Uri): string {
  const uri = (name: string) => webview.asWebviewUri(Uri.joinPath(media, name)).toString();
  return earningsPage({
    nonce: randomBytes(16).toString('hex'),
    source: webview.cspSource,
    script: uri('earnings.js'),
    style: uri('earnings.css'),
  });
}
