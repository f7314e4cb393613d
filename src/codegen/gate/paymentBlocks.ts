import { ts } from 'ts-morph';
import { instanceKey } from '../routes/instance.ts';
import type { Bindings } from '../source/bindings.ts';
import { ancestor, findIn, isExported, isMethodCall, type MethodCall } from '../source/syntax.ts';
import { bare, importedFrom, property } from '../source/values.ts';
import { makesSeller } from './engineCalls.ts';
import { comparesHead, type MarkedBlock, markedBlocks } from './markers.ts';
import { isWrapped, type PaymentCall, paymentCalls } from './paymentCalls.ts';

/** A marked block and what it contains. */
export interface PaymentBlock {
  readonly range: MarkedBlock;
  readonly settings: Settings | undefined;
  readonly gate: Gate | undefined;
  readonly exports: readonly WrappedExport[];
  /** The payment terms, if two keys of the gate share them. */
  readonly terms: readonly ts.Statement[];
  /** Statements, or calls of a chain, that were not written here. */
  readonly foreign: readonly ts.Node[];
}

export interface Settings {
  /** From the first statement to the last. */
  readonly start: number;
  readonly end: number;
  /** As code. */
  readonly payTo: string;
  readonly payToAddress: string | undefined;
  readonly server: string;
  /** Whether `server` is a function of the environment that a request has. */
  readonly atRequest: boolean;
  /** Whether `server` is a seller of our own engine. */
  readonly isEngine: boolean;
  /** The function that ties a payment of Fastify or Hono to one route, if the file has it. */
  readonly forRoute: string | undefined;
}

export interface Gate {
  readonly payment: PaymentCall;
  readonly routes: ts.ObjectLiteralExpression;
  readonly statement: ts.Statement;
  /** The call of a chain that charges; `undefined` for a statement of its own. */
  readonly link: MethodCall | undefined;
  readonly instance: string;
  /** `app.head(…)` for the routes of the gate. */
  readonly heads: readonly HeadRoute[];
}

export interface HeadRoute {
  readonly statement: ts.Statement;
  readonly path: ts.Expression | undefined;
}

export interface WrappedExport {
  readonly method: string;
  readonly statement: ts.Statement;
}

/** Reads the blocks that were inserted into a file earlier. */
export function paymentBlocks(file: ts.SourceFile, bindings: Bindings): readonly PaymentBlock[] {
  const calls = paymentCalls(file, bindings);
  return markedBlocks(file.text).map((range) => readBlock(file, range, calls, bindings));
}

function readBlock(
  file: ts.SourceFile,
  range: MarkedBlock,
  calls: readonly PaymentCall[],
  bindings: Bindings,
): PaymentBlock {
  const links = linksWithin(file, range);
  if (links.length > 0) return readChainBlock(range, links, calls, bindings);
  const settings: ts.Statement[] = [];
  const heads: HeadRoute[] = [];
  const exports: WrappedExport[] = [];
  const terms: ts.Statement[] = [];
  const foreign: ts.Statement[] = [];
  let gate: Omit<Gate, 'heads'> | undefined;
  let payTo: { readonly code: string; readonly address: string | undefined } | undefined;
  let server: string | undefined;
  let atRequest = false;
  let forRoute: string | undefined;
  let isEngine = false;
  for (const statement of statementsWithin(file, range)) {
    const config = payToOf(statement);
    const wrapped = wrappedExport(statement, bindings);
    const head = headCall(statement);
    const payment = calls.find(
      ({ call }) => call.pos >= statement.pos && call.end <= statement.end,
    );
    if (config) {
      payTo = config;
      settings.push(statement);
    } else if (makes(statement, 'x402ResourceServer', bindings)) {
      server = nameOf(statement);
      atRequest = isFunction(statement);
      settings.push(statement);
    } else if (makesSeller(onlyDeclaration(statement)?.initializer, bindings)) {
      server = nameOf(statement);
      isEngine = true;
      settings.push(statement);
    } else if (makes(statement, 'HTTPFacilitatorClient', bindings)) {
      settings.push(statement);
    } else if (tiesPayment(statement)) {
      forRoute = nameOf(statement);
      settings.push(statement);
    } else if (payment?.routes && ts.isExpressionStatement(statement) && !gate) {
      const { receiver } = payment;
      const instance = receiver && instanceKey(receiver, bindings);
      if (instance)
        gate = { payment, routes: payment.routes, statement, link: undefined, instance };
      else foreign.push(statement);
    } else if (head) heads.push({ statement, path: head.arguments[0] });
    else if (wrapped !== undefined) exports.push({ method: wrapped, statement });
    else if (isConfig(statement)) terms.push(statement);
    else foreign.push(statement);
  }
  const [first] = settings;
  const last = settings.at(-1);
  return {
    range,
    settings:
      first && last && payTo && server
        ? {
            start: first.getStart(file),
            end: last.end,
            payTo: payTo.code,
            payToAddress: payTo.address,
            server,
            atRequest,
            isEngine,
            forRoute,
          }
        : undefined,
    gate: gate && { ...gate, heads },
    exports,
    terms,
    foreign,
  };
}

