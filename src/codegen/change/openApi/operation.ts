import { ts } from 'ts-morph';
import type { FoundRoute } from '../../routes/foundRoute.ts';
import type { Bindings } from '../../source/bindings.ts';
import { bare, importedFrom, memberValue, propertyName } from '../../source/values.ts';

/** The member of an operation that contains its price (decision 0084). */
export const PAYMENT_INFO = 'x-payment-info';

/** The part of a route's code that describes it for an OpenAPI document. */
export interface Operation {
  readonly by: '@fastify/swagger' | 'hono-openapi';
  /** The object literal, if the route's call contains it; otherwise, other routes might share it. */
  readonly literal: ts.ObjectLiteralExpression | undefined;
  /** The responses by status, written in the operation. */
  readonly responses: ts.ObjectLiteralExpression | undefined;
}

/** Returns the member of an object literal with this name. */
export function memberOf(
  literal: ts.ObjectLiteralExpression,
  name: string,
): ts.ObjectLiteralElementLike | undefined {
  return literal.properties.find((each) => each.name && propertyName(each.name) === name);
}

function literalOf(value: ts.Expression | undefined): ts.ObjectLiteralExpression | undefined {
  const at = value && bare(value);
  return at && ts.isObjectLiteralExpression(at) ? at : undefined;
}

function operation(
  by: Operation['by'],
  value: ts.Expression | undefined,
  answers: string,
): Operation {
  const literal = literalOf(value);
  const responses = literal && memberOf(literal, answers);
  return { by, literal, responses: literalOf(responses && memberValue(responses)) };
}

/**
 * Finds a route's description: the `schema` in its options if a document is generated from Fastify's routes, or the argument of
 * hono-openapi's `describeRoute`. Other frameworks have no place for it in a route's code.
 */
export function findOperation(
  { framework, registered }: FoundRoute,
  bindings: Bindings,
): Operation | undefined {
  if (!registered) return undefined;
  const { methodCall, options } = registered;
  if (framework === 'fastify') {
    const schema = options && memberOf(options, 'schema');
    if (!schema) return undefined;
    const own = options.pos >= methodCall.pos && options.end <= methodCall.end;
    return operation('@fastify/swagger', own ? memberValue(schema) : undefined, 'response');
  }
  if (framework !== 'hono') return undefined;
  for (const argument of methodCall.arguments) {
    const call = bare(argument);
    if (!ts.isCallExpression(call)) continue;
    const from = importedFrom(call.expression, bindings);
    if (from?.name === 'describeRoute' && /^hono-openapi(\/|$)/.test(from.module)) {
      return operation('hono-openapi', call.arguments[0], 'responses');
    }
  }
  return undefined;
}

/** An operation's price. */
export interface SaidPrice {
  /** The member, or the spread that contains it. */
  readonly member: ts.ObjectLiteralElementLike;
  /** The amount, if the member has the form written here; `undefined` if somebody else wrote it. */
  readonly amount: ts.StringLiteralLike | undefined;
}

/** Finds an operation's price. */
export function saidPrice(literal: ts.ObjectLiteralExpression): SaidPrice | undefined {
  for (const each of literal.properties) {
    // TypeScript does not report unknown names in a spread object.
    const spread = ts.isSpreadAssignment(each) ? literalOf(each.expression) : undefined;
    const member = spread ? memberOf(spread, PAYMENT_INFO) : each;
    if (!member?.name || propertyName(member.name) !== PAYMENT_INFO) continue;
    const alone = spread === undefined || spread.properties.length === 1;
    const info = literalOf(memberValue(member));
    return { member: each, amount: alone && info ? ownAmount(info) : undefined };
  }
  return undefined;
}

/** Whether an object has exactly these members. */
function hasExactly(literal: ts.ObjectLiteralExpression, ...names: readonly string[]): boolean {
  return (
    literal.properties.length === names.length && names.every((name) => memberOf(literal, name))
  );
}

function textIn(
  literal: ts.ObjectLiteralExpression,
  name: string,
): ts.StringLiteralLike | undefined {
  const member = memberOf(literal, name);
  const value = member && memberValue(member);
  return value && ts.isStringLiteralLike(value) ? value : undefined;
}

function ownAmount(info: ts.ObjectLiteralExpression): ts.StringLiteralLike | undefined {
  const [priceMember, protocols] = [memberOf(info, 'price'), memberOf(info, 'protocols')];
  const price = literalOf(priceMember && memberValue(priceMember));
  if (!price || !protocols || !hasExactly(info, 'price', 'protocols')) return undefined;
  const isOurs =
    hasExactly(price, 'mode', 'currency', 'amount') &&
    textIn(price, 'mode')?.text === 'fixed' &&
    textIn(price, 'currency')?.text === 'USD' &&
    /^\[\{x402:\{\},?\},?\]$/.test(
      memberValue(protocols)
        ?.getText()
        .replace(/['"\s]/g, '') ?? '',
    );
  return isOurs ? textIn(price, 'amount') : undefined;
}
