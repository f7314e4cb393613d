import {
  CodeAction,
  CodeActionKind,
  CodeLens,
  commands,
  type Disposable,
  EventEmitter,
  languages,
  Range,
  type TextDocument,
  window,
  workspace,
} from 'vscode';
import type { Route } from '../../codegen/index.ts';
import { lensGroups, mayHoldRoutes, priceInCode, ROUTE_LANGUAGES } from '../routes/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';
import type { PackageWatcher } from './packageWatcher.ts';
import {
  DocumentUnread,
  inThread,
  LARGEST,
  readDocument,
  readingDocument,
} from './projectFiles.ts';
import { probableUrl, type TestTarget } from './requestPanel/index.ts';

const AFTER_MS = 150;

/**
 * Sets the context key that menus use to offer what applies at the cursor: `svc-x402.cursor` is `free` or `paid` in a route,
 * `free-file` or `paid-file` beside one, else `none`.
 */
function followCursor(read: (document: TextDocument) => Promise<readonly Route[]>): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let shown = '';

  async function look(): Promise<void> {
    const editor = window.activeTextEditor;
    const routes = editor === undefined ? [] : await read(editor.document);
    const at = editor?.document.offsetAt(editor.selection.active) ?? 0;
    const here = routes.find(({ range }) => at >= range.start && at <= range.end);
    const paid = (route: Route) => route.gated === 'marker';
    const state =
      here !== undefined
        ? paid(here)
          ? 'paid'
          : 'free'
        : routes.length === 0
          ? 'none'
          : routes.some(paid)
            ? 'paid-file'
            : 'free-file';
    if (state === shown) return;
    shown = state;
    await commands.executeCommand('setContext', 'svc-x402.cursor', state);
  }

  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), AFTER_MS);
  };
  const listeners = [
    window.onDidChangeActiveTextEditor(soon),
    window.onDidChangeTextEditorSelection(soon),
    workspace.onDidChangeTextDocument(soon),
  ];
  soon();
  return {
    dispose() {
      clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
    },
  };
}

/**
 * The lenses above routes, and the light bulb's actions in them. Both can be turned off.
 * @param onRoutes called when a file with routes is shown
 */
export function createRouteLenses(
  app: App,
  packages: PackageWatcher,
  onRoutes: () => void,
): Disposable {
  const changes = new EventEmitter<void>();
  const read = routeReader(app);
  const selector = ROUTE_LANGUAGES.map((language) => ({ language }));
  const parts = [
    changes,
    followCursor(read),
    app.onChange(() => changes.fire()),
    packages.onChange(() => changes.fire()),
    languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: changes.event,
      async provideCodeLenses(document) {
        if (!app.settings.codeLens) return [];
        const routes = await read(document);
        if (routes.length > 0) onRoutes();
        const isIncomplete = packages.of(document).length > 0;
        const isFree = ({ gated, refusal }: Route) => gated === undefined && refusal === undefined;
        const lineOf = ({ range }: Route) => document.positionAt(range.start).line;
        return [
          ...lensGroups(routes.filter(isFree), lineOf).map(({ first, count }) =>
            offerLens(document, first, count),
          ),
          ...routes
            .filter(({ gated }) => gated !== undefined)
            .flatMap((route) => paidLenses(document, route, isIncomplete)),
        ];
      },
    }),
    languages.registerCodeActionsProvider(
      selector,
      {
        async provideCodeActions(document, range) {
          if (!app.settings.codeActions) return [];
          const at = document.offsetAt(range.start);
          const route = (await read(document)).find(
            (one) => at >= one.range.start && at <= one.range.end,
          );
          return route === undefined ? [] : actionsOf(route);
        },
      },
      { providedCodeActionKinds: [CodeActionKind.Refactor] },
    ),
  ];
  return {
    dispose() {
      for (const part of parts) part.dispose();
    },
  };
}