/** The calls of a chain whose names are between two marks, while the chain begins before them. */
function linksWithin(file: ts.SourceFile, { start, end }: MarkedBlock): readonly MethodCall[] {
  const found: MethodCall[] = [];
  const look = (node: ts.Node): void => {
    if (node.end <= start || node.getStart(file) >= end) return;
    if (isMethodCall(node) && node.end <= end && node.expression.name.getStart(file) >= start) {
      if (node.getStart(file) < start) found.unshift(node);
    }
    ts.forEachChild(node, look);
  };
  ts.forEachChild(file, look);
  return found;
}

/** Reads a block that holds calls of a chain: the answer to HEAD and the payment. */
function readChainBlock(
  range: MarkedBlock,
  links: readonly MethodCall[],
  calls: readonly PaymentCall[],
  bindings: Bindings,
): PaymentBlock {
  let gate: Gate | undefined;
  const foreign: ts.Node[] = [];
  for (const link of links) {
    const payment = calls.find(({ call }) => call === link.arguments[1]);
    const statement = ancestor(link, ts.isStatement);
    const instance = instanceKey(link, bindings);
    if (payment?.routes && payment.attached && statement && instance && !gate) {
      gate = { payment, routes: payment.routes, statement, link, instance, heads: [] };
    } else if (!answersHead(link)) foreign.push(link.expression.name);
  }
  return { range, settings: undefined, gate, exports: [], terms: [], foreign };
}

/** `.use('/x', async (c, next) => { if (c.req.method === 'HEAD') … })` */
function answersHead(call: MethodCall): boolean {
  const [, handler] = call.arguments;
  return (
    call.expression.name.text === 'use' && handler !== undefined && comparesHead(handler.getText())
  );
}

/** The outermost statements that are entirely within a range of the text. */
function statementsWithin(
  file: ts.SourceFile,
  { start, end }: MarkedBlock,
): readonly ts.Statement[] {
  const found: ts.Statement[] = [];
  const look = (node: ts.Node): void => {
    if (node.end <= start || node.getStart(file) >= end) return;
    const inside = node.getStart(file) >= start && node.end <= end;
    if (inside && ts.isStatement(node) && !ts.isBlock(node)) found.push(node);
    else ts.forEachChild(node, look);
  };
  ts.forEachChild(file, look);
  return found;
}

function payToOf(
  statement: ts.Statement,
): { readonly code: string; readonly address: string | undefined } | undefined {
  const declaration = onlyDeclaration(statement);
  const value = declaration?.initializer && bare(declaration.initializer);
  if (!declaration || !value || !ts.isObjectLiteralExpression(value)) return undefined;
  const address = property(value, 'payToAddress');
  if (!address) return undefined;
  return {
    code: `${declaration.name.getText()}.payToAddress`,
    address: writtenAddress(address),
  };
}

