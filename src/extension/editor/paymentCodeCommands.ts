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
import type { Change, ChangeResult, Edit, Route } from '../../codegen/index.ts';
import { ROUTE_LANGUAGES } from '../routes/index.ts';
import { type App, NotTrusted } from './app.ts';
import { askPrice } from './askPrice.ts';
import { offerInstall } from './installOffer.ts';
import type { ChangePreview } from './previewChange.ts';
import { confirmProjectSettings } from './projectConsentCommands.ts';
import { codeFacts, projectFilesOf } from './projectFiles.ts';

/** "Svc: Add x402 payment to this endpoint". @param offset position of the lens or action */
export async function addPaymentCommand(
  app: App,
  preview: ChangePreview,
  offset?: number,
): Promise<void> {
  const document = routeDocument(app);
  if (document === undefined) return;
  const { addPayment, applyEdits, findProject, findRoutes, pathInProject } = await import(
    '../../codegen/index.ts'
  );
  const files = projectFilesOf(document.uri);
  const path = await pathInProject(document.uri.path, files);
  const text = document.getText();
  const at = offset ?? document.offsetAt(window.activeTextEditor?.selection.active ?? firstPlace);
  const routes = findRoutes({ path, text });
  const route = await pickRoute(document, routes, at, 'Add a payment to');
  if (route === undefined) return;
  if (route.gated !== undefined) {
    await tellGated(route);
    return;
  }
  if (route.refusal !== undefined) {
    await tellRefusal(route.refusal);
    return;
  }
  if (!(await confirmProjectSettings(app, document.uri))) return;
  const payTo = await requirePayTo(app, document);
  if (payTo === undefined) return;
  const facilitatorUrl = await app.facilitatorForCode();
  if (facilitatorUrl === undefined) {
    await commands.executeCommand('svc-x402.startService');
    return;
  }
  const name = `${route.method} ${route.path}`;
  const answer = await askPrice(name, app.settingsFor(document.uri).defaultPrice);
  if (answer === undefined) return;
  const version = document.version;
  const project = await findProject(document.uri.path, files);
  const result = addPayment({
    path,
    text,
    offset: route.range.start,
    price: answer.price,
    payTo,
    facilitatorUrl,
    ...codeFacts(project),
  });
  if (!result.ok) {
    await tellRefusal(result.refusal);
    return;
  }
  if (answer.preview) {
    const changed = applyEdits(text, result.edits);
    if (!(await preview.ask(document, changed, `Add a payment to ${name}`))) return;
  }
  if (document.version !== version) {
    throw new Error('The file was changed meanwhile. Run the command again.');
  }
  await apply(document, result);
  app.milestones.mark('gate');
  for (const note of result.notes) app.log.info(note);
  void offerInstall(app, document.uri, project, result.route.framework);
}

/** "Svc: Remove x402 payment from this endpoint" */
export async function removePaymentCommand(app: App, offset?: number): Promise<void> {
  const document = routeDocument(app);
  if (document === undefined) return;
  const { findRoutes, pathInProject, removePayment } = await import('../../codegen/index.ts');
  const path = await pathInProject(document.uri.path, projectFilesOf(document.uri));
  const text = document.getText();
  const at = offset ?? document.offsetAt(window.activeTextEditor?.selection.active ?? firstPlace);
  const gated = findRoutes({ path, text }).filter((route) => route.gated === 'marker');
  if (gated.length === 0) {
    void window.showInformationMessage('No payment that Svc added was found in this file.');
    return;
  }
  const route = await pickRoute(document, gated, at, 'Remove the payment from');
  if (route === undefined) return;
  const result: ChangeResult = removePayment({ path, text, offset: route.range.start });
  if (result.ok) await apply(document, result);
  else await tellRefusal(result.refusal);
}

const firstPlace = new Selection(0, 0, 0, 0).active;

/** The open file, when it may contain routes and may be changed. */
function routeDocument(app: App): TextDocument | undefined {
  if (!app.trusted) throw new NotTrusted();
  const document = window.activeTextEditor?.document;
  if (document && ROUTE_LANGUAGES.some((language) => language === document.languageId)) {
    return document;
  }
  void window.showInformationMessage(
    'Open a JavaScript or TypeScript file that holds an endpoint, and put the cursor in it.',
  );
  return undefined;
}