/** Routes of a document, read once per version. Broken code has none and causes no error. */
export function routeReader(app: App): (document: TextDocument) => Promise<readonly Route[]> {
  const known = new WeakMap<TextDocument, { version: number; routes: readonly Route[] }>();
  return async (document) => {
    const cached = known.get(document);
    if (cached?.version === document.version) return cached.routes;
    const { version } = document;
    const path = workspace.asRelativePath(document.uri, false);
    const text = document.getText().slice(0, LARGEST);
    let routes: readonly Route[] = [];
    try {
      if (mayHoldRoutes(path, text)) ({ routes } = await readDocument(document));
    } catch (error) {
      if (error instanceof DocumentUnread) app.log.warn(error.message);
      else app.log.debug(`routes of ${document.uri.path}: ${String(error)}`);
    }
    known.set(document, { version, routes });
    return routes;
  };
}

/** The lens that offers a payment: for its own route, which it does not ask for again, or for one of several. */
function offerLens(document: TextDocument, first: Route, count: number): CodeLens {
  const place = document.positionAt(first.range.start);
  const isOne = count === 1;
  return new CodeLens(new Range(place, place), {
    command: 'svc-x402.addPayment',
    title: isOne
      ? t('$(credit-card) Add x402 Payment…')
      : t('$(credit-card) Add x402 Payment to One of {0} Endpoints…', count),
    arguments: isOne ? [first.range.start] : [],
  });
}

function paidLenses(document: TextDocument, route: Route, isIncomplete: boolean): CodeLens[] {
  const place = document.positionAt(route.range.start);
  const range = new Range(place, place);
  const args = [route.range.start];
  const price = priceInCode(document.getText(), route.method, route.mounted ?? route.path);
  const test = {
    command: 'svc-x402.testRoute',
    title: t('$(credit-card) x402{0} · Test', price === undefined ? '' : `: ${price} USDC`),
    tooltip: t('Pay this endpoint once with a throwaway key'),
    arguments: args,
  };
  const check = {
    command: 'svc-x402.checkRoute',
    title: t('Check'),
    tooltip: t('Start your app and check that no request gets past the payment'),
    arguments: args,
  };
  const own = [
    { command: 'svc-x402.changePrice', title: t('Change Price…'), arguments: args },
    { command: 'svc-x402.removePayment', title: t('Remove'), arguments: args },
  ];
  const install = {
    command: 'svc-x402.installPackages',
    title: t('$(warning) Install Packages…'),
    tooltip: t('Packages that your server needs are not installed.'),
  };
  const first = isIncomplete ? [install] : [];
  return [...first, test, check, ...(route.gated === 'marker' ? own : [])].map(
    (command) => new CodeLens(range, command),
  );
}

function actionsOf(route: Route): CodeAction[] {
  const offered =
    route.gated === 'marker'
      ? { title: t('Remove x402 Payment'), command: 'svc-x402.removePayment' }
      : { title: t('Add x402 Payment…'), command: 'svc-x402.addPayment' };
  if (route.gated === 'code' || (route.gated === undefined && route.refusal)) return [];
  const action = new CodeAction(offered.title, CodeActionKind.Refactor.append('svc-x402'));
  action.command = { ...offered, arguments: [route.range.start] };
  return [action];
}

/**
 * Returns the request that a route serves, as far as its file shows it: the probable URL, and what its gate declares.
 * `undefined` if the open file has no route.
 * @param offset position of the lens or action; the cursor if omitted
 */
export async function routeTarget(offset?: number): Promise<TestTarget | undefined> {
  const editor = window.activeTextEditor;
  const document = editor?.document;
  if (document === undefined || !isRouteFile(document)) return undefined;
  const { source, routes } = await readDocument(document);
  const { text } = source;
  const at = offset ?? document.offsetAt(editor?.selection.active ?? new Range(0, 0, 0, 0).start);
  const route =
    offset === undefined
      ? (routes.find(({ range, gated }) => gated && at >= range.start && at <= range.end) ??
        routes.find(({ gated }) => gated))
      : await inThread('routeAt', routes, at);
  if (route === undefined) return undefined;
  return {
    url: await probableUrl(document.uri, text, route.mounted ?? route.path),
    method: route.method,
    declared: await readingDocument(document, () =>
      inThread('gateTerms', source, route.method, route.mounted ?? route.path),
    ),
    file: document.uri,
  };
}

function isRouteFile({ languageId }: TextDocument): boolean {
  return ROUTE_LANGUAGES.some((language) => language === languageId);
}