/** The address in `'G…'` and `process.env.PAY_TO ?? 'G…'`. */
function writtenAddress(expression: ts.Expression): string | undefined {
  const at = bare(expression);
  const either =
    ts.isBinaryExpression(at) && at.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
      ? bare(at.right)
      : at;
  return ts.isStringLiteralLike(either) ? either.text : undefined;
}

function onlyDeclaration(statement: ts.Statement): ts.VariableDeclaration | undefined {
  if (!ts.isVariableStatement(statement)) return undefined;
  const [declaration, second] = statement.declarationList.declarations;
  return second ? undefined : declaration;
}

function nameOf(statement: ts.Statement): string | undefined {
  return onlyDeclaration(statement)?.name.getText();
}

function makes(statement: ts.Statement, name: string, bindings: Bindings): boolean {
  const value = onlyDeclaration(statement)?.initializer;
  if (!value) return false;
  const isNew = (node: ts.Node): true | undefined =>
    ts.isNewExpression(node) && importedFrom(node.expression, bindings)?.name === name
      ? true
      : undefined;
  return isNew(value) ?? findIn(value, isNew) ?? false;
}

/** `const forRoute = (app, method, path) => …` of Fastify, or `(routes) => …` of Hono, which are generated code. */
function tiesPayment(statement: ts.Statement): boolean {
  const value = onlyDeclaration(statement)?.initializer;
  return (
    value !== undefined &&
    ts.isArrowFunction(value) &&
    /\.routeOptions\b|\.requiresPayment\b/.test(value.getText())
  );
}

function isFunction(statement: ts.Statement): boolean {
  const value = onlyDeclaration(statement)?.initializer;
  return value !== undefined && ts.isArrowFunction(value);
}

/** `const itemTerms = { scheme: …, payTo: … }`, which two keys of a map share. */
function isConfig(statement: ts.Statement): boolean {
  const written = onlyDeclaration(statement)?.initializer;
  const value = written && bare(written);
  return (
    value !== undefined &&
    ts.isObjectLiteralExpression(value) &&
    ['scheme', 'price', 'payTo'].every((name) => property(value, name) !== undefined)
  );
}

function headCall(statement: ts.Statement): ts.CallExpression | undefined {
  if (!ts.isExpressionStatement(statement)) return undefined;
  const call = bare(statement.expression);
  return ts.isCallExpression(call) &&
    ts.isPropertyAccessExpression(call.expression) &&
    (call.expression.name.text === 'head' || comparesHead(call.getText()))
    ? call
    : undefined;
}

const IMPL = /^(?:x402)?(GET|POST|PUT|PATCH|DELETE)_impl\d*$/;

/** The method of a handler that was exported together with others: `const { GET: GET_impl } = handlers`. */
function namedHandler(statement: ts.Statement): string | undefined {
  const names = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : onlyDeclaration(statement)?.name;
  if (!names || !(ts.isNamedImports(names) || ts.isObjectBindingPattern(names))) return undefined;
  const [only, second] = names.elements;
  return only && !second ? IMPL.exec(only.name.getText())?.[1] : undefined;
}

const EXPORT = /^(GET|POST|PUT|PATCH|DELETE|HEAD)(?:_(?:paid|contexts))?$/;

/** The method that a statement of a Next.js block belongs to. */
function wrappedExport(statement: ts.Statement, bindings: Bindings): string | undefined {
  const named = namedHandler(statement);
  if (named !== undefined) return named;
  const declaration = onlyDeclaration(statement);
  const [, method] = EXPORT.exec(declaration?.name.getText() ?? '') ?? [];
  if (!declaration?.initializer || method === undefined) return undefined;
  const ours =
    !isExported(statement) || method === 'HEAD' || isWrapped(declaration.initializer, bindings);
  // The export of a route with parameters calls the wrapped handler.
  const calls = findIn(declaration.initializer, (node) =>
    ts.isIdentifier(node) && node.text === `${method}_paid` ? true : undefined,
  );
  return ours || calls ? method : undefined;
}
