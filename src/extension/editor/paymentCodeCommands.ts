import {
  commands,
  Range,
  type TextDocument,
  type Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import type {
  ChangeResult,
  ListedRoute,
  Project,
  Route,
  SourceText,
  WritingFacts,
} from '../../codegen/index.ts';
import { askPayment, whatIsWrongWithPayment } from '../paymentForm/paymentForm.ts';
import { priceInCode } from '../routes/index.ts';
import { whatIsUnusualAboutPrice } from '../settings/index.ts';
import { t } from '../words/index.ts';
import type { App } from './app.ts';
import { askPaymentStep } from './askPaymentStep.ts';
import { offerInstall } from './installOffer.ts';
import type { ChangePreview } from './previewChange.ts';
import { confirmProjectSettings } from './projectConsentCommands.ts';
import { inThread, projectFilesOf, readDocument, readingDocument } from './projectFiles.ts';
import { payToWarning, recipientOf } from './recipient.ts';
import { apply, pickRoute, routeDocument, tellRefusal } from './routeAtHand.ts';
import { askText } from './stepInput.ts';

/** "Svc: Add x402 payment to this endpoint". @param offset position of the lens or action */
export async function addPaymentCommand(
  app: App,
  preview: ChangePreview,
  offset?: number,
): Promise<void> {
  const document = routeDocument(app);
  if (document === undefined) return;
  const { version } = document;
  const chosen = await chooseFreeRoute(document, offset);
  if (chosen === undefined) return;
  const { source, project, route } = chosen;
  if (!(await confirmProjectSettings(app, document.uri))) return;
  const facilitatorUrl = await app.facilitatorForCode();
  if (facilitatorUrl === undefined) {
    await commands.executeCommand('svc-x402.startService');
    return;
  }
  const files = projectFilesOf(document.uri);
  const { resolution, ...facts } = await readingDocument(document, () =>
    inThread('writingFacts', document.uri.path, project, files),
  );
  if (resolution && !(await acceptsTypeErrors(document, resolution))) return;
  const name = `${route.method} ${route.mounted ?? route.path}`;
  const { payTo: known, defaultPrice } = app.settingsFor(document.uri);
  const input = { ...source, ...facts, facilitatorUrl, offset: route.range.start };
  const proposed = { ...input, price: defaultPrice, payTo: known ?? '' };
  const answers = await askPayment(
    {
      payTo: known,
      local: app.settings.network === 'local',
      price: defaultPrice,
      description: await readingDocument(document, () => inThread('routeDescription', proposed)),
    },
    (step) =>
      askPaymentStep(t('Add a payment to {0}', name), step, (address) =>
        payToWarning(app, address),
      ),
  );
  if (answers === undefined) return;
  const payTo = known ?? (await recipientOf(app, answers));
  const { price, description } = answers;
  const result = await readingDocument(document, () =>
    inThread('addPayment', { ...input, price, payTo, description }),
  );
  if (!result.ok) {
    await tellRefusal(result.refusal, document);
    return;
  }
  if (answers.preview || (await inThread('notesToAccept', result.notes)).length > 0) {
    const proposal = {
      title: t('Add a payment to {0}', name),
      changed: await inThread('applyEdits', source.text, result.edits),
      offset: result.edits[0]?.offset ?? 0,
      notes: result.notes,
    };
    if (!(await preview.ask(document, proposal))) return;
  }
  refuseIfChanged(document, version);
  await apply(document, result);
  const listed = { document: document.uri, project, route, code: source.text, others: [] };
  await keepWellKnown(app, listed, 'added');
  app.milestones.mark('gate');
  for (const { sentence } of result.notes) app.log.info(sentence);
  void offerInstall(app, document.uri, project, result.route.framework);
}

/** Throws if the file has changed since it was read. */
function refuseIfChanged(document: TextDocument, version: number): void {
  if (document.version === version) return;
  throw new Error(t('The file has changed in the meantime. Run the command again.'));
}

interface Chosen {
  readonly source: SourceText;
  readonly project: Project | undefined;
  readonly route: Route;
}

/** Asks for a route to add a payment to; otherwise explains why there is none. */
async function chooseFreeRoute(
  document: TextDocument,
  offset: number | undefined,
): Promise<Chosen | undefined> {
  const read = await readDocument(document);
  const title = t('Add a payment to');
  const route = await pickRoute(document, read.routes, offset, title);
  if (route === undefined) return undefined;
  if (route.gated !== undefined) {
    await tellGated(route);
    return undefined;
  }
  if (route.refusal?.code !== 'framework_unknown') {
    if (route.refusal === undefined) return { ...read, route };
    await tellRefusal(route.refusal, document);
    return undefined;
  }
  const framework = await askFramework(route.refusal.message);
  if (framework === undefined) return undefined;
  const again = await readDocument(document, framework);
  const same = again.routes.find(({ range }) => range.start === route.range.start);
  if (same?.refusal) await tellRefusal(same.refusal, document);
  return same === undefined || same.refusal ? undefined : { ...again, route: same };
}

const FRAMEWORKS = [
  { label: 'Express', framework: 'express' },
  { label: 'Fastify', framework: 'fastify' },
  { label: 'Hono', framework: 'hono' },
] as const;

/** Asks for what the code does not show. */
async function askFramework(reason: string): Promise<SourceText['framework']> {
  const choice = await window.showQuickPick(FRAMEWORKS, {
    title: t('What is this route registered on?'),
    placeHolder: reason,
    ignoreFocusOut: true,
  });
  return choice?.framework;
}

/** Asks before writing code whose packages TypeScript cannot resolve. */
async function acceptsTypeErrors(
  document: TextDocument,
  { path, line, now, change }: NonNullable<WritingFacts['resolution']>,
): Promise<boolean> {
  const open = { label: t('Open tsconfig.json'), detail: t('Write {0} in line {1}', change, line) };
  const go = { label: t('Add the Payment Anyway'), detail: t('Its imports will show type errors') };
  const choice = await window.showQuickPick([open, go], {
    title: t('TypeScript cannot find the x402 packages with "moduleResolution": "{0}"', now),
    ignoreFocusOut: true,
  });
  if (choice === open) {
    const settings = await workspace.openTextDocument(document.uri.with({ path }));
    const { range } = settings.lineAt(line - 1);
    await window.showTextDocument(settings, { selection: range });
  }
  return choice === go;
}

/** "Svc: Remove x402 payment from this endpoint" */
export async function removePaymentCommand(app: App, offset?: number): Promise<void> {
  const chosen = await choosePaidRoute(app, offset, t('Remove the payment from'));
  if (chosen === undefined) return;
  const { document, version, source, project, route, others } = chosen;
  const result = await readingDocument(document, () =>
    inThread('removePayment', { ...source, offset: route.range.start }),
  );
  refuseIfChanged(document, version);
  await make(document, result);
  const listed = { document: document.uri, project, route, code: source.text, others };
  if (result.ok) await keepWellKnown(app, listed, 'removed');
}

/**
 * "Svc: Change Price of This Endpoint…": changes the price in place and keeps edited texts.
 * @param price the new price, from key bindings and programs; if omitted, the user is asked
 */
export async function changePriceCommand(app: App, offset?: number, price?: string): Promise<void> {
  const chosen = await choosePaidRoute(app, offset, t('Change the price of'));
  if (chosen === undefined) return;
  const { document, version, source, route } = chosen;
  const { method, path, range } = route;
  const now = priceInCode(source.text, method, route.mounted ?? path);
  const proposed = now ?? app.settingsFor(document.uri).defaultPrice;
  const answer = price ?? (await askPrice(t('Price of {0} {1}', method, path), proposed));
  if (answer === undefined) return;
  const result = await readingDocument(document, () =>
    inThread('setPrice', { ...source, offset: range.start, price: answer.trim() }),
  );
  refuseIfChanged(document, version);
  await make(document, result);
}

async function askPrice(title: string, value: string): Promise<string | undefined> {
  const answer = await askText(
    {
      ...{ title, value, step: 1, totalSteps: 1, problem: undefined, back: false },
      prompt: t('Price per request in USDC'),
    },
    (text) => whatIsWrongWithPayment('price', text),
    whatIsUnusualAboutPrice,
  );
  return answer === undefined || answer === 'back' ? undefined : answer.text;
}

interface PaidRoute {
  readonly document: TextDocument;
  readonly version: number;
  readonly source: SourceText;
  readonly project: Project | undefined;
  readonly route: Route;
  /** The other paid routes of the file. */
  readonly others: readonly Route[];
}

/** Asks for a route of the open file that has a payment added by Svc. */
async function choosePaidRoute(
  app: App,
  offset: number | undefined,
  title: string,
): Promise<PaidRoute | undefined> {
  const document = routeDocument(app);
  if (document === undefined) return undefined;
  const { version } = document;
  const { source, project, routes } = await readDocument(document);
  const gated = routes.filter((route) => route.gated === 'marker');
  if (gated.length === 0) {
    void window.showInformationMessage(t('No payment added by Svc was found in this file.'));
    return undefined;
  }
  const route = await pickRoute(document, gated, offset, title);
  const others = routes.filter((other) => other !== route && other.gated !== undefined);
  return route && { document, version, source, project, route, others };
}

async function make(document: TextDocument, result: ChangeResult): Promise<void> {
  if (result.ok) await apply(document, result);
  else await tellRefusal(result.refusal, document);
}

async function tellGated(route: Route): Promise<void> {
  const name = `${route.method} ${route.mounted ?? route.path}`;
  const [test, remove] = [t('Test Payment'), t('Remove Payment')];
  const choice = await window.showInformationMessage(
    t('{0} already requires payment.', name),
    test,
    ...(route.gated === 'marker' ? [remove] : []),
  );
  if (choice === test) await commands.executeCommand('svc-x402.testRoute', route.range.start);
  if (choice === remove) {
    await commands.executeCommand('svc-x402.removePayment', route.range.start);
  }
}

/** A route whose payment was added or removed, with the text of its file before the change. */
interface ChangedRoute extends ListedRoute {
  readonly document: Uri;
  readonly project: Project | undefined;
  /** The other paid routes of the file. */
  readonly others: readonly Route[];
}

/**
 * Keeps `/.well-known/x402` of the user's app up to date, if it has one. A failure is logged and never prevents adding the
 * payment.
 */
async function keepWellKnown(
  app: App,
  changed: ChangedRoute,
  change: 'added' | 'removed',
): Promise<void> {
  const { document, project, route, code, others } = changed;
  if (project === undefined) return;
  try {
    const found = await inThread('findWellKnown', project, projectFilesOf(document));
    if (found?.text === undefined) return;
    const { text, note } =
      change === 'added'
        ? await inThread('listResource', found, { route, code }, undefined)
        : await inThread('unlistResource', found, { route, code }, others);
    if (note !== undefined) app.log.info(note);
    if (text !== undefined) await replaceText(document.with({ path: found.path }), text);
  } catch (error) {
    app.log.warn(`/.well-known/x402: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Replaces a file's text in one undo step, and saves it unless it had unsaved changes. */
async function replaceText(file: Uri, text: string): Promise<void> {
  const opened = await workspace.openTextDocument(file);
  const { isDirty } = opened;
  const edit = new WorkspaceEdit();
  const end = opened.lineAt(opened.lineCount - 1).range.end;
  edit.replace(file, new Range(opened.positionAt(0), end), text);
  if ((await workspace.applyEdit(edit)) && !isDirty) await opened.save();
}
