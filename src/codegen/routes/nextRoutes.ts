import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { type FunctionNode, hasModifier, isExported } from '../source/syntax.ts';
import { isPlainName, staticText } from '../source/values.ts';
import { notedExports } from './exportLists.ts';
import type { ExportedHandler, FoundRoute } from './foundRoute.ts';
import { handlerFunction } from './handlerCalls.ts';
import { nextPath } from './nextPath.ts';
import { type Refusal, refuse, SELL_BY_PROXY } from './route.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const UNSOLD = new Set(['HEAD', 'OPTIONS']);

/** Routes of Next.js: the exported methods of a route file; the handler of the Pages Router. */
export function nextRoutes(file: ts.SourceFile, bindings: Bindings): readonly FoundRoute[] {
  const place = nextPath(file.fileName);
  if (place === undefined) return [];
  if (place.kind === 'pages') return pagesRoute(file, place.path);
  const rendering = staticRendering(file, bindings);
  return exportedMethods(file, bindings).map((exported) => {
    const { method, node, handlerNode, refusal } = exported;
    return {
      framework: 'next-app',
      method,
      path: place.path,
      params: place.params,
      range: { start: node.getStart(file), end: node.end },
      call: { start: node.getStart(file), end: node.end },
      handler: handlerNode && { start: handlerNode.getStart(file), end: handlerNode.end },
      gated: undefined,
      confidence: 'certain',
      refusal:
        refusal ??
        (UNSOLD.has(method)
          ? refuse('method_not_sellable', `${method} has no response that could be sold.`)
          : rendering),
      handlerNode,
      registered: undefined,
      exported: exported.handler,
    };
  });
}

interface ExportedMethod {
  readonly method: string;
  readonly node: ts.Node;
  readonly handlerNode: FunctionNode | undefined;
  readonly handler: ExportedHandler | undefined;
  readonly refusal?: Refusal;
}

function exportedMethods(file: ts.SourceFile, bindings: Bindings): readonly ExportedMethod[] {
  return file.statements.flatMap((statement): readonly ExportedMethod[] => {
    if (ts.isFunctionDeclaration(statement)) return exportedFunction(statement);
    if (ts.isVariableStatement(statement)) return exportedVariables(statement, bindings);
    // The parser accepts `export export { GET }`, which cannot be handled.
    const isList = ts.isExportDeclaration(statement) && !statement.modifiers?.length;
    return isList ? exportList(statement, bindings) : [];
  });
}

function exportedFunction(statement: ts.FunctionDeclaration): readonly ExportedMethod[] {
  const { name } = statement;
  if (!name || !METHODS.includes(name.text) || !isExported(statement)) return [];
  if (hasModifier(statement, ts.SyntaxKind.DefaultKeyword)) return [];
  // The signatures of an overload have no body.
  if (!statement.body) return [];
  const found = { method: name.text, node: statement, handlerNode: statement };
  const overloaded = statement
    .getSourceFile()
    .statements.some(
      (other) =>
        other !== statement && ts.isFunctionDeclaration(other) && other.name?.text === name.text,
    );
  return [
    overloaded
      ? {
          ...found,
          handler: undefined,
          refusal: refuse('layout_not_supported', `${name.text} is overloaded.`),
        }
      : { ...found, handler: { form: 'function', statement, name } },
  ];
}

function exportedVariables(
  statement: ts.VariableStatement,
  bindings: Bindings,
): readonly ExportedMethod[] {
  if (!isExported(statement)) return [];
  const { declarations } = statement.declarationList;
  return declarations.flatMap((declaration): readonly ExportedMethod[] => {
    if (ts.isIdentifier(declaration.name)) {
      const { name, initializer } = declaration;
      if (!METHODS.includes(name.text)) return [];
      const handlerNode = initializer && handlerFunction(initializer, bindings);
      const found = { method: name.text, node: statement, handlerNode };
      return [
        declarations.length === 1
          ? { ...found, handler: { form: 'const', statement, name } }
          : {
              ...found,
              handler: undefined,
              refusal: refuse(
                'layout_not_supported',
                'Several names are exported by one statement. Give each its own.',
              ),
            },
      ];
    }
    const alone = declarations.length === 1;
    return declaration.name.elements.flatMap((element) =>
      ts.isOmittedExpression(element) ? [] : exportedMember(statement, declaration, element, alone),
    );
  });
}

