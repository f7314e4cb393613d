import { randomBytes } from 'node:crypto';
import {
  commands,
  type Disposable,
  env,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { formatDecimalAmount, USDC_CONTRACT } from '../../../protocol/index.ts';
import type { Exchange } from '../../http/index.ts';
import {
  asCurl,
  asSdkCode,
  type BuiltRequest,
  buildRequest,
  createCookieJar,
  type DeclaredInput,
  formFor,
  type HistoryEntry,
  NOTHING_YET,
  type Outcome,
  type PanelState,
  pathParameters,
  type RequestForm,
  redirectForm,
  requestPage,
  restored,
  type TestResult,
  timeWords,
  withEntry,
  withoutSecrets,
  withRemembered,
} from '../../request/index.ts';
import { withPort } from '../../server/index.ts';
import type { Variables } from '../../settings/index.ts';
import { moment, t } from '../../words/index.ts';
import type { App } from '../app.ts';
import { copied } from '../copied.ts';
import { explorerLink } from '../reportPages.ts';
import { payOnce } from './payOnce.ts';
import { openBody, saveBody, saveRequest } from './saveBody.ts';
import { ServerStarter, type StartIn } from './startServer.ts';

/** What to test. */
export interface TestTarget {
  /** A whole form, such as that of a saved request. */
  readonly form?: RequestForm | undefined;
  readonly url: string;
  readonly method?: string | undefined;
  readonly declared?: DeclaredInput | undefined;
  /** The endpoint's file, from which its server can be started. */
  readonly file?: Uri | undefined;
}

const VIEW = 'svc-x402.request';
const FORMS = 'requestForms';
const LAST = 'lastRequest';
const HISTORY = 'requestHistory';
const MAX_FORMS = 50;
const OWN_COMMAND = /^(svc-x402|workbench\.action)\.[\w.]+$/;

interface Message {
  readonly kind?: unknown;
  readonly form?: RequestForm;
  readonly command?: unknown;
}

/** Tests endpoints one at a time (spec: Activation test payment), in a panel that shows each step. */
export class RequestPanel implements Disposable {
  readonly #app: App;
  readonly #onSettled: () => void;
  readonly #registration: Disposable;
  #panel: WebviewPanel | undefined;
  #form: RequestForm = formFor('GET', '', undefined);
  #outcome: Outcome = NOTHING_YET;
  #file: Uri | undefined;
  /** The file that was edited last: the panel covers it, so that no editor of it is visible. */
  #lastFile: Uri | undefined = window.activeTextEditor?.document.uri;
  readonly #editors = window.onDidChangeActiveTextEditor((editor) => {
    const uri = editor?.document.uri;
    if (uri?.scheme === 'file' || uri?.scheme === 'vscode-remote') this.#lastFile = uri;
  });
  #running: AbortController | undefined;
  readonly #starter: ServerStarter;
  readonly #jar = createCookieJar();
  /** The response that is shown, whole. */
  #exchange: Exchange | undefined;

  /**
   * @param variables what a server that the panel starts gets, in addition to the editor's own variables
   * @param onSettled called when a test payment has settled
   */
  constructor(app: App, variables: () => Promise<Variables>, onSettled: () => void) {
    this.#app = app;
    this.#starter = new ServerStarter(variables);
    this.#onSettled = onSettled;
    this.#registration = window.registerWebviewPanelSerializer(VIEW, {
      deserializeWebviewPanel: async (
        panel: WebviewPanel,
        state: Partial<PanelState> | undefined,
      ) => {
        if (this.#panel !== undefined) {
          panel.dispose();
          return;
        }
        this.#form = state?.form ?? this.#form;
        this.#outcome = state?.outcome === undefined ? NOTHING_YET : restored(state.outcome);
        this.#adopt(panel);
      },
    });
  }

  /**
   * Shows an endpoint's form, filled with what is known about it and what the user typed last.
   * @returns the form shown
   */
  open(target?: TestTarget): RequestForm {
    if (this.#running !== undefined) {
      this.#panel?.reveal();
      void window.showInformationMessage(
        t('A test payment is already running. Only one can run at a time.'),
      );
      return this.#form;
    }
    const { workspaceState } = this.#app.context;
    const last = workspaceState.get<RequestForm>(LAST);
    if (target === undefined) {
      this.#form = last ?? formFor('GET', '', undefined);
    } else {
      const form = formFor(target.method ?? 'GET', target.url, target.declared);
      this.#form = target.form ?? withRemembered(form, this.#forms()[keyOf(form)]);
    }
    this.#file = target?.file;
    this.#outcome = NOTHING_YET;
    if (this.#panel === undefined) {
      this.#adopt(
        window.createWebviewPanel(VIEW, t('Test Payment'), ViewColumn.Active, {
          retainContextWhenHidden: false,
        }),
      );
    } else {
      this.#panel.reveal();
      this.#show();
    }
    return this.#form;
  }

  /** Opens an endpoint's form and pays it at once if nothing has to be filled in. */
  async test(target: TestTarget): Promise<void> {
    this.open(target);
    if (this.#running === undefined && buildRequest(this.#form).ok) await this.#send();
  }

  /** Starts the server in a debugger and pays the request shown. */
  async debugAndTest(): Promise<void> {
    if (this.#panel !== undefined) await this.#startAndSend('debugger');
  }

  dispose(): void {
    this.#running?.abort();
    this.#starter.dispose();
    this.#editors.dispose();
    this.#registration.dispose();
    this.#panel?.dispose();
  }

  #adopt(panel: WebviewPanel): void {
    this.#panel = panel;
    const media = Uri.joinPath(this.#app.context.extensionUri, 'media');
    panel.webview.options = { enableScripts: true, localResourceRoots: [media] };
    panel.iconPath = Uri.joinPath(media, 'icon.svg');
    panel.webview.onDidReceiveMessage((message: Message) => void this.#receive(message));
    panel.onDidDispose(() => {
      this.#panel = undefined;
    });
    const uri = (name: string) => panel.webview.asWebviewUri(Uri.joinPath(media, name)).toString();
    panel.webview.html = requestPage({
      nonce: randomBytes(16).toString('hex'),
      source: panel.webview.cspSource,
      script: uri('request.js'),
      style: uri('page.css'),
    });
  }

  /** @param first the page has just opened; keeps any text typed meanwhile */
  #show(first = false): void {
    const [missing] = this.#form.pathParams.flatMap(({ value }, index) =>
      value === '' ? [`pathParams.${index}`] : [],
    );
    const focus = this.#form.url === '' ? 'url' : (missing ?? 'send');
    this.#showForm(focus, first);
    this.#showOutcome(this.#outcome);
  }

  /** @param focus the field that gets the focus; none while the user is elsewhere */
  #showForm(focus?: string, first = false): void {
    void this.#panel?.webview.postMessage({ kind: 'form', form: this.#form, focus, first });
  }

  #showOutcome(outcome: Outcome): void {
    this.#outcome = outcome;
    void this.#panel?.webview.postMessage({ kind: 'outcome', outcome });
  }

  async #receive({ kind, form, command }: Message): Promise<void> {
    if (form !== undefined && this.#running === undefined) this.#form = form;
    switch (kind) {
      case 'ready':
        this.#show(true);
        return;
      case 'urlChanged':
        this.#readParameters();
        return;
      case 'send':
        await this.#send();
        return;
      case 'start':
        await this.#startAndSend('terminal');
        return;
      case 'cancel':
        this.#running?.abort();
        return;
      case 'openBody':
        await openBody(this.#exchange);
        return;
      case 'saveBody':
        await saveBody(this.#exchange, this.#form.url);
        return;
      case 'history':
        await this.#pickFromHistory();
        return;
      case 'saveRequest':
        await saveRequest(this.#form, this.#file);
        return;
      case 'clearCookies':
        this.#jar.clear();
        void window.showInformationMessage(t('The cookies of this session are deleted.'));
        return;
      case 'curl':
      case 'sdk':
        await this.#copy(kind);
        return;
      case 'offer':
        if (command === 'retry') await this.#send();
        else if (command === 'start') await this.#startAndSend('terminal');
        else if (command === 'follow') await this.#follow();
        else if (typeof command === 'string' && OWN_COMMAND.test(command)) {
          const ofFile = command === 'svc-x402.installPackages' ? [this.#file] : [];
          await commands.executeCommand(command, ...ofFile);
        }
    }
  }

  /** Another URL can have other parameters. */
  #readParameters(): void {
    const names = pathParameters(this.#form.url);
    if (names.join() === this.#form.pathParams.map(({ name }) => name).join()) return;
    const bare = formFor(this.#form.method, this.#form.url, undefined);
    this.#form = withRemembered(bare, this.#form);
    this.#show();
  }

  #build(): BuiltRequest | undefined {
    const result = buildRequest(this.#form);
    const problems = result.ok ? [] : result.problems;
    void this.#panel?.webview.postMessage({ kind: 'problems', problems });
    return result.ok ? result.request : undefined;
  }

  async #send(before?: (signal: AbortSignal) => Promise<string>): Promise<void> {
    if (this.#running !== undefined) return;
    const request = this.#build();
    if (request === undefined) return;
    await this.#remember();
    const controller = new AbortController();
    this.#running = controller;
    this.#exchange = undefined;
    try {
      const { settled, exchange } = await payOnce(this.#app, request, {
        signal: controller.signal,
        route: this.#form.url,
        before,
        show: (outcome) => this.#showOutcome(outcome),
        linkOf: (hash) => explorerLink(this.#app, hash),
        jar: this.#jar,
        onStream: (text) => void this.#panel?.webview.postMessage({ kind: 'chunk', text }),
      });
      this.#exchange = exchange;
      if (exchange !== undefined) await this.#note(exchange, settled);
      if (settled) this.#onSettled();
    } finally {
      this.#running = undefined;
    }
  }

  async #startAndSend(startIn: StartIn): Promise<void> {
    const request = this.#build();
    if (request === undefined) return;
    const file = this.#file ?? this.#lastFile ?? folderFile();
    await this.#send(async (signal) => {
      const { transport } = this.#app;
      const url = await this.#starter.start({ file, url: request.url, transport, signal, startIn });
      if (url !== request.url) {
        this.#form = { ...this.#form, url: withPort(this.#form.url, Number(new URL(url).port)) };
        this.#showForm();
      }
      return url;
    });
  }

  /** Sends the request to where the last response points, as a browser would. */
  async #follow(): Promise<void> {
    const form = redirectForm(this.#form, this.#outcome.answer);
    if (form === undefined) return;
    this.#form = form;
    this.#showForm();
    await this.#send();
  }

  async #note({ status, ms }: Exchange, settled: TestResult | undefined): Promise<void> {
    const { workspaceState } = this.#app.context;
    const entry: HistoryEntry = {
      at: Date.now(),
      form: this.#form,
      status,
      ms,
      paid: settled === undefined ? '' : `${formatDecimalAmount(settled.amount)} USDC`,
      settlement: settled?.settlement ?? '',
    };
    await workspaceState.update(HISTORY, withEntry(this.#history(), entry));
  }

  #history(): readonly HistoryEntry[] {
    return this.#app.context.workspaceState.get<readonly HistoryEntry[]>(HISTORY, []);
  }

  /** Shows the requests that were sent, and puts the chosen one into the form. */
  async #pickFromHistory(): Promise<void> {
    const items = this.#history().map((entry) => ({
      label: `${entry.form.method} ${entry.form.url}`,
      description: [String(entry.status), timeWords(entry.ms), entry.paid]
        .filter(Boolean)
        .join(', '),
      detail: moment(new Date(entry.at)),
      entry,
    }));
    const choice = await window.showQuickPick(items, {
      title: t('Requests'),
      placeHolder:
        items.length === 0 ? t('No request has been sent yet.') : t('Which one do you want again?'),
      matchOnDescription: true,
    });
    if (choice === undefined) return;
    this.#form = choice.entry.form;
    this.#outcome = NOTHING_YET;
    this.#show();
  }

  async #copy(as: 'curl' | 'sdk'): Promise<void> {
    const request = this.#build();
    if (request === undefined) return;
    const { rpcUrl = USUAL_RPC_URL } = this.#app.addresses;
    const { amount = MAX_OF_UNKNOWN_PRICE, asset = USDC_CONTRACT } = this.#outcome.terms ?? {};
    const limit = { amount: BigInt(amount), asset, rpcUrl };
    await env.clipboard.writeText(as === 'curl' ? asCurl(request) : asSdkCode(request, limit));
    copied(as === 'curl' ? t('curl command') : t('SDK code'));
  }

  #forms(): Readonly<Record<string, RequestForm>> {
    return this.#app.context.workspaceState.get<Record<string, RequestForm>>(FORMS, {});
  }

  /** Headers can contain secrets, so they stay in the page and are not stored. */
  async #remember(): Promise<void> {
    const { workspaceState } = this.#app.context;
    const form = withoutSecrets(this.#form);
    const { [keyOf(form)]: _old, ...others } = this.#forms();
    const kept = Object.entries(others).slice(1 - MAX_FORMS);
    await workspaceState.update(FORMS, Object.fromEntries([...kept, [keyOf(form), form]]));
    await workspaceState.update(LAST, form);
  }
}

/** 0.1 USDC: maximum for SDK code while the price is unknown. */
const MAX_OF_UNKNOWN_PRICE = '1000000';
/** Where the local network usually is; the copied code reads STELLAR_RPC_URL first. */
const USUAL_RPC_URL = 'http://127.0.0.1:8000/rpc';

function keyOf({ method, url }: RequestForm): string {
  return `${method} ${url}`;
}

/** A file of the first folder, for a panel that was opened without any file. */
function folderFile(): Uri | undefined {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return folder && Uri.joinPath(folder, 'package.json');
}
