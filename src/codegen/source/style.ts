import { ts } from 'ts-morph';
import { walk } from './syntax.ts';

/** The aspects of a file's style that added code should follow. */
export interface Style {
  readonly quote: "'" | '"';
  readonly semicolons: boolean;
  readonly indent: string;
  readonly eol: '\n' | '\r\n';
  /** After the last property or element of a list that spans several lines. */
  readonly trailingCommas: boolean;
  /** The same in calls, where some formatters omit it. */
  readonly trailingArguments: boolean;
  /** `{ a }` rather than `{a}`. */
  readonly spacedBraces: boolean;
  readonly modules: 'esm' | 'commonjs';
  readonly declare: 'const' | 'var';
  readonly width: number;
  /** Number of columns of a tab. */
  readonly tabWidth: number;
  /** `(a) => b` rather than `a => b`. */
  readonly arrowParens: boolean;
  /** All names of an object are quoted if one must be. */
  readonly sameQuotedNames: boolean;
  /** `process.env['NAME']`, which the compiler can be configured to require. */
  readonly bracketEnv: boolean;
}

interface Votes {
  single: number;
  double: number;
  withSemicolon: number;
  withoutSemicolon: number;
  objectComma: number;
  objectNoComma: number;
  callComma: number;
  callNoComma: number;
  spaced: number;
  tight: number;
  constants: number;
  vars: number;
  dotEnv: number;
  bracketEnv: number;
}

/**
 * Reads the style from the file's code. What it does not show follows Prettier's defaults, with single quotes.
 * @param modulesOfPackage the module type that `package.json` sets for `.js` and `.ts` files; decides if the file does not
 */
export function readStyle(
  file: ts.SourceFile,
  modulesOfPackage: Style['modules'] = 'commonjs',
): Style {
  const { text } = file;
  const votes = count(file);
  const objectCommas = votes.objectComma >= votes.objectNoComma;
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1 - crlf;
  return {
    quote: votes.double > votes.single ? '"' : "'",
    semicolons: votes.withSemicolon >= votes.withoutSemicolon,
    indent: readIndent(text),
    eol: crlf > lf ? '\r\n' : '\n',
    trailingCommas: objectCommas,
    trailingArguments:
      votes.callComma + votes.callNoComma > 0 ? votes.callComma >= votes.callNoComma : objectCommas,
    spacedBraces: votes.spaced >= votes.tight,
    modules: readModules(file, modulesOfPackage),
    declare: votes.vars > 0 && votes.constants === 0 ? 'var' : 'const',
    width: text.split('\n').some((line) => line.length > 82 && line.length <= 101) ? 100 : 80,
    tabWidth: 2,
    arrowParens: true,
    sameQuotedNames: false,
    bracketEnv: votes.bracketEnv > votes.dotEnv,
  };
}

function count(file: ts.SourceFile): Votes {
  const { text } = file;
  const votes: Votes = {
    single: 0,
    double: 0,
    withSemicolon: 0,
    withoutSemicolon: 0,
    objectComma: 0,
    objectNoComma: 0,
    callComma: 0,
    callNoComma: 0,
    spaced: 0,
    tight: 0,
    constants: 0,
    vars: 0,
    dotEnv: 0,
    bracketEnv: 0,
  };
  walk(file, (node) => {
    if (ts.isStringLiteral(node) && !ts.isJsxAttribute(node.parent)) {
      const inside = text.slice(node.getStart(file) + 1, node.end - 1);
      // A text that contains a quote does not show which kind the file prefers.
      if (/['"]/.test(inside)) return;
      if (text[node.end - 1] === '"') votes.double += 1;
      else votes.single += 1;
    } else if (takesSemicolon(node)) {
      if (text[node.end - 1] === ';') votes.withSemicolon += 1;
      else votes.withoutSemicolon += 1;
    } else if (ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node)) {
      countList(
        ts.isObjectLiteralExpression(node) ? node.properties : node.elements,
        node.end,
        'object',
      );
    } else if (ts.isCallExpression(node)) {
      countList(node.arguments, node.end, 'call');
    } else if (ts.isNamedImports(node) || ts.isObjectBindingPattern(node)) {
      countSpaces(node);
    } else if (ts.isVariableDeclarationList(node)) {
      if ((node.flags & ts.NodeFlags.BlockScoped) !== 0) votes.constants += 1;
      else votes.vars += 1;
    }
    if (ts.isObjectLiteralExpression(node)) countSpaces(node);
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      if (node.expression.getText(file) !== 'process.env') return;
      if (ts.isPropertyAccessExpression(node)) votes.dotEnv += 1;
      else votes.bracketEnv += 1;
    }
  });
  return votes;

  function countList(list: ts.NodeArray<ts.Node>, end: number, kind: 'object' | 'call'): void {
    const last = list.at(-1);
    if (!last) return;
    // Only a list whose last element is on a line above the closing bracket shows it.
    if (!text.slice(last.end, end).includes('\n')) return;
    if (list.hasTrailingComma) votes[`${kind}Comma`] += 1;
    else votes[`${kind}NoComma`] += 1;
  }

  function countSpaces(node: ts.Node): void {
    const inside = text.slice(node.getStart(file), node.end);
    if (inside.length < 3 || inside.includes('\n')) return;
    if (inside.startsWith('{ ')) votes.spaced += 1;
    else votes.tight += 1;
  }
}

function takesSemicolon(node: ts.Node): boolean {
  return (
    ts.isExpressionStatement(node) ||
    ts.isVariableStatement(node) ||
    ts.isImportDeclaration(node) ||
    ts.isReturnStatement(node)
  );
}

function readIndent(text: string): string {
  const steps = new Map<string, number>();
  let previous = '';
  for (const line of text.split('\n')) {
    const white = /^[ \t]*/.exec(line)?.[0] ?? '';
    const rest = line.slice(white.length).trim();
    if (rest === '' || rest.startsWith('*')) continue;
    if (white.startsWith(previous) && white.length > previous.length) {
      const step = white.slice(previous.length);
      steps.set(step, (steps.get(step) ?? 0) + 1);
    }
    previous = white;
  }
  const [best] = [...steps].sort((a, b) => b[1] - a[1]);
  if (!best) return '  ';
  return best[0].startsWith('\t') ? '\t' : best[0];
}

function readModules(file: ts.SourceFile, modulesOfPackage: Style['modules']): Style['modules'] {
  if (/\.m[jt]s$/.test(file.fileName)) return 'esm';
  if (/\.c[jt]s$/.test(file.fileName)) {
    return /\.cts$/.test(file.fileName) && hasModuleSyntax(file) ? 'esm' : 'commonjs';
  }
  if (hasModuleSyntax(file)) return 'esm';
  if (/\brequire\s*\(|\bmodule\.exports\b|\bexports\.\w/.test(file.text)) return 'commonjs';
  return modulesOfPackage;
}

function hasModuleSyntax(file: ts.SourceFile): boolean {
  return file.statements.some(
    (statement) =>
      ts.isImportDeclaration(statement) ||
      ts.isImportEqualsDeclaration(statement) ||
      ts.isExportDeclaration(statement) ||
      ts.isExportAssignment(statement) ||
      (ts.canHaveModifiers(statement) &&
        ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)),
  );
}