/** Confirms the route, also when there is only one; the one at the cursor comes first. */
async function pickRoute(
  document: TextDocument,
  routes: readonly Route[],
  at: number,
  title: string,
): Promise<Route | undefined> {
  if (routes.length === 0) {
    void window.showInformationMessage(
      'No endpoint was found in this file. Express, Fastify and the App Router of Next.js are known.',
    );
    return undefined;
  }
  const distance = ({ range }: Route) =>
    at >= range.start && at <= range.end
      ? 0
      : Math.min(Math.abs(range.start - at), Math.abs(range.end - at));
  const ordered = [...routes].sort((a, b) => distance(a) - distance(b));
  const items: (QuickPickItem & { route: Route })[] = ordered.map((route) => ({
    label: `${route.method} ${route.path}`,
    description: `${FRAMEWORKS[route.framework]}, line ${document.positionAt(route.range.start).line + 1}`,
    ...(route.gated === undefined
      ? route.refusal === undefined
        ? {}
        : { detail: `$(circle-slash) ${route.refusal.message}` }
      : { detail: '$(check) asks for a payment already' }),
    route,
  }));
  const choice = await window.showQuickPick(items, { title, placeHolder: 'Which endpoint?' });
  return choice?.route;
}

const FRAMEWORKS: Readonly<Record<Route['framework'], string>> = {
  express: 'Express',
  fastify: 'Fastify',
  hono: 'Hono',
  'next-app': 'Next.js App Router',
  'next-pages': 'Next.js Pages Router',
  decorators: 'decorators',
  other: 'another server',
};

/** Makes all edits in one step, which one undo reverts; the cursor goes to the first TODO. */
async function apply(document: TextDocument, { edits, cursor }: Change): Promise<void> {
  const edit = new WorkspaceEdit();
  for (const { offset, length, text } of edits)
    edit.replace(document.uri, rangeOf(offset, length), text);
  if (!(await workspace.applyEdit(edit))) throw new Error('The file could not be changed.');
  const editor = await window.showTextDocument(document);
  const place = document.positionAt(cursor);
  editor.selection = new Selection(place, place);
  editor.revealRange(new Range(place, place), TextEditorRevealType.InCenter);

  function rangeOf(offset: Edit['offset'], length: Edit['length']): Range {
    return new Range(document.positionAt(offset), document.positionAt(offset + length));
  }
}

async function requirePayTo(app: App, document: TextDocument): Promise<string | undefined> {
  const { payTo } = app.settingsFor(document.uri);
  if (payTo !== undefined) return payTo;
  const [create, set] = ['Create Local Wallet', 'Set Address'];
  const local = app.settings.network === 'local';
  const choice = await window.showInformationMessage(
    'Which address is paid? It is written into the code.',
    ...(local ? [create, set] : [set]),
  );
  if (choice === create) await commands.executeCommand('svc-x402.createLocalWallet');
  if (choice === set) await commands.executeCommand('svc-x402.setPayTo');
  return app.settingsFor(document.uri).payTo;
}

async function tellGated(route: Route): Promise<void> {
  const name = `${route.method} ${route.path}`;
  const [test, remove] = ['Test Payment', 'Remove Payment'];
  const choice = await window.showInformationMessage(
    `${name} asks for a payment already.`,
    test,
    ...(route.gated === 'marker' ? [remove] : []),
  );
  if (choice === test) await commands.executeCommand('svc-x402.testRoute', route.range.start);
  if (choice === remove) {
    await commands.executeCommand('svc-x402.removePayment', route.range.start);
  }
}

/** The Pages Router is never changed: instructions are shown instead (spec: Editor extension command). */
async function tellRefusal(refusal: { code: string; message: string }): Promise<void> {
  if (refusal.code === 'pages_router') {
    await window.showInformationMessage('The Pages Router cannot be charged for', {
      modal: true,
      detail: `${refusal.message}\n\nIn the App Router the endpoint is a file app/api/<name>/route.ts that exports GET or POST. Run the command there.`,
    });
    return;
  }
  await window.showWarningMessage(refusal.message);
}
