import ts from 'typescript';

/** A text in a source file that a person may read. */
export interface ShownText {
  readonly node: ts.StringLiteralLike | ts.TemplateExpression;
  /** The text, with `{0}` and so on for what is put into it. */
  readonly text: string;
  /** `call`: the first argument of `t` or `later`, as a literal; `bare`: not translated. */
  readonly kind: 'call' | 'bare';
}

/** Functions that mark a text for translation. */
const MARKS = new Set(['t', 'later']);
/** Calls whose arguments nobody reads on a screen in their language: logs, and names for the editor. */
const UNSEEN =
  /(^|\.)log(\[[^\]]+\])?(\.\w+)?$|(^|\.)(executeCommand|createOutputChannel|createWebviewPanel\.id|registerCommand|getConfiguration|test|includes|startsWith|endsWith|split|get|set)$/;
const TWO_WORDS = /\p{L}{2,}[,;:.!?…)”"']* +[(“"'`{]*\p{L}/u;
/** A word beside a number or something put in, other than a unit. */
const WORD_AND_VALUE =
  /(?<![-\w./:$@#])(?!(?:USDC|XLM|GET|POST)\b)\p{L}{2,}[,;:.!?…]* +(\{\d+\}|\d)|(\{\d+\}|\d+)['’]?\w? +(?!(?:USDC|XLM|MB|ms|s)\b)\p{L}{2,}/u;
const ONE_WORD = /^\p{Lu}\p{Ll}+[.…?:]?$/u;

/** Returns every text of a file that reads as words for people. */
export function shownTexts(file: ts.SourceFile): readonly ShownText[] {
  const found: ShownText[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node) && !isName(node)) {
      const text = textOf(node);
      if (isMarked(node)) found.push({ node, text, kind: 'call' });
      else if (isForPeople(text) && !isUnseen(node)) {
        found.push({ node, text, kind: 'bare' });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Whether a text, without tags of HTML, reads as words. */
function isForPeople(text: string): boolean {
  const plain = text.replace(/<[^>]*>?/g, ' ');
  return [TWO_WORDS, WORD_AND_VALUE, ONE_WORD].some((words) => words.test(plain.trim()));
}

function isText(node: ts.Node): node is ShownText['node'] {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function textOf(node: ShownText['node']): string {
  if (!ts.isTemplateExpression(node)) return node.text;
  return node.templateSpans.reduce(
    (text, { literal }, index) => `${text}{${index}}${literal.text}`,
    node.head.text,
  );
}

/** Types, names of modules and members, and what is compared do not count as texts. */
function isName({ parent, ...node }: ts.Node): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isCaseClause(parent) ||
    ts.isElementAccessExpression(parent) ||
    (ts.isPropertyAssignment(parent) && parent.name.pos === node.pos) ||
    (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText()))
  );
}

function isMarked(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isCallExpression(parent) &&
    parent.arguments[0] === node &&
    MARKS.has(parent.expression.getText())
  );
}

function isUnseen(node: ts.Node): boolean {
  for (let at = node.parent; at !== undefined && !ts.isStatement(at); at = at.parent) {
    if (ts.isCallExpression(at) && UNSEEN.test(at.expression.getText())) return true;
  }
  return false;
}
