import {
  CodeLens,
  type Disposable,
  EventEmitter,
  languages,
  Range,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import { readEnvironments, readRequests } from '../request/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';
import type { RequestPanel } from './requestPanel/index.ts';

const PATTERN = '**/*.x402.http';
const ENVIRONMENTS = 'http-client.env.json';
const CHOSEN = 'requestEnvironment';

/** Saved requests in `.x402.http` files, with "Run" above each, and their environments. */
export interface SavedRequests extends Disposable {
  /** Opens the request at a line in the panel, and sends it. */
  run(uri: unknown, line: unknown): Promise<void>;
  chooseEnvironment(): Promise<void>;
}

export function createSavedRequests(app: App, panel: RequestPanel): SavedRequests {
  const { workspaceState } = app.context;
  const changes = new EventEmitter<void>();
  const chosen = () => workspaceState.get<string>(CHOSEN, '');

  const environmentsOf = async (document: Uri) => {
    try {
      const at = Uri.joinPath(document, '..', ENVIRONMENTS);
      return readEnvironments(Buffer.from(await workspace.fs.readFile(at)).toString('utf8'));
    } catch {
      return {};
    }
  };

  const requestsOf = async (document: TextDocument) => {
    const environments = await environmentsOf(document.uri);
    return readRequests(document.getText(), environments[chosen()] ?? {});
  };

  const provider = languages.registerCodeLensProvider(
    { pattern: PATTERN },
    {
      onDidChangeCodeLenses: changes.event,
      async provideCodeLenses(document) {
        const requests = await requestsOf(document);
        const environments = Object.keys(await environmentsOf(document.uri));
        return requests.flatMap(({ line, unknown }) => {
          const range = new Range(line, 0, line, 0);
          const run = new CodeLens(range, {
            command: 'svc-x402.runRequest',
            title: t('$(play) Run'),
            tooltip:
              unknown.length === 0
                ? t('Send this request, and pay for it once if it has a price')
                : t('Nothing defines {0}', unknown.join(', ')),
            arguments: [document.uri, line],
          });
          if (environments.length === 0) return [run];
          const choose = new CodeLens(range, {
            command: 'svc-x402.chooseRequestEnvironment',
            title: t('Environment: {0}', chosen() || t('none')),
          });
          return [run, choose];
        });
      },
    },
  );

  return {
    async run(uri, line) {
      const open = window.activeTextEditor;
      const document = uri instanceof Uri ? await workspace.openTextDocument(uri) : open?.document;
      if (document === undefined) return;
      const at = typeof line === 'number' ? line : (open?.selection.active.line ?? 0);
      const requests = await requestsOf(document);
      const request = [...requests].reverse().find((one) => one.line <= at) ?? requests[0];
      if (request === undefined) {
        void window.showInformationMessage(t('No request was found in this file.'));
        return;
      }
      if (request.unknown.length > 0) {
        void window.showWarningMessage(t('Nothing defines {0}', request.unknown.join(', ')));
        return;
      }
      const { form } = request;
      await panel.test({ url: form.url, method: form.method, form, file: document.uri });
    },
    async chooseEnvironment() {
      const document = window.activeTextEditor?.document;
      const names = document === undefined ? [] : Object.keys(await environmentsOf(document.uri));
      const choice = await window.showQuickPick(names, {
        title: t('Environment of saved requests'),
        placeHolder:
          names.length === 0
            ? t('Define environments in {0}, beside the requests.', ENVIRONMENTS)
            : t('Which values do the variables have?'),
      });
      if (choice === undefined) return;
      await workspaceState.update(CHOSEN, choice);
      changes.fire();
    },
    dispose() {
      provider.dispose();
      changes.dispose();
    },
  };
}
