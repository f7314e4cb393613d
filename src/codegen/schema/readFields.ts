import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { ancestor, type FunctionNode, isFunctionNode, walk } from '../source/syntax.ts';
import { bare, propertyName } from '../source/values.ts';
import { fromType } from './fromType.ts';
import type { JsonSchema } from './json.ts';
import { literalValue } from './literalValue.ts';
import type { RequestParts } from './requestParts.ts';
import { schemaOf } from './schemaOf.ts';

/** What a handler's code reveals about the query or the body. */
export interface ReadPart {
  /** The complete query or body, declared by a schema or a type. */
  readonly declared: JsonSchema | undefined;
  /** Fields that the code reads, in order. */
  readonly fields: ReadonlyMap<string, JsonSchema>;
  /** It is passed on as a whole, so there might be other fields. */
  readonly open: boolean;
}

interface Gathered {
  declared: JsonSchema | undefined;
  readonly fields: Map<string, JsonSchema>;
  open: boolean;
}

/** Walks a handler and collects what it reads from one part of the request. */
export function readPart(
  handler: FunctionNode,
  part: 'query' | 'body',
  parts: RequestParts,
  bindings: Bindings,
): ReadPart {
  const gathered: Gathered = { declared: undefined, fields: new Map(), open: false };
  const stands = (node: ts.Node): node is ts.Expression =>
    ts.isExpression(node) && parts.of(node) === part;
  walk(handler, (node) => {
    if (part === 'query') readSearchParams(node, parts, gathered, bindings);
    if (part === 'body') readForm(node, parts, gathered);
    // const { city, days = 3 } = req.query
    if (ts.isVariableDeclaration(node) && node.initializer && stands(node.initializer)) {
      readDeclaration(node, gathered, bindings);
      return;
    }
    // ({ query: { city } }, res)
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.name)) {
      const name = propertyName(node.propertyName ?? node.name);
      const ofRequest =
        ts.isParameter(node.parent.parent) && node.parent.parent === handler.parameters[0];
      if (name === part && ofRequest) readPattern(node.name, gathered, bindings);
      return;
    }
    if (!stands(node) || isInnerPart(node)) return;
    readUse(node, gathered, bindings);
  });
  return gathered;
}

/** `req.query` inside `(req.query as Q)` is found again as the whole. */
function isInnerPart(node: ts.Expression): boolean {
  const { parent } = node;
  return ts.isPropertyAccessExpression(parent) && parent.name === node
    ? true
    : ts.isParenthesizedExpression(parent) ||
        ts.isAwaitExpression(parent) ||
        ts.isNonNullExpression(parent) ||
        (ts.isBinaryExpression(parent) && parent.left === node);
}

function readDeclaration(
  declaration: ts.VariableDeclaration,
  gathered: Gathered,
  bindings: Bindings,
): void {
  gathered.declared ??= fromType(declaration.type, bindings);
  if (declaration.initializer) readCast(declaration.initializer, gathered, bindings);
  if (ts.isObjectBindingPattern(declaration.name)) {
    readPattern(declaration.name, gathered, bindings);
  }
}

/** `(await request.json()) as Body` and `req.query as unknown as Query`. */
function readCast(expression: ts.Expression, gathered: Gathered, bindings: Bindings): void {
  let at = expression;
  while (ts.isParenthesizedExpression(at) || ts.isAwaitExpression(at)) at = at.expression;
  if (ts.isAsExpression(at)) gathered.declared ??= fromType(at.type, bindings);
}

function readPattern(
  pattern: ts.ObjectBindingPattern,
  gathered: Gathered,
  bindings: Bindings,
): void {
  for (const element of pattern.elements) {
    if (element.dotDotDotToken) {
      gathered.open = true;
      continue;
    }
    const name = propertyName(element.propertyName ?? element.name);
    if (name === undefined) continue;
    const fallback = element.initializer && literalValue(element.initializer, bindings);
    const used = ts.isIdentifier(element.name) ? usesOf(element, element.name, bindings) : {};
    addField(
      gathered,
      name,
      fallback === undefined ? used : { ...typeOfValue(fallback), default: fallback },
    );
  }
}

/** What an occurrence of the part shows: a field, a schema that parses it, or that it is passed on. */
function readUse(node: ts.Expression, gathered: Gathered, bindings: Bindings): void {
  let outer: ts.Node = node;
  while (
    ts.isParenthesizedExpression(outer.parent) ||
    ts.isAwaitExpression(outer.parent) ||
    ts.isNonNullExpression(outer.parent)
  ) {
    outer = outer.parent;
  }
  if (ts.isAsExpression(outer.parent)) {
    gathered.declared ??= fromType(outer.parent.type, bindings);
    outer = outer.parent;
    while (ts.isParenthesizedExpression(outer.parent) || ts.isAsExpression(outer.parent)) {
      if (ts.isAsExpression(outer.parent)) {
        gathered.declared ??= fromType(outer.parent.type, bindings);
      }
      outer = outer.parent;
    }
  }
  const { parent } = outer;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === outer) {
    // A called member is a method: `body.hasOwnProperty(…)`, `form.get(…)`. Fields are never functions.
    const called = ts.isCallExpression(parent.parent) && parent.parent.expression === parent;
    if (!called) {
      addField(gathered, parent.name.text, { ...usedAs(parent), ...fallbackOf(parent, bindings) });
    }
  } else if (ts.isElementAccessExpression(parent) && parent.expression === outer) {
    const name = literalValue(parent.argumentExpression, bindings);
    if (typeof name === 'string') {
      addField(gathered, name, { ...usedAs(parent), ...fallbackOf(parent, bindings) });
    } else gathered.open = true;
  } else if (ts.isCallExpression(parent) && parent.arguments.includes(outer as ts.Expression)) {
    const schema = parsedBy(parent, bindings);
    if (schema) gathered.declared ??= schema;
    else gathered.open = true;
  } else if (!ts.isVariableDeclaration(parent) && !ts.isExpressionStatement(parent)) {
    gathered.open = true;
  }
}