/** `export const { GET, POST } = handlers`. */
function exportedMember(
  statement: ts.VariableStatement,
  { name: pattern, initializer }: ts.VariableDeclaration,
  element: ts.BindingElement,
  alone: boolean,
): readonly ExportedMethod[] {
  const { name } = element;
  if (!ts.isIdentifier(name) || !METHODS.includes(name.text)) return [];
  const found = { method: name.text, node: element, handlerNode: undefined };
  const plain =
    alone &&
    ts.isObjectBindingPattern(pattern) &&
    pattern.elements.every(({ dotDotDotToken }) => !dotDotDotToken) &&
    !element.initializer &&
    canBeTaken(element);
  // The object is mentioned a second time, so evaluating it must have no side effects.
  if (plain && initializer && isPlainName(initializer)) {
    return [{ ...found, handler: { form: 'pattern', statement, name, member: element } }];
  }
  const message = `${name.text} is destructured from a call's result. Assign the result to a constant first: const handlers = …; export const { ${name.text} } = handlers;`;
  return [{ ...found, handler: undefined, refusal: refuse('layout_not_supported', message) }];
}

/** Whether a member of a list consists only of names, so that the list can be rewritten without it. */
function canBeTaken(member: ts.ExportSpecifier | ts.BindingElement): boolean {
  return /^(?:[\w$]+|(["'])[^"'\\\n]+\1)(?:\s*(?::|\bas\b)\s*(?:[\w$]+|(["'])\w+\2))?$/.test(
    member.getText(),
  );
}

/** `export { handler as GET }` and `export { GET } from './handler'`. */
function exportList(
  statement: ts.ExportDeclaration,
  bindings: Bindings,
): readonly ExportedMethod[] {
  if (statement.isTypeOnly) return [];
  const clause = statement.exportClause;
  if (!clause || !ts.isNamedExports(clause)) {
    const from = statement.moduleSpecifier?.getText() ?? '';
    if (clause) return [];
    return [
      {
        method: '*',
        node: statement,
        handlerNode: undefined,
        handler: undefined,
        refusal: refuse(
          'handler_elsewhere',
          `Everything of ${from} is exported, and this file does not show which methods that includes. Export the paid method by name.`,
        ),
      },
    ];
  }
  return clause.elements.flatMap((element): readonly ExportedMethod[] => {
    const method = element.name.text;
    const local = element.propertyName ?? element.name;
    if (!METHODS.includes(method) || element.isTypeOnly) return [];
    const handlerNode =
      statement.moduleSpecifier || !ts.isIdentifier(local)
        ? undefined
        : handlerFunction(local, bindings);
    const found = { method, node: element, handlerNode };
    const form = statement.moduleSpecifier ? 'from' : 'list';
    // A name that is a text would be restored as a plain one.
    const isPlain = ts.isIdentifier(local) && ts.isIdentifier(element.name);
    if (form === 'from' && isPlain && clause.elements.length === 1 && !isRest(statement)) {
      return [{ ...found, handler: { form, statement, name: local } }];
    }
    if (canBeTaken(element)) {
      return [{ ...found, handler: { form, statement, name: local, member: element } }];
    }
    const message = `${method} is exported together with others. Give it an export of its own: export { ${element.getText()} }.`;
    return [{ ...found, handler: undefined, refusal: refuse('layout_not_supported', message) }];
  });
}

/** Whether an export has the remaining names of one whose other names are paid. */
function isRest(statement: ts.ExportDeclaration): boolean {
  return notedExports(statement.getSourceFile()).some(({ rest }) => rest?.statement === statement);
}

/** A route rendered at build time would give the same response to everybody. */
function staticRendering(file: ts.SourceFile, bindings: Bindings): Refusal | undefined {
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement) || !isExported(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (name.getText(file) !== 'dynamic' || !initializer) continue;
      const value = staticText(initializer, bindings);
      if (value === 'force-static' || value === 'error') {
        return refuse(
          'static_rendering',
          `dynamic = '${value}' makes Next.js respond with what it rendered at build time, without asking for payment.`,
        );
      }
    }
  }
  return undefined;
}

function pagesRoute(file: ts.SourceFile, path: string): readonly FoundRoute[] {
  const statement = file.statements.find(
    (at) =>
      ts.isExportAssignment(at) ||
      (ts.isFunctionDeclaration(at) && hasModifier(at, ts.SyntaxKind.DefaultKeyword)) ||
      (ts.isExpressionStatement(at) && /^module\.exports\s*=/.test(at.getText(file))),
  );
  if (!statement) return [];
  return [
    {
      framework: 'next-pages',
      method: '*',
      path,
      params: [],
      range: { start: statement.getStart(file), end: statement.end },
      call: { start: statement.getStart(file), end: statement.end },
      handler: undefined,
      gated: undefined,
      confidence: 'certain',
      refusal: refuse(
        'pages_router',
        `This is an API route of the Pages Router, for which there is no payment adapter. Move it to the App Router (app/…/route.ts). ${SELL_BY_PROXY}`,
      ),
      handlerNode: undefined,
      registered: undefined,
      exported: undefined,
    },
  ];
}
