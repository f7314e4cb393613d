import { ts } from 'ts-morph';
import { ENGINE_EXPORT, ENGINE_MODULE } from '../gate/engineCalls.ts';
import { deletion, type Edit } from '../source/edit.ts';
import {
  afterEmptyLine,
  beginsLine,
  endsLine,
  gapAfter,
  lineStart,
  nextLine,
} from '../source/lines.ts';
import { walk } from '../source/syntax.ts';
import { requiredModule } from '../source/values.ts';
import { isImport, isRequire } from './reading/fileImports.ts';

/** Imports of inserted code. */
const OURS: Readonly<Record<string, readonly string[]>> = {
  '@x402/core/server': ['HTTPFacilitatorClient'],
  '@x402/express': ['paymentMiddleware', 'x402ResourceServer'],
  '@x402/fastify': ['paymentMiddleware', 'x402ResourceServer'],
  '@x402/hono': [
    'paymentMiddleware',
    'paymentMiddlewareFromHTTPServer',
    'x402HTTPResourceServer',
    'x402ResourceServer',
  ],
  '@x402/next': ['withX402', 'x402ResourceServer'],
  '@x402/extensions/bazaar': ['bazaarResourceServerExtension', 'declareDiscoveryExtension'],
  '@x402/stellar/exact/server': ['ExactStellarScheme'],
  'next/server': ['NextResponse'],
  [ENGINE_MODULE]: [ENGINE_EXPORT],
};

interface Names {
  readonly module: string;
  readonly list: ts.NamedImports | ts.ObjectBindingPattern;
  readonly elements: readonly Element[];
  /** Whether the statement imports other names. */
  readonly others: boolean;
}

interface Element {
  readonly exported: string;
  readonly local: string;
  readonly node: ts.Node;
}

/** Removes imports that only the removed code used. */
export function unusedImports(file: ts.SourceFile, removed: readonly Edit[]): readonly Edit[] {
  const used = namesUsed(file, removed);
  const edits: Edit[] = [];
  let left = 0;
  let lastGone: ts.Statement | undefined;
  for (const statement of file.statements) {
    if (!isImport(statement) && !isRequire(statement)) continue;
    // An export from another file that is restored.
    if (
      removed.some(
        ({ offset, text }) => text === 'export' && offset === statement.getStart(file),
      ) ||
      isWithin(file, statement, removed)
    ) {
      continue;
    }
    const names = namesOf(statement);
    const gone = names?.elements.filter(
      ({ exported, local }) => OURS[names.module]?.includes(exported) && !used.has(local),
    );
    const [first] = gone ?? [];
    if (!names || !gone || !first) {
      left += 1;
    } else if (gone.length === names.elements.length && !names.others) {
      lastGone = statement;
      edits.push(withoutStatement(file, statement));
    } else {
      left += 1;
      edits.push(...withoutElements(names.list, first.node, new Set(gone.map(({ node }) => node))));
    }
  }
  return left === 0 && lastGone ? [...edits, ...emptyLineAfter(file.text, lastGone)] : edits;
}

/** Whether a node belongs to the removed code. */
function isWithin(file: ts.SourceFile, node: ts.Node, removed: readonly Edit[]): boolean {
  const start = node.getStart(file);
  return removed.some(({ offset, length }) => offset <= start && node.end <= offset + length);
}

/** In a file without imports, ours were inserted with an empty line after them. */
function emptyLineAfter(text: string, statement: ts.Statement): readonly Edit[] {
  const start = nextLine(text, statement.end);
  const end = afterEmptyLine(text, start);
  return end > start ? [deletion(start, end)] : [];
}

/** The names that a statement imports; `undefined` if it imports none by name. */
function namesOf(statement: ts.Statement): Names | undefined {
  if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
    const clause = statement.importClause;
    const list = clause?.namedBindings;
    if (!list || !ts.isNamedImports(list) || clause.isTypeOnly) return undefined;
    return {
      module: statement.moduleSpecifier.text,
      list,
      others: clause.name !== undefined || list.elements.some(({ isTypeOnly }) => isTypeOnly),
      elements: list.elements
        .filter(({ isTypeOnly }) => !isTypeOnly)
        .map((node) => ({
          exported: (node.propertyName ?? node.name).text,
          local: node.name.text,
          node,
        })),
    };
  }
  if (!ts.isVariableStatement(statement)) return undefined;
  const [declaration, second] = statement.declarationList.declarations;
  const required = declaration?.initializer && requiredModule(declaration.initializer);
  if (second || !required || !ts.isObjectBindingPattern(declaration.name)) return undefined;
  return {
    module: required.module,
    list: declaration.name,
    others: false,
    elements: declaration.name.elements.map((node) => ({
      exported: (node.propertyName ?? node.name).getText(),
      local: node.name.getText(),
      node,
    })),
  };
}

/** A statement with its line, unless another one shares the line. */
function withoutStatement({ text }: ts.SourceFile, statement: ts.Statement): Edit {
  const start = statement.getStart();
  if (beginsLine(text, start) && endsLine(text, statement.end)) {
    return deletion(lineStart(text, start), nextLine(text, statement.end));
  }
  return deletion(start, statement.end + gapAfter(text, statement.end));
}

/** Removes some of the names of an import; neighbours are removed together. */
function withoutElements(
  list: Names['list'],
  first: ts.Node,
  gone: ReadonlySet<ts.Node>,
): readonly Edit[] {
  const elements: readonly ts.Node[] = list.elements;
  if (elements.every((element) => gone.has(element))) {
    // `import x402, { paymentMiddleware }` keeps what precedes the braces.
    const name = ts.isNamedImports(list) ? list.parent.name : undefined;
    return name ? [deletion(name.end, list.end)] : [];
  }
  const firstKept = elements.findIndex((element) => !gone.has(element));
  return elements.flatMap((element, index) => {
    if (index < firstKept) return [];
    const before = elements[index - 1];
    if (index === firstKept)
      return index === 0 ? [] : [deletion(first.getStart(), element.getStart())];
    return gone.has(element) && before ? [deletion(before.end, element.end)] : [];
  });
}

/** Names used outside of imports and of the removed code. */
function namesUsed(file: ts.SourceFile, removed: readonly Edit[]): ReadonlySet<string> {
  const used = new Set<string>();
  for (const statement of file.statements) {
    if (isImport(statement)) continue;
    const required = isRequire(statement);
    walk(statement, (node) => {
      if (!ts.isIdentifier(node)) return;
      // `const { name } = require('m')` names it, `require('m')(name)` uses it.
      if (required && ts.isBindingElement(node.parent) && node.parent.initializer !== node) return;
      if (!isWithin(file, node, removed)) used.add(node.text);
    });
  }
  return used;
}
