import { type ReadFile, readRoutes } from '../../findRoutes.ts';
import type { FoundRoute } from '../../routes/foundRoute.ts';
import { type Refusal, refuse } from '../../routes/route.ts';
import { routeAt } from '../../routes/selectRoute.ts';
import { scriptExtension } from '../../source/sourceFile.ts';
import type { AddPaymentInput } from '../change.ts';

/** A file, and the route in it that gets a payment. */
export interface ChosenRoute extends ReadFile {
  readonly route: FoundRoute;
}

/** Reads a file and chooses the route at a position; returns a refusal if it cannot take a payment. */
export function chooseRoute(input: AddPaymentInput): ChosenRoute | Refusal {
  if (scriptExtension(input.path) === undefined) {
    return refuse('unsupported_file', 'Payments are added to JavaScript and TypeScript files.');
  }
  if (isGenerated(input.text)) {
    return refuse(
      'unsupported_file',
      'This file says that it is generated (@generated), so a change would be lost. Change what it is generated from.',
    );
  }
  const read = readRoutes(input);
  if (read.brokenLine !== undefined) {
    return refuse('syntax_error', `Syntax error on line ${read.brokenLine}. Fix it first.`);
  }
  const route = routeAt(read.routes, input.offset);
  if (!route) return refuse('no_route', 'No endpoint was found in this file.');
  return alreadyGated(route) ?? route.refusal ?? { ...read, route };
}

/** Maximum length of the comments at the start of a file. */
const FIRST_CHARACTERS = 2_000;

/** Whether the comments at the start of a file have the mark of generated code. */
function isGenerated(text: string): boolean {
  const start = text.slice(0, FIRST_CHARACTERS);
  const comments =
    /^(?:\uFEFF?#![^\n]*\n)?(?:\s+|\/\/[^\n]*|\/\*(?:(?!\*\/)[\s\S])*(?:\*\/|$))*/.exec(start);
  return /@generated\b/.test(comments?.[0] ?? '');
}

function alreadyGated({ gated, method, path }: FoundRoute): Refusal | undefined {
  if (gated === undefined) return undefined;
  return refuse(
    'already_gated',
    gated === 'marker'
      ? `${method} ${path} already has a payment. Remove it first, or change its price.`
      : `Code before ${method} ${path} already asks for a payment.`,
  );
}
