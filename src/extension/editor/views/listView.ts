import { commands, type TreeView, window } from 'vscode';
import { createPoller } from '../../polling/index.ts';
import { serviceFace } from '../../service/index.ts';
import { t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { actionRow, type Row, RowList } from './rows.ts';

/** What a list shows: rows, or the reason there are none, which selects the welcome text. */
export interface Listing {
  readonly rows: readonly Row[];
  /** Value of the context key `<view>.state`. */
  readonly state: string;
  readonly message?: string;
}

export interface ListViewOptions {
  readonly id: string;
  readonly everyMs: number;
  /** Returns what to show. `failed` shows failures. */
  readonly read: (signal: AbortSignal) => Promise<Listing>;
  readonly failed: (error: unknown) => Listing;
}

export interface ListView {
  readonly view: TreeView<Row>;
  refresh(): void;
  dispose(): void;
}

/** A list that is refreshed while it is visible. */
export function createListView(app: App, options: ListViewOptions): ListView {
  const list = new RowList();
  const view = window.createTreeView(options.id, {
    treeDataProvider: list,
    showCollapseAll: false,
  });
  let shown: string | undefined;
  const show = ({ rows, state, message }: Listing) => {
    void commands.executeCommand('setContext', `${options.id}.state`, state);
    // Older editors hide a view's welcome content permanently once its message has been set, even to nothing.
    if (message !== shown) view.message = message ?? '';
    shown = message;
    list.set(rows);
  };
  const poller = createPoller({
    everyMs: options.everyMs,
    async read(signal) {
      try {
        const listing = await options.read(signal);
        if (!signal.aborted) show(listing);
      } catch (error) {
        if (signal.aborted) return;
        app.log.debug(`${options.id}: ${error instanceof Error ? error.message : String(error)}`);
        show(options.failed(error));
        throw error;
      }
    },
  });
  const listeners = [
    view.onDidChangeVisibility(({ visible }) => poller.setVisible(visible)),
    app.onChange(() => poller.refresh()),
    app.onPaid(() => poller.refresh()),
  ];
  poller.setVisible(view.visible);
  return {
    view,
    refresh: () => poller.refresh(),
    dispose() {
      for (const listener of listeners) listener.dispose();
      poller.dispose();
      view.dispose();
    },
  };
}

/**
 * Rows that name a problem and what the user can do. They are used instead of the view's message, which would hide its welcome
 * content. Starting a service on this machine helps only on the local network.
 */
export function trouble({ settings, service }: App, error: unknown): Listing {
  const face = serviceFace(service);
  const local = settings.network === 'local';
  const hangs = local && face.action === 'restart';
  const words = hangs ? face.sentence : error instanceof Error ? error.message : String(error);
  const row = (label: string, icon: string, command: string): Row => ({
    ...actionRow(label, `svc-x402.${command}`),
    ...{ icon, tooltip: label },
  });
  return {
    state: 'unreachable',
    rows: [
      { ...row(words, 'warning', 'showLog'), colour: 'amber', spoken: words },
      row(t('Try Again'), 'refresh', 'refreshViews'),
      ...(hangs
        ? [row(t('Restart Service'), 'debug-restart', 'restartService')]
        : local && face.action === 'start'
          ? [row(t('Start Service'), 'play', 'startService')]
          : [row(t('Check Setup…'), 'checklist', 'checkSetup')]),
    ],
  };
}

/** What a view shows while no network is available. */
export function withoutNetwork(app: App): Listing | undefined {
  const local = app.settings.network === 'local';
  if (local && app.service.kind === 'unresponsive') return trouble(app, undefined);
  if (app.addresses.horizonUrl !== undefined) return undefined;
  if (!app.trusted) return { rows: [], state: 'untrusted' };
  const { service } = app;
  if (service.kind === 'failed' || service.kind === 'waiting') {
    return trouble(app, serviceFace(service).sentence);
  }
  return { rows: [], state: service.kind === 'stopped' ? 'stopped' : 'starting' };
}
