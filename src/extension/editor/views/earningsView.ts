import { type Disposable, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { createEarningsPane, type EarningsPane } from './earningsPane.ts';

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
