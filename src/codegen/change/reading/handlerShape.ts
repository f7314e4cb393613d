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

/** What a handler takes and gives, as far as its wrapper has to mind it. */
export interface HandlerShape {
  /** It reads the context that Next.js gives as second argument, which `withX402` does not hand on. */
  readonly context: boolean;
  /** It takes no request. */
  readonly noRequest: boolean;
  /** It may answer with another `Response` than a `NextResponse`. */
  readonly converts: boolean;
  /** Its answers differ in type. */
  readonly severalAnswers: boolean;
}

export function handlerShape(
  { handlerNode, params }: FoundRoute,
  exported: ExportedHandler,
): HandlerShape {
  const direct = handlerNode && isDirect(handlerNode, exported) ? handlerNode : undefined;
  if (!direct) {
    // What the wrapper around it takes is not known: with parameters in the path, the context too.
    return {
      context: params.length > 0,
      noRequest: false,
      converts: true,
      severalAnswers: false,
    };
  }
  const { parameters } = direct;
  const answers = returned(direct);
  return {
    context: parameters.length > 1,
    noRequest: parameters.length === 0,
    converts: !givesNextResponse(direct, answers),
    severalAnswers: answers.length > 1,
  };
}

/** Whether the handler is what is exported, and not what a wrapper was given. */
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

/** `withX402` writes headers into the answer, and its types ask for a promise of a `NextResponse`. */
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
