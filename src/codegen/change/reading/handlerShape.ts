import { ts } from 'ts-morph';
import type { ExportedHandler, FoundRoute } from '../../routes/foundRoute.ts';
import {
  ancestor,
  type FunctionNode,
  hasModifier,
  isFunctionNode,
  walk,
} from '../../source/syntax.ts';
import { bare } from '../../source/values.ts';

/** The aspects of a handler's parameters and results that matter to its wrapper. */
export interface HandlerShape {
  /** It reads the context, Next.js' second argument, which `withX402` does not pass on. */
  readonly context: boolean;
  /** It takes no request. */
  readonly noRequest: boolean;
  /** It can return a `Response` that is not a `NextResponse`. */
  readonly converts: boolean;
  /** It returns responses of different types. */
  readonly severalAnswers: boolean;
  /**
   * Its types might not fit: it might take no context although the path has parameters, or end without a response, like one
   * that only redirects.
   */
  readonly unsure: boolean;
}

export function handlerShape(
  { handlerNode, params }: FoundRoute,
  exported: ExportedHandler,
): HandlerShape {
  const direct = handlerNode && isDirect(handlerNode, exported) ? handlerNode : undefined;
  if (!direct) {
    // The parameters of a wrapper around it are unknown: assume the context if the path has parameters.
    return {
      context: params.length > 0,
      noRequest: false,
      converts: true,
      severalAnswers: false,
      unsure: true,
    };
  }
  const { parameters } = direct;
  const answers = returned(direct);
  // One that only throws returns `void`, unless its type says otherwise.
  const unsure = !alwaysAnswers(direct) || (answers.length === 0 && !direct.type);
  return {
    context: parameters.length > 1,
    noRequest: parameters.length === 0,
    converts: unsure || !givesNextResponse(direct, answers),
    severalAnswers: answers.length > 1,
    unsure,
  };
}

/** Returns whether the export is the handler itself, not a wrapper around it. */
function isDirect(handler: FunctionNode, { form, statement }: ExportedHandler): boolean {
  if (form === 'function' || ts.isFunctionDeclaration(handler)) return form !== 'from';
  if (form === 'list') return ts.isVariableDeclaration(handler.parent);
  return ts.isVariableDeclaration(handler.parent) && handler.parent.parent.parent === statement;
}

function returned(handler: FunctionNode): readonly ts.Expression[] {
  if (handler.body && !ts.isBlock(handler.body)) return [handler.body];
  const found: ts.Expression[] = [];
  walk(handler, (node) => {
    if (!ts.isReturnStatement(node) || ancestor(node, isFunctionNode) !== handler) return;
    if (node.expression) found.push(node.expression);
  });
  return found;
}

/** Whether a handler returns a response on every path, as far as its code and type show. */
function alwaysAnswers({ body, type }: FunctionNode): boolean {
  if (type && /\b(undefined|void|never|null)\b/.test(type.getText())) return false;
  if (!body || !ts.isBlock(body)) return true;
  return answersIn(body) && !hasBareReturn(body);
}

function answersIn(statement: ts.Statement | undefined): boolean {
  if (!statement) return false;
  if (ts.isReturnStatement(statement)) return statement.expression !== undefined;
  if (ts.isThrowStatement(statement)) return true;
  if (ts.isBlock(statement)) return answersIn(statement.statements.at(-1));
  if (ts.isIfStatement(statement)) {
    return answersIn(statement.thenStatement) && answersIn(statement.elseStatement);
  }
  if (ts.isTryStatement(statement)) {
    const { tryBlock, catchClause, finallyBlock } = statement;
    const both = answersIn(tryBlock) && (!catchClause || answersIn(catchClause.block));
    return both || answersIn(finallyBlock);
  }
  if (ts.isSwitchStatement(statement)) {
    const { clauses } = statement.caseBlock;
    const last = clauses.at(-1);
    return (
      clauses.some(ts.isDefaultClause) &&
      answersIn(last?.statements.at(-1)) &&
      clauses.every(({ statements }) => statements.length === 0 || answersIn(statements.at(-1)))
    );
  }
  return false;
}

function hasBareReturn(body: ts.Block): boolean {
  let found = false;
  walk(body, (node) => {
    if (!ts.isReturnStatement(node) || node.expression) return;
    found ||= ancestor(node, isFunctionNode) === body.parent;
  });
  return found;
}

/** `withX402` adds headers to the response, and its types require a promise of a `NextResponse`. */
function givesNextResponse(handler: FunctionNode, answers: readonly ts.Expression[]): boolean {
  const type = handler.type?.getText() ?? '';
  const others = type.replaceAll('NextResponse', '').includes('Response');
  if (/^Promise<\s*NextResponse\b/.test(type) && !others) return true;
  if (type !== '' || !hasModifier(handler, ts.SyntaxKind.AsyncKeyword)) return false;
  return answers.length > 0 && answers.every(isNextResponse);
}

function isNextResponse(expression: ts.Expression): boolean {
  const at = bare(expression);
  if (ts.isConditionalExpression(at))
    return isNextResponse(at.whenTrue) && isNextResponse(at.whenFalse);
  if (!ts.isCallExpression(at) && !ts.isNewExpression(at)) return false;
  const callee = bare(at.expression);
  const name = ts.isPropertyAccessExpression(callee) ? callee.expression : callee;
  return ts.isIdentifier(name) && name.text === 'NextResponse';
}
