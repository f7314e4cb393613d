import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { ofModerateSize, Readings } from '../source/readings.ts';
import { ancestor, type FunctionNode, isFunctionNode, walk } from '../source/syntax.ts';
import { bare, calledName, constantValue, memberValue, propertyName } from '../source/values.ts';
import { isJsonObject, type JsonValue } from './json.ts';
import { literalValue } from './literalValue.ts';

/** Examples of what a handler reads, by name: a response that uses these names contains them. */
export type Known = ReadonlyMap<string, JsonValue>;

/** A response, as far as the code shows it. */
export interface ShownResponse {
  readonly value: JsonValue;
  /** Whether the code contains all of it. */
  readonly complete: boolean;
  readonly json: boolean;
}

/** A handler's successful response: the last one in its code. */
export function shownResponse(
  handler: FunctionNode,
  known: Known,
  bindings: Bindings,
): ShownResponse | undefined {
  let shown: ShownResponse | undefined;
  const take = (expression: ts.Expression | undefined, json: boolean): void => {
    if (!expression) return;
    const found = valueShown(expression, known, bindings);
    if (found && !isErrorBody(found.value)) shown = { ...found, json };
  };
  walk(handler, (node) => {
    if (ancestor(node, ts.isCatchClause)) return;
    if (ts.isCallExpression(node)) {
      const name = calledName(node) ?? '';
      if (!['json', 'send'].includes(name) || !isAnswer(node, handler)) return;
      if (failureStatus(node, bindings)) return;
      const [body] = node.arguments;
      take(body, name === 'json' || !isText(body));
    } else if (ts.isReturnStatement(node) && node.expression && ownReturn(node, handler)) {
      const value = bare(node.expression);
      if (ts.isObjectLiteralExpression(value) || ts.isArrayLiteralExpression(value))
        take(value, true);
      else if (ts.isStringLiteralLike(value) || ts.isTemplateExpression(value)) take(value, false);
    }
  });
  if (ts.isArrowFunction(handler) && !ts.isBlock(handler.body)) {
    const value = bare(handler.body);
    if (!ts.isCallExpression(value)) take(value, !isText(value));
  }
  return shown;
}

/** `res.json(…)`, `reply.code(200).send(…)`, `NextResponse.json(…)`, `Response.json(…)`. */
function isAnswer(call: ts.CallExpression, handler: FunctionNode): boolean {
  let at: ts.Expression = call;
  while (ts.isCallExpression(at) || ts.isPropertyAccessExpression(at)) at = bare(at.expression);
  if (!ts.isIdentifier(at)) return false;
  if (at.text === 'NextResponse' || at.text === 'Response') return call.arguments.length > 0;
  const [, answer] = handler.parameters;
  return answer !== undefined && answer.name.getText() === at.text;
}

function failureStatus(call: ts.CallExpression, bindings: Bindings): boolean {
  const options = call.arguments[1];
  const literal = options && literalValue(options, bindings);
  const told = isJsonObject(literal) ? literal['status'] : undefined;
  if (typeof told === 'number' && told >= 400) return true;
  let at: ts.Expression = bare(call.expression);
  while (ts.isPropertyAccessExpression(at) || ts.isCallExpression(at)) {
    if (ts.isCallExpression(at) && /^(status|code)$/.test(calledName(at) ?? '')) {
      const [status] = at.arguments;
      const value = status && literalValue(status, bindings);
      if (typeof value !== 'number' || value >= 400) return true;
    }
    at = bare(at.expression);
  }
  return false;
}

function ownReturn(node: ts.ReturnStatement, handler: FunctionNode): boolean {
  return ancestor(node, isFunctionNode) === handler;
}

function isText(expression: ts.Expression | undefined): boolean {
  const at = expression && bare(expression);
  return at !== undefined && (ts.isStringLiteralLike(at) || ts.isTemplateExpression(at));
}

function isErrorBody(value: JsonValue): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'error' in value &&
    Object.keys(value).length <= 2
  );
}

interface Shown {
  readonly value: JsonValue;
  readonly complete: boolean;
}

/** The value of an expression, as far as the code contains it; the rest is `null`. */
function valueShown(
  expression: ts.Expression,
  known: Known,
  bindings: Bindings,
  depth = 0,
): Shown | undefined {
  const at = bare(expression);
  return readingsWith(known).of(
    at,
    () => ofModerateSize(readValue(at, known, bindings, depth)),
    depth,
  );
}

/** What was read with the same examples. */
function readingsWith(known: Known): Readings<Shown> {
  const found = shownWith.get(known) ?? new Readings<Shown>();
  shownWith.set(known, found);
  return found;
}

