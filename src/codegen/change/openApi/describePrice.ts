import { ts } from 'ts-morph';
import { formatDecimalAmount } from '../../../protocol/index.ts';
import type { FoundRoute } from '../../routes/foundRoute.ts';
import type { Surroundings } from '../../routes/frameworks.ts';
import type { Bindings } from '../../source/bindings.ts';
import type { Edit } from '../../source/edit.ts';
import { isTypeScript } from '../../source/sourceFile.ts';
import type { Style } from '../../source/style.ts';
import { memberValue } from '../../source/values.ts';
import { information, type Note } from '../note.ts';
import type { Price } from '../paymentTerms.ts';
import { type Code, type Member, member, object, quoted } from '../writing/code.ts';
import { width, writeCode, writeMember } from '../writing/writeCode.ts';
import { insertFirst, ownLine, removeFirst, takesFirst } from './firstMember.ts';
import { findOperation, memberOf, type Operation, PAYMENT_INFO, saidPrice } from './operation.ts';

/** How the 402 response is described. The body is not described, because Fastify would omit anything undeclared from it. */
const ANSWER = 'Payment required (x402)';

/** A change to a route's description in an OpenAPI document, and what the user should know about it. */
export interface Described {
  readonly edits: readonly Edit[];
  readonly notes: readonly Note[];
}

const NOTHING: Described = { edits: [], notes: [] };

/** A price in USDC in the form that indexers read: decimal text. */
export function decimalPrice(price: Price): string {
  return price.kind === 'money'
    ? price.text.replace(/^\$/, '')
    : formatDecimalAmount(BigInt(price.amount));
}

function infoCode(price: Price): Code {
  return object([
    member(
      'price',
      object([
        member('mode', quoted('fixed')),
        member('currency', quoted('USD')),
        member('amount', quoted(decimalPrice(price))),
      ]),
    ),
    member('protocols', { kind: 'array', items: [object([member('x402', object([]))])] }),
  ]);
}

/** Writes code as the first member of a literal. A literal on one line stays on one line. */
function placeIn(
  literal: ts.ObjectLiteralExpression,
  style: Style,
): readonly [style: Style, indent: string] {
  const indent = ownLine(literal);
  return indent === undefined
    ? [{ ...style, width: Number.POSITIVE_INFINITY }, '']
    : [style, indent];
}

/** TypeScript rejects `x-payment-info` where the operation's type is fixed, but allows it in a spread. */
function infoMember(price: Price, typed: boolean, style: Style, indent: string): string {
  const own: Member = member(PAYMENT_INFO, infoCode(price));
  if (!typed) return writeMember(own, style, indent);
  return `...${writeCode(object([own]), style, indent, width(indent, style) + 3)}`;
}

function answerMember(style: Style, indent: string): string {
  const code = object([member('description', quoted(ANSWER))]);
  return `402: ${writeCode(code, style, indent, width(indent, style) + 5)}`;
}

/** Whether a document is generated from it: without one, Fastify uses the same `schema` only for validation. */
function isDocument(
  { by }: Operation,
  { registered }: FoundRoute,
  dependencies: Surroundings['dependencies'],
): boolean {
  const text = registered?.methodCall.getSourceFile().text;
  return (
    by === 'hono-openapi' || dependencies?.includes(by) === true || text?.includes(by) === true
  );
}

function isOurAnswer(answer: ts.ObjectLiteralElementLike): boolean {
  const value = memberValue(answer);
  if (!value || !ts.isObjectLiteralExpression(value) || value.properties.length !== 1) return false;
  const description = memberOf(value, 'description');
  const text = description && memberValue(description);
  return text !== undefined && ts.isStringLiteralLike(text) && text.text === ANSWER;
}

/** Whether Fastify gets plain JSON Schema here: other validators would reject ours, or types would widen. */
function isPlain({ by, responses }: Operation): boolean {
  if (by === 'hono-openapi' || !responses) return true;
  if (/type-?provider/i.test(responses.getSourceFile().text)) return false;
  return responses.properties.every((each) => {
    const value = memberValue(each);
    return value !== undefined && ts.isObjectLiteralExpression(value);
  });
}

/** Adds the 402 response if there is none; `undefined` if that is not possible. */
function describeAnswer(operation: Operation, style: Style): readonly Edit[] | undefined {
  const { responses } = operation;
  if (!responses) return undefined;
  if (memberOf(responses, '402')) return [];
  const answer = answerMember(...placeIn(responses, style));
  return takesFirst(responses, answer, style) && isPlain(operation)
    ? insertFirst(responses, answer, style)
    : undefined;
}

/** Adds a route's price to the operation that describes it, if the code has one. */
export function describePrice(
  route: FoundRoute,
  price: Price,
  style: Style,
  bindings: Bindings,
  dependencies: Surroundings['dependencies'],
): Described {
  const operation = findOperation(route, bindings);
  if (!operation || !isDocument(operation, route, dependencies)) return NOTHING;
  const { literal } = operation;
  const amount = decimalPrice(price);
  const byHand = (why: string): Described => ({
    edits: [],
    notes: [
      information(
        'document',
        `The OpenAPI document of ${operation.by} does not include the price, because ${why}. Write ${PAYMENT_INFO} with ${amount} USD there by hand.`,
      ),
    ],
  });
  if (!literal) return byHand('the description of this route is outside its call');
  if (saidPrice(literal)) {
    return {
      edits: [],
      notes: [
        information(
          'document',
          `The description of this route has ${PAYMENT_INFO} already, which was not changed. Set it to ${amount} USD.`,
        ),
      ],
    };
  }
  const typed = isTypeScript(literal.getSourceFile().fileName);
  const info = infoMember(price, typed, ...placeIn(literal, style));
  if (!takesFirst(literal, info, style)) {
    return byHand('the description of this route is on one line, or is empty');
  }
  const answer = describeAnswer(operation, style);
  return {
    edits: [...insertFirst(literal, info, style), ...(answer ?? [])],
    notes: [
      information(
        'document',
        `The OpenAPI document of ${operation.by} has the price in ${PAYMENT_INFO}.`,
      ),
      ...(answer
        ? []
        : [
            information(
              'document',
              'Indexers also look for the answer 402 in it: describe that one by hand.',
            ),
          ]),
    ],
  };
}

/** Removes the price that was added to a route's description, and restores the previous text. */
export function undescribePrice(route: FoundRoute, bindings: Bindings): readonly Edit[] {
  const { literal, responses } = findOperation(route, bindings) ?? {};
  const said = literal && saidPrice(literal);
  if (!literal || said?.amount === undefined) return [];
  const info = removeFirst(literal, said.member);
  const answer = responses && memberOf(responses, '402');
  const isOurs = answer && isOurAnswer(answer);
  const answered = isOurs ? removeFirst(responses, answer) : undefined;
  return [info, answered].filter((edit) => edit !== undefined);
}

/** Changes the price in a route's description. */
export function redescribePrice(
  route: FoundRoute,
  price: Price,
  style: Style,
  bindings: Bindings,
): Described {
  const { literal } = findOperation(route, bindings) ?? {};
  const said = literal && saidPrice(literal);
  if (!said) return NOTHING;
  const { amount } = said;
  if (amount === undefined) {
    return {
      edits: [],
      notes: [
        information(
          'document',
          `${PAYMENT_INFO} of this route was not written here, so its price was not changed.`,
        ),
      ],
    };
  }
  const offset = amount.getStart();
  const text = writeCode(quoted(decimalPrice(price)), style, '', 0);
  return { edits: [{ offset, length: amount.end - offset, text }], notes: [] };
}
