import {
  commands,
  type QuickPickItem,
  Range,
  Selection,
  type TextDocument,
  TextEditorRevealType,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import type { Change, Edit, Route } from '../../codegen/index.ts';
import { ROUTE_LANGUAGES } from '../routes/index.ts';
import { later, t } from '../words/index.ts';
import { type App, NotTrusted } from './app.ts';
import { probableUrl } from './requestPanel/index.ts';

const firstPlace = new Selection(0, 0, 0, 0).active;

/** Where a command is used: the position of its lens or action, or else the cursor. */
function positionIn(document: TextDocument, offset: number | undefined): number {
  return offset ?? document.offsetAt(window.activeTextEditor?.selection.active ?? firstPlace);
}

/** The open file, if it can contain routes and can be changed. */
export function routeDocument(app: App): TextDocument | undefined {
  if (!app.trusted) throw new NotTrusted();
  const document = window.activeTextEditor?.document;
  if (document && ROUTE_LANGUAGES.some((language) => language === document.languageId)) {
    return document;
  }
  void tellElsewhere(
    t(
      'Open a JavaScript or TypeScript file that contains an endpoint, and put the cursor in the endpoint. Servers in other languages are sold by their port.',
    ),
    () => commands.executeCommand('svc-x402.chargeForPort'),
  );
  return undefined;
}

/**
 * Asks for the route, even if there is only one; the one at the cursor comes first. A lens or an action belongs to a route, so
 * nothing is asked there.
 * @param offset position of the lens or action; `undefined` for a command
 */
export async function pickRoute(
  document: TextDocument,
  routes: readonly Route[],
  offset: number | undefined,
  title: string,
): Promise<Route | undefined> {
  const at = positionIn(document, offset);
  const own =
    offset === undefined
      ? undefined
      : routes.find(({ range }) => offset >= range.start && offset <= range.end);
  if (own !== undefined) return own;
  if (routes.length === 0) {
    void tellElsewhere(
      t(
        'No endpoint was found in this file. Svc supports Express, Fastify, Hono and the Next.js App Router. Other servers are sold by their port.',
      ),
      () => chargeFor(document),
    );
    return undefined;
  }
  const distance = ({ range }: Route) =>
    at >= range.start && at <= range.end
      ? 0
      : Math.min(Math.abs(range.start - at), Math.abs(range.end - at));
  const ordered = [...routes].sort((a, b) => distance(a) - distance(b));
  const items: (QuickPickItem & { route: Route })[] = ordered.map((route) => ({
    label: `${route.method} ${route.mounted ?? route.path}`,
    description: t(
      '{0}, line {1}',
      t(FRAMEWORKS[route.framework]),
      document.positionAt(route.range.start).line + 1,
    ),
    ...(route.gated === undefined
      ? route.refusal === undefined
        ? {}
        : { detail: `$(circle-slash) ${route.refusal.message}` }
      : { detail: t('$(check) already requires payment') }),
    route,
  }));
  const choice = await window.showQuickPick(items, { title, placeHolder: t('Which endpoint?') });
  return choice?.route;
}

/** Says that there is no route to sell by code, and offers to sell the server. */
async function tellElsewhere(words: string, charge: () => unknown): Promise<void> {
  const offer = t('Charge for a Local Port…');
  const choice = await window.showInformationMessage(words, offer);
  if (choice === offer) await charge();
}

const FRAMEWORKS: Readonly<Record<Route['framework'], string>> = {
  express: 'Express',
  fastify: 'Fastify',
  hono: 'Hono',
  'next-app': 'Next.js App Router',
  'next-pages': 'Next.js Pages Router',
  decorators: later('decorators'),
  other: later('another server'),
};

/** Makes all edits in one undo step; the cursor goes to the first TODO. */
export async function apply(document: TextDocument, { edits, cursor }: Change): Promise<void> {
  const edit = new WorkspaceEdit();
  for (const { offset, length, text } of edits)
    edit.replace(document.uri, rangeOf(offset, length), text);
  if (!(await workspace.applyEdit(edit))) throw new Error(t('The file could not be changed.'));
  const editor = await window.showTextDocument(document);
  const place = document.positionAt(cursor);
  editor.selection = new Selection(place, place);
  editor.revealRange(new Range(place, place), TextEditorRevealType.InCenter);

  function rangeOf(offset: Edit['offset'], length: Edit['length']): Range {
    return new Range(document.positionAt(offset), document.positionAt(offset + length));
  }
}

/**
 * Says why a route cannot be sold by code, and offers to sell it through a proxy in front of its server. The Pages Router is
 * never changed: instructions are shown instead (spec: Editor extension command).
 * @param document the route's file: its code names the port that is offered
 */
export async function tellRefusal(
  refusal: { code: string; message: string },
  document: TextDocument,
): Promise<void> {
  const charge = t('Charge for a Local Port…');
  const choice =
    refusal.code === 'pages_router'
      ? await window.showInformationMessage(
          t('Svc cannot add a payment to the Pages Router'),
          {
            modal: true,
            detail: t(
              '{0}\n\nIn the App Router the endpoint is a file app/api/<name>/route.ts that exports GET or POST. Run the command there.',
              refusal.message,
            ),
          },
          charge,
        )
      : await window.showWarningMessage(refusal.message, charge);
  if (choice === charge) await chargeFor(document);
}

/** "Svc: Charge for a Local Port…" with the port that the code of a file names. */
async function chargeFor(document: TextDocument): Promise<void> {
  const url = await probableUrl(document.uri, document.getText(), '/');
  await commands.executeCommand('svc-x402.chargeForPort', { target: new URL(url).origin });
}
