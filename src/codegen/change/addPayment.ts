import { readRoutes, routeAt } from '../findRoutes.ts';
import type { FoundRoute } from '../routes/foundRoute.ts';
import { isRefusal } from '../routes/pathPattern.ts';
import { type Refusal, type Route, refuse } from '../routes/route.ts';
import { applyEdits, type Edit, inOrder } from '../source/edit.ts';
import { lineNumber } from '../source/lines.ts';
import { scriptExtension, syntaxErrors, unlessTooDeep } from '../source/sourceFile.ts';
import { type AddPaymentInput, type ChangeResult, refused } from './change.ts';
import { type ChangeContext, changeContext } from './context.ts';
import { nextChange } from './nextChange.ts';
import { notesFor } from './notes.ts';
import { parseFacilitatorUrl, parsePayTo, parsePrice } from './paymentTerms.ts';
import { registeredChange } from './registeredChange.ts';

/**
 * Makes the change that puts a payment before a route (spec: Editor extension command). The text is
 * read, never printed again: what is not inserted stays as it is, byte for byte.
 */
export function addPayment(input: AddPaymentInput): ChangeResult {
  return unlessTooDeep(() => addTo(input), refused(TOO_DEEP));
}

export const TOO_DEEP = refuse(
  'unsupported_file',
  'The code of this file is nested too deeply to be read.',
);

function addTo(input: AddPaymentInput): ChangeResult {
  if (scriptExtension(input.path) === undefined) {
    return refused(
      refuse('unsupported_file', 'Payments are added to JavaScript and TypeScript files.'),
    );
  }
  const { file, bindings, routes } = readRoutes(input);
  const [error] = syntaxErrors(file);
  if (error) {
    const line = lineNumber(input.text, error.start);
    return refused(refuse('syntax_error', `Syntax error on line ${line}. Fix it first.`));
  }
  const route = routeAt(routes, input.offset);
  if (!route) return refused(refuse('no_route', 'No endpoint was found in this file.'));
  const refusal = alreadyGated(route) ?? route.refusal;
  if (refusal) return refused(refusal);
  const price = parsePrice(input.price);
  if (isRefusal(price)) return refused(price);
  const payTo = parsePayTo(input.payTo);
  if (typeof payTo !== 'string') return refused(payTo);
  const facilitatorUrl = parseFacilitatorUrl(input.facilitatorUrl);
  if (typeof facilitatorUrl !== 'string') return refused(facilitatorUrl);
  const terms = { payTo, facilitatorUrl };
  const context = changeContext({ file, bindings, route, routes, price, terms, input });
  const edits = route.framework === 'next-app' ? nextChange(context) : registeredChange(context);
  return isRefusal(edits) ? refused(edits) : finished(context, edits);
}

function alreadyGated({ gated, method, path }: FoundRoute): Refusal | undefined {
  if (gated === undefined) return undefined;
  return refuse(
    'already_gated',
    gated === 'marker'
      ? `${method} ${path} has a payment already. Remove it first, or change its price.`
      : `Code before ${method} ${path} asks for a payment already.`,
  );
}

function finished(context: ChangeContext, unordered: readonly Edit[]): ChangeResult {
  const { route, input } = context;
  const edits = inOrder(unordered);
  const changed = applyEdits(input.text, edits);
  return {
    ok: true,
    edits,
    cursor: cursorIn(changed, edits),
    route: publicRoute(route),
    notes: notesFor(context),
  };
}

/** The first TODO of what was inserted, or where the inserted code begins. */
function cursorIn(changed: string, edits: readonly Edit[]): number {
  let shift = 0;
  let longest: { readonly start: number; readonly text: string } | undefined;
  for (const { offset, length, text } of edits) {
    const start = offset + shift;
    const todo = text.indexOf('TODO');
    if (todo >= 0) return start + todo;
    if (text.length > (longest?.text.length ?? 0)) longest = { start, text };
    shift += text.length - length;
  }
  return Math.min(longest?.start ?? 0, changed.length);
}

export function publicRoute(route: FoundRoute): Route {
  const { handlerNode: _handler, registered: _registered, exported: _exported, ...rest } = route;
  return rest;
}