const shownWith = new WeakMap<Known, Readings<Shown>>();

function readValue(
  at: ts.Expression,
  known: Known,
  bindings: Bindings,
  depth: number,
): Shown | undefined {
  const literal = literalValue(at, bindings);
  if (literal !== undefined) return { value: literal, complete: true };
  if (depth > 6) return undefined;
  if (ts.isObjectLiteralExpression(at)) return objectShown(at, known, bindings, depth);
  if (ts.isArrayLiteralExpression(at)) {
    const items = at.elements.map((element) => valueShown(element, known, bindings, depth + 1));
    if (items.some((item) => item === undefined)) return undefined;
    return {
      value: items.map((item) => item?.value ?? null),
      complete: items.every((item) => item?.complete),
    };
  }
  if (ts.isTemplateExpression(at)) {
    const spans = at.templateSpans.map(
      ({ expression: part, literal }) => `${placeholder(part, known)}${literal.text}`,
    );
    return { value: at.head.text + spans.join(''), complete: false };
  }
  if (ts.isIdentifier(at)) {
    const value = constantValue(at, bindings);
    const literal = value && bare(value);
    const shows =
      literal && (ts.isObjectLiteralExpression(literal) || ts.isArrayLiteralExpression(literal));
    if (shows) return valueShown(literal, known, bindings, depth + 1);
  }
  return guessed(at, known, depth);
}

function objectShown(
  literal: ts.ObjectLiteralExpression,
  known: Known,
  bindings: Bindings,
  depth: number,
): Shown | undefined {
  const entries: [string, JsonValue][] = [];
  let complete = true;
  for (const member of literal.properties) {
    if (ts.isSpreadAssignment(member)) {
      complete = false;
      continue;
    }
    const name = member.name && propertyName(member.name);
    if (name === undefined) {
      complete = false;
      continue;
    }
    const value = memberValue(member);
    const shown = value && valueShown(value, known, bindings, depth + 1);
    entries.push([name, shown?.value ?? null]);
    complete &&= shown?.complete ?? false;
  }
  return entries.length > 0 || complete
    ? { value: Object.fromEntries(entries), complete }
    : undefined;
}

/** A sample of a value that is known only at run time, if the code shows its type. */
function guessed(at: ts.Expression, known: Known, depth: number): Shown | undefined {
  const text = at.getText();
  const shown = (value: JsonValue): Shown => ({ value, complete: false });
  const read = known.get(nameOf(at) ?? '');
  if (read !== undefined && depth > 0) return shown(read);
  if (/^new Date\(.*\)\.toISOString\(\)$|^new Date\(/.test(text)) {
    return shown('2026-01-31T12:00:00.000Z');
  }
  if (/^Date\.now\(\)$/.test(text)) return shown(1_769_860_800_000);
  if (/^(Math\.\w+|Number|parseInt|parseFloat)\(/.test(text) || /\.length$/.test(text))
    return shown(1);
  if (/^(crypto\.)?randomUUID\(\)$/.test(text))
    return shown('123e4567-e89b-42d3-a456-426614174000');
  if (ts.isBinaryExpression(at)) {
    const { kind } = at.operatorToken;
    if (
      kind === ts.SyntaxKind.AsteriskToken ||
      kind === ts.SyntaxKind.MinusToken ||
      kind === ts.SyntaxKind.SlashToken
    ) {
      return shown(1);
    }
  }
  // Alone it shows nothing; within an object its name is useful.
  return depth > 0 ? shown(null) : undefined;
}

function placeholder(expression: ts.Expression, known: Known): string {
  const name = nameOf(expression) ?? 'value';
  const value = known.get(name);
  return typeof value === 'object' || value === undefined ? name : String(value);
}

/** The last word of a name: `city` of `req.params.city`, and of `req.query.city ?? 'Lima'`. */
function nameOf(expression: ts.Expression): string | undefined {
  const at = bare(expression);
  if (ts.isIdentifier(at)) return at.text;
  if (ts.isPropertyAccessExpression(at)) return at.name.text;
  if (ts.isBinaryExpression(at)) return nameOf(at.left);
  if (ts.isCallExpression(at) && at.arguments.length === 1) {
    const [argument] = at.arguments;
    if (/^(Number|String|parseInt|parseFloat)$/.test(at.expression.getText())) {
      return argument && nameOf(argument);
    }
    if (argument && ts.isStringLiteralLike(argument) && calledName(at) === 'get')
      return argument.text;
  }
  return undefined;
}
