import { ts } from 'ts-morph';
import { type Refusal, refuse } from '../../routes/route.ts';
import { beginsLine, indentation, lineNumber, nextLine } from '../../source/lines.ts';
import type { Style } from '../../source/style.ts';
import { isFunctionNode, type MethodCall, walk } from '../../source/syntax.ts';
import { attachedStart } from './firstLine.ts';

/** A place before a statement, on a line of its own, or between the calls of a chain. */
export interface Place {
  /** Start of the statement's line, or of the comment above it. */
  readonly offset: number;
  /** Start of the statement, and the text before it. */
  readonly pos: number;
  readonly indent: string;
  /** In a chain, whether the call after this place begins a line. */
  readonly inChain?: 'between_lines' | 'within_line';
}

/** The same, with the statement that the insertion must precede. */
export interface Spot extends Place {
  readonly statement: ts.Statement;
}

/** Where a gate must be placed to run before a call, or why that cannot be guaranteed. */
export function placeBefore(file: ts.SourceFile, node: ts.Node): Spot | Refusal {
  const { text } = file;
  let at = node;
  for (;;) {
    const parent = at.parent as ts.Node | undefined;
    if (!parent) return refuse('order_not_assured', 'This route is outside every statement.');
    if (ts.isStatement(at) && holdsStatements(parent)) break;
    if (ts.isArrowFunction(parent) && parent.body === at) {
      return refuse(
        'order_not_assured',
        `The function in line ${lineNumber(text, parent.getStart(file))} is one expression, so nothing can be placed before the route in it. Give it a body in braces.`,
      );
    }
    at = parent;
  }
  const start = at.getStart(file);
  if (!beginsLine(text, start)) {
    return refuse(
      'layout_not_supported',
      `Another statement comes before the route in line ${lineNumber(text, start)}. Give the route a line of its own.`,
    );
  }
  return {
    statement: at as ts.Statement,
    pos: at.pos,
    indent: indentation(text, start),
    offset: attachedStart(file, at),
  };
}

/**
 * The place before a call of a chain, such as `.post(…)` of `new Hono().get(…).post(…)`: app and
 * routes are one expression.
 */
export function placeInChain(file: ts.SourceFile, call: MethodCall, style: Style): Place {
  const { text } = file;
  const { expression: before, name } = call.expression;
  const dot = text.lastIndexOf('.', name.getStart(file));
  if (beginsLine(text, dot)) {
    // Comments above the call belong to it.
    const offset = nextLine(text, before.end);
    return { offset, pos: dot, indent: indentation(text, dot), inChain: 'between_lines' };
  }
  const indent = indentation(text, before.getStart(file)) + style.indent;
  return { offset: dot, pos: dot, indent, inChain: 'within_line' };
}

function holdsStatements(node: ts.Node): boolean {
  return (
    ts.isSourceFile(node) ||
    ts.isBlock(node) ||
    ts.isModuleBlock(node) ||
    ts.isCaseOrDefaultClause(node)
  );
}

/**
 * The place at the top level where settings exist before the statement uses them: before the statement itself or, if it is a
 * function, before its first call.
 */
export function settingsPlace(
  file: ts.SourceFile,
  { statement }: Pick<Spot, 'statement'>,
): Spot | Refusal {
  const own = topStatement(file, statement);
  const names = new Set(declaredNames(own));
  let first = own;
  // Functions that call functions: repeat until no name is added.
  for (let size = -1; size !== names.size; ) {
    size = names.size;
    for (const statement of file.statements) {
      if (statement.pos >= first.pos) break;
      if (!runs(statement) || !mentions(statement, names)) continue;
      if (!ts.isFunctionDeclaration(statement)) first = statement;
      else for (const name of declaredNames(statement)) names.add(name);
    }
  }
  return placeBefore(file, first);
}

/** Imports, lists of exports and types execute nothing. */
function runs(statement: ts.Statement): boolean {
  return !(
    ts.isImportDeclaration(statement) ||
    ts.isExportDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  );
}

function topStatement(file: ts.SourceFile, node: ts.Node): ts.Statement {
  let at = node;
  while (at.parent !== file) at = at.parent;
  return at as ts.Statement;
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
    return statement.name ? [statement.name.text] : [];
  }
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    ts.isIdentifier(name) &&
    initializer &&
    (isFunctionNode(initializer) || ts.isClassExpression(initializer))
      ? [name.text]
      : [],
  );
}

function mentions(statement: ts.Statement, names: ReadonlySet<string>): boolean {
  let found = false;
  walk(statement, (node) => {
    if (ts.isIdentifier(node) && names.has(node.text)) found = true;
  });
  return found;
}

/** Whether a statement runs before a place whenever the place is reached. */
export function comesBefore(statement: ts.Statement, spot: Spot): boolean {
  if (statement.pos >= spot.pos) return false;
  for (let at: ts.Node | undefined = spot.statement; at; at = at.parent) {
    if (at.parent === statement.parent) return true;
  }
  return false;
}
