import { type Disposable, EventEmitter, type TextDocument, Uri, window, workspace } from 'vscode';
import { describeActivity, lastActivity } from '../activity/index.ts';
import { routeOf } from '../earnings/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';

const SCHEME = 'svc-x402-activity';
const CHANGED_AFTER_MS = 200;

/** The live log of an endpoint: its challenges, verifications, settlements and refusals. */
export interface ActivityDocuments extends Disposable {
  /** @param url of an endpoint, or of a route with `:name` parameters; if omitted, asks for one that had payments */
  open(url?: string): Promise<void>;
}

export function createActivityDocuments(app: App): ActivityDocuments {
  const changes = new EventEmitter<Uri>();
  let timer: NodeJS.Timeout | undefined;
  const isOpen = ({ uri }: TextDocument) => uri.scheme === SCHEME;
  const parts = [
    changes,
    workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changes.event,
      provideTextDocumentContent: ({ query }) => describeActivity(query, activityFor(app, query)),
    }),
    app.onActivity(() => {
      // Many payments at once cause one change of the document.
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const { uri } of workspace.textDocuments.filter(isOpen)) changes.fire(uri);
      }, CHANGED_AFTER_MS);
    }),
  ];
  return {
    async open(url) {
      await app.lookAtLog();
      const chosen = url ?? (await pickEndpoint(app));
      if (chosen === undefined) return;
      const name = new URL(chosen).pathname.split('/').filter(Boolean).at(-1) ?? 'endpoint';
      const path = `/${name.replaceAll(':', '')}-payments.log`;
      await window.showTextDocument(Uri.from({ scheme: SCHEME, path, query: chosen }), {
        preview: true,
      });
    },
    dispose() {
      clearTimeout(timer);
      for (const part of parts) part.dispose();
    },
  };
}

/** Activity of an endpoint, newest first. A route with parameters includes every URL that matches it. */
export function activityFor(app: App, url: string) {
  const route = url.replace(/(?<!\/)\/+$/, '');
  return app.activity.of((one) => routeOf(one, [route]) === route);
}

async function pickEndpoint(app: App): Promise<string | undefined> {
  const items = app.activity.urls.map((url) => ({
    label: url,
    description: lastActivity(activityFor(app, url)) ?? '',
  }));
  if (items.length === 0) {
    void window.showInformationMessage(
      t('No endpoint has been paid since the local service started. Test one first.'),
    );
    return undefined;
  }
  const title = t('Payments for an endpoint');
  return (await window.showQuickPick(items, { title, placeHolder: t('Which endpoint?') }))?.label;
}
