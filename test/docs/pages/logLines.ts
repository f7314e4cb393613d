import ts from 'typescript';
import { code, madeFrom, table } from './markdown.ts';
import { projectFile } from './projectFile.ts';
import { sourceFiles } from './sourceFiles.ts';

const LEVELS = ['error', 'warn', 'info', 'debug'] as const;
type Level = (typeof LEVELS)[number];

/** A line that the service can log. */
export interface LogLine {
  readonly level: Level;
  /** With `…` where something is filled in. */
  readonly message: string;
  readonly fields: readonly string[];
  readonly file: string;
}

const MEANING: Readonly<Record<Level, string>> = {
  error: 'Somebody has to look at these',
  warn: 'Something is wrong, or a request was refused; the service continues',
  info: 'What the service does',
  debug: 'Details, with `--log-level debug`',
};

const isLevel = (name: string): name is Level => LEVELS.some((level) => level === name);

/** Finds what a constant of a file is. */
function constant(name: ts.Identifier): ts.Expression | undefined {
  let found: ts.Expression | undefined;
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isVariableDeclaration(node) || node.name.getText() !== name.text) return;
    if (ts.isVariableDeclarationList(node.parent) && node.parent.flags & ts.NodeFlags.Const) {
      found = node.initializer;
    }
  };
  visit(name.getSourceFile());
  return found;
}

/** The text of a message: literals, templates, sums of them, constants, and both branches of a choice. */
function texts(node: ts.Expression): readonly string[] {
  if (ts.isIdentifier(node)) {
    const value = constant(node);
    return value === undefined ? [] : texts(value);
  }
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return [node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')];
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left = '…'] = texts(node.left);
    const [right = '…'] = texts(node.right);
    return [left + right];
  }
  if (ts.isConditionalExpression(node)) return [...texts(node.whenTrue), ...texts(node.whenFalse)];
  return [];
}

/** The names of the members that an object literal writes; the ones of objects that it spreads, if they are literals. */
function fieldsOf(node: ts.Expression): readonly string[] {
  if (!ts.isObjectLiteralExpression(node)) return [];
  return node.properties.flatMap((property) => {
    if (ts.isSpreadAssignment(property)) return fieldsOf(property.expression);
    return property.name !== undefined && ts.isIdentifier(property.name)
      ? [property.name.text]
      : [];
  });
}

/** The calls of a file that log, and those whose message is not written in the call. */
function readFile(file: string): { readonly lines: LogLine[]; readonly unread: string[] } {
  const source = ts.createSourceFile(file, projectFile(file), ts.ScriptTarget.Latest, true);
  const lines: LogLine[] = [];
  const unread: string[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { name, expression } = node.expression;
    const [fields, message] = node.arguments;
    if (!isLevel(name.text) || fields === undefined || message === undefined) return;
    if (!/log(?:ger)?(?:'\))?$/i.test(expression.getText())) return;
    const level = name.text;
    const found = texts(message);
    if (found.length === 0) unread.push(`${file}: ${message.getText()}`);
    for (const text of found.length === 0 ? ['…'] : found)
      lines.push({ level, message: text, fields: fieldsOf(fields), file });
  };
  visit(source);
  return { lines, unread };
}

/** Files that pass lines on or add fields to them. */
const PASSED_ON = ['src/server/logger.ts', 'src/cli/session.ts'];

/** Every line that the service logs, and the calls whose message cannot be read in the source. */
export function logLines(): {
  readonly lines: readonly LogLine[];
  readonly unread: readonly string[];
} {
  const read = [...sourceFiles('src/server'), ...sourceFiles('src/cli'), ...sourceFiles('src/mcp')]
    .filter((file) => !PASSED_ON.includes(file))
    .map(readFile);
  return {
    lines: read.flatMap(({ lines }) => lines),
    unread: read.flatMap(({ unread }) => unread),
  };
}

/** `docs/logs.md`: every line that the service logs, from its source. */
export function logsPage(): string {
  const { lines } = logLines();
  const section = (level: Level) => {
    const rows = lines
      .filter((line) => line.level === level)
      .sort((one, other) => (one.message < other.message ? -1 : 1))
      .map(({ message, fields, file }) => [
        message,
        fields.map(code).join(', '),
        `[${file.replace(/^src\//, '')}](../${file})`,
      ]);
    const unique = [...new Map(rows.map((row) => [row.join('|'), row])).values()];
    return `## ${level}\n\n${MEANING[level]}.\n\n${table(['Message', 'Members', 'Source'], unique)}`;
  };
  return `# Log lines

${madeFrom("the service's source")}
With \`--json\` each line is a JSON object: \`level\`, \`time\`, \`msg\` (the message), the members below, and \`request\` in lines about a request
([facilitator.md](facilitator.md#logs-and-metrics)). \`…\` stands for something that is filled in. \`err\` is an error with its stack. No line contains a
secret, a signature or an envelope.

${LEVELS.map(section).join('\n')}`;
}
