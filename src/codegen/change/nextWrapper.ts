import { ts } from 'ts-morph';
import type { ExportedHandler } from '../routes/foundRoute.ts';
import type { Style } from '../source/style.ts';
import {
  ancestor,
  bare,
  type FunctionNode,
  hasModifier,
  isFunctionNode,
  walk,
} from '../source/syntax.ts';
import { type Code, call, text, writeCode } from './code.ts';
import type { ChangeContext } from './context.ts';

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

export function handlerShape({ route }: ChangeContext, exported: ExportedHandler): HandlerShape {
  const { handlerNode } = route;
  const direct = handlerNode && isDirect(handlerNode, exported) ? handlerNode : undefined;
  if (!direct) {
    // What the wrapper around it takes is not known: with parameters in the path, the context too.
    return {
      context: route.params.length > 0,
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

interface WrapperParts {
  readonly method: string;
  readonly impl: string;
  readonly shape: HandlerShape;
  readonly config: Code;
  readonly server: string;
  /** Local names. */
  readonly wrap: string;
  readonly response: string;
  readonly typed: boolean;
  readonly headToo: boolean;
  readonly style: Style;
}

/** The statements that export the paid handler. */
export function wrapperLines(parts: WrapperParts): readonly string[] {
  const { method, shape, config, server, wrap, typed, headToo, style } = parts;
  const end = style.semicolons ? ';' : '';
  const generic = typed && !shape.converts && shape.severalAnswers ? '<unknown>' : '';
  const start = shape.context ? `const ${method}_paid = ` : `export const ${method} = `;
  const code = call(`${wrap}${generic}`, text(handlerCode(parts)), config, text(server));
  const lines = [
    ...(shape.context ? contextLines(parts) : []),
    ...`${start}${writeCode(code, style, '', start.length)}${end}`.split('\n'),
  ];
  if (shape.context) lines.push(...paramLines(parts));
  if (headToo) {
    lines.push(
      '// HEAD asks for no payment, so it is answered without the handler.',
      `export const HEAD = () => new Response(null, {${style.spacedBraces ? ' status: 200 ' : 'status: 200'}})${end}`,
    );
  }
  return lines;
}

/** The handler as `withX402` takes it: a function of the request that gives a `NextResponse`. */
function handlerCode({ method, impl, shape, response, typed, style }: WrapperParts): string {
  if (!shape.context && !shape.converts) return impl;
  const { indent } = style;
  const end = style.semicolons ? ';' : '';
  const lines: string[] = [];
  const args = shape.noRequest ? [] : ['request'];
  if (shape.context) {
    const cast = typed ? ` as Parameters<typeof ${impl}>[1]` : '';
    lines.push(`const context = ${method}_contexts.get(request)${cast}${end}`);
    args.push('context');
  }
  if (shape.converts) {
    lines.push(
      `const response = await ${impl}(${args.join(', ')})${end}`,
      `return new ${response}(response.body, response)${end}`,
    );
  } else {
    lines.push(`return ${impl}(${args.join(', ')})${end}`);
  }
  const parameters = shape.noRequest && !shape.context ? '()' : '(request)';
  const body = lines.map((line) => `${indent}${indent}${line}`);
  return [`async ${parameters} => {`, ...body, `${indent}}`].join('\n');
}

function contextLines({ method, impl, typed, style }: WrapperParts): readonly string[] {
  const types = typed ? `<object, Parameters<typeof ${impl}>[1]>` : '';
  const end = style.semicolons ? ';' : '';
  return [
    '// withX402 hands on the request alone, so the context waits here for it.',
    `const ${method}_contexts = new WeakMap${types}()${end}`,
  ];
}

function paramLines({ method, impl, typed, style }: WrapperParts): readonly string[] {
  const { indent } = style;
  const end = style.semicolons ? ';' : '';
  const parameters = typed
    ? [
        `(`,
        `${indent}request: Parameters<typeof ${method}_paid>[0],`,
        `${indent}context: Parameters<typeof ${impl}>[1]${style.trailingArguments ? ',' : ''}`,
        `) => {`,
      ]
    : ['(request, context) => {'];
  const [first = '', ...rest] = parameters;
  return [
    `export const ${method} = ${first}`,
    ...rest,
    `${indent}${method}_contexts.set(request, context)${end}`,
    `${indent}return ${method}_paid(request)${end}`,
    `}${end}`,
  ];
}