/** `Query.parse(req.query)`, `Value.Parse(Query, req.query)`. */
function parsedBy(call: ts.CallExpression, bindings: Bindings): JsonSchema | undefined {
  const callee = bare(call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  if (/^(safeP|p)arse(Async)?$/.test(callee.name.text))
    return schemaOf(callee.expression, bindings);
  const [first] = call.arguments;
  const parses = /^(Parse|Decode|Check|Cast|Convert|Assert)$/.test(callee.name.text);
  return parses && first ? schemaOf(first, bindings) : undefined;
}

function readSearchParams(
  node: ts.Node,
  parts: RequestParts,
  gathered: Gathered,
  bindings: Bindings,
): void {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
  const { name, expression } = node.expression;
  if (!['get', 'getAll', 'has'].includes(name.text)) return;
  if (parts.of(expression) !== 'searchParams') return;
  const [first] = node.arguments;
  const field = first && literalValue(first, bindings);
  if (typeof field !== 'string') {
    gathered.open = true;
    return;
  }
  const list = name.text === 'getAll' ? { type: 'array', items: { type: 'string' } } : usedAs(node);
  addField(gathered, field, { ...list, ...fallbackOf(node, bindings) });
}

/** `formData.get('file')`: the part is read by name. */
function readForm(node: ts.Node, parts: RequestParts, gathered: Gathered): void {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
  const [first] = node.arguments;
  if (node.expression.name.text !== 'get' || !first || !ts.isStringLiteralLike(first)) return;
  if (parts.of(node.expression.expression) === 'body') addField(gathered, first.text, {});
}

function addField(gathered: Gathered, name: string, schema: JsonSchema): void {
  gathered.fields.set(name, { ...gathered.fields.get(name), ...schema });
}

/** How a name destructured from the request is used. */
function usesOf(element: ts.BindingElement, name: ts.Identifier, bindings: Bindings): JsonSchema {
  let used: JsonSchema = {};
  const scope = ancestor(element, isFunctionNode);
  if (!scope) return used;
  walk(scope, (node) => {
    if (!ts.isIdentifier(node) || node === name || node.text !== name.text) return;
    const binding = bindings.of(node);
    if (binding?.kind !== 'destructured' || binding.element !== element) return;
    used = { ...usedAs(node), ...used };
  });
  return used;
}

/** The use of a value shows its type: `Number(x)`, `x.trim()`. */
function usedAs(node: ts.Expression): JsonSchema {
  let at: ts.Node = node;
  while (ts.isParenthesizedExpression(at.parent) || ts.isNonNullExpression(at.parent))
    at = at.parent;
  if (ts.isAsExpression(at.parent)) {
    const { kind } = at.parent.type;
    if (kind === ts.SyntaxKind.StringKeyword) return { type: 'string' };
    if (kind === ts.SyntaxKind.NumberKeyword) return { type: 'number' };
  }
  // Number(x ?? 3)
  while (ts.isBinaryExpression(at.parent) && at.parent.left === at) at = at.parent;
  const { parent } = at;
  if (ts.isCallExpression(parent) && parent.arguments.includes(at as ts.Expression)) {
    const callee = parent.expression.getText();
    if (/^(Number\.)?parseInt$/.test(callee)) return { type: 'integer' };
    if (/^(Number|(Number\.)?parseFloat|BigInt)$/.test(callee)) return { type: 'number' };
    if (callee === 'String') return { type: 'string' };
  }
  if (ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.PlusToken) {
    return { type: 'number' };
  }
  if (ts.isPropertyAccessExpression(parent) && parent.expression === at) {
    if (
      /^(trim|toLowerCase|toUpperCase|split|startsWith|endsWith|replace|padStart)$/.test(
        parent.name.text,
      )
    ) {
      return { type: 'string' };
    }
  }
  return {};
}

/** `x ?? 'metric'` and `x || 3` contain the default. */
function fallbackOf(node: ts.Expression, bindings: Bindings): JsonSchema {
  let at: ts.Node = node;
  while (ts.isParenthesizedExpression(at.parent) || ts.isAsExpression(at.parent)) at = at.parent;
  const { parent } = at;
  if (!ts.isBinaryExpression(parent) || parent.left !== at) return {};
  const { kind } = parent.operatorToken;
  if (kind !== ts.SyntaxKind.QuestionQuestionToken && kind !== ts.SyntaxKind.BarBarToken) return {};
  const value = literalValue(parent.right, bindings);
  if (value === undefined || value === null || value === '') return {};
  const used = usedAs(node);
  // parseInt(x ?? '10', 10): the text represents a number.
  if (typeof value === 'string' && (used['type'] === 'number' || used['type'] === 'integer')) {
    return Number.isFinite(Number(value)) ? { default: Number(value) } : {};
  }
  return { ...typeOfValue(value), default: value };
}

function typeOfValue(value: unknown): JsonSchema {
  if (typeof value === 'string') return { type: 'string' };
  if (typeof value === 'number') return { type: 'number' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  return Array.isArray(value) ? { type: 'array' } : {};
}
