import ts from 'typescript';
import type { MoneyMoved } from '../../../src/protocol/index.ts';
import type { Statement } from './statement.ts';
import { mayWriteMoney, saysMoney } from './words.ts';

const MONEY_MOVED: readonly MoneyMoved[] = ['no', 'not_yet', 'yes', 'fees', 'unknown'];
/** Values of an agent's outcome, by what they say. */
const OUTCOMES: Readonly<Record<string, MoneyMoved>> = {
  settled: 'yes',
  not_settled: 'no',
  not_paid: 'no',
  unknown: 'unknown',
};
/** Words for programs that say so wherever they are given. */
const EVERYWHERE: ReadonlySet<string> = new Set(['not_settled', 'not_paid', 'never_submitted']);
/** Where an `outcome` is a payment's. */
const OF_PAYMENTS = /^src\/(?:cli|mcp|sdk|extension)\//;
/** States of a fate that is made by hand, beside its evidence. */
const FATES: Readonly<Record<string, MoneyMoved>> = {
  paid: 'yes',
  open: 'not_yet',
  void: 'no',
  unknown: 'unknown',
};
const OF_FATES = new Set(['moneyMovedBy', 'fateInWords']);
/** Longer texts are scripts of pages, whose own texts are read. */
const LONGEST_SENTENCE = 2_000;
const TEXT_IN_SCRIPT = /'([^'\n]{6,300})'/g;

/**
 * Returns every statement about money in a source: each value given to `moneyMoved` or to an `outcome`, each fate that is made by
 * hand, each use of what derives a statement from a fate, and each text with words about money.
 */
export function codeStatements(file: string, source: string): readonly Statement[] {
  if (!mayWriteMoney(source)) return [];
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Statement[] = [];
  const add = (path: readonly string[], text: string, values: readonly MoneyMoved[] = []) => {
    found.push({ file, at: path.join('.'), text: text.replaceAll(/\s+/g, ' ').trim(), values });
  };
  const visit = (node: ts.Node, path: readonly string[]): void => {
    if (isWithoutStatements(node)) return;
    const name = nameOfDeclaration(node);
    const inside = name === undefined ? path : [...path, name];
    for (const [value, values] of valuesAt(node, file)) add(inside, value, values);
    for (const text of sentencesOf(node)) if (saysMoney(text)) add(inside, text);
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(root, []);
  return found;
}

function isWithoutStatements(node: ts.Node): boolean {
  return ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || isType(node);
}

function isType(node: ts.Node): boolean {
  return ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);
}

function nameOfDeclaration(node: ts.Node): string | undefined {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const named =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isGetAccessor(node);
  if (!named || node.name === undefined) return undefined;
  // A destructured declaration has no name of its own.
  return ts.isObjectBindingPattern(node.name) || ts.isArrayBindingPattern(node.name)
    ? undefined
    : node.name.getText().replaceAll(/^'|'$/g, '');
}

/** The values for programs that a node states. */
function valuesAt(
  node: ts.Node,
  file: string,
): readonly (readonly [string, readonly MoneyMoved[]])[] {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    const { text } = node.expression;
    return OF_FATES.has(text) ? [[`${text}(…)`, []]] : [];
  }
  if (ts.isFunctionDeclaration(node) && /\bMoneyMoved\b/.test(node.type?.getText() ?? '')) {
    const values = returned(node).filter(isMoneyMoved);
    return values.length === 0 ? [] : [[`returns ${values.join(', ')}`, values]];
  }
  if (ts.isStringLiteral(node) && EVERYWHERE.has(node.text) && isGiven(node)) {
    return [[node.text, ['no']]];
  }
  const given = assigned(node);
  if (given === undefined) return [];
  const [name, value] = given;
  const literals = literalsOf(value);
  if (name === 'success' && file.startsWith('src/server/') && isTrue(value)) {
    return [['success: true', ['yes']]];
  }
  if (name === 'moneyMoved') {
    const values = literals.filter(isMoneyMoved);
    return values.length === 0 ? [] : [[`moneyMoved: ${values.join(', ')}`, values]];
  }
  if (name === 'outcome' && OF_PAYMENTS.test(file)) {
    const values = literals.flatMap((literal) => OUTCOMES[literal] ?? []);
    return values.length === 0 ? [] : [[`outcome: ${literals.join(', ')}`, values]];
  }
  if (name === 'state' && besideEvidence(node)) {
    const values = literals.flatMap((literal) => FATES[literal] ?? []);
    return values.length === 0 ? [] : [[`state: ${literals.join(', ')}`, values]];
  }
  return [];
}

/** Whether a word is a value here, and not a name or what another is compared with; an outcome has its own statement. */
function isGiven({ parent }: ts.Node): boolean {
  if (ts.isPropertyAssignment(parent)) return parent.name.getText() !== 'outcome';
  return ts.isReturnStatement(parent) || ts.isConditionalExpression(parent);
}

function isMoneyMoved(value: string): value is MoneyMoved {
  return MONEY_MOVED.some((each) => each === value);
}

function isTrue({ kind }: ts.Expression): boolean {
  return kind === ts.SyntaxKind.TrueKeyword;
}

/** What is given a value here, and the value. */
function assigned(node: ts.Node): readonly [string, ts.Expression] | undefined {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    const { left, right } = node;
    return ts.isPropertyAccessExpression(left) ? [left.name.text, right] : undefined;
  }
  const declared =
    ts.isPropertyAssignment(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isVariableDeclaration(node);
  if (!declared || node.initializer === undefined || !ts.isIdentifier(node.name)) return undefined;
  return [node.name.text, node.initializer];
}

/** Literals that a value may be, without those that it is compared with. */
function literalsOf(value: ts.Expression): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node) || isType(node)) return;
    if (ts.isBinaryExpression(node) && /[=!]==/.test(node.operatorToken.getText())) return;
    if (ts.isStringLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(value);
  return found;
}

function returned(node: ts.FunctionDeclaration): readonly string[] {
  const found: string[] = [];
  const visit = (each: ts.Node): void => {
    if (ts.isReturnStatement(each) && each.expression !== undefined) {
      found.push(...literalsOf(each.expression));
    }
    ts.forEachChild(each, visit);
  };
  visit(node);
  return found;
}

/** Whether a property is in an object that also gives the evidence of a fate. */
function besideEvidence({ parent }: ts.Node): boolean {
  return (
    ts.isObjectLiteralExpression(parent) &&
    parent.properties.some(({ name }) => /^(?:evidence|until|because)$/.test(name?.getText() ?? ''))
  );
}

/** What people may read at this node. */
function sentencesOf(node: ts.Node): readonly string[] {
  const text = textOf(node);
  if (text === undefined) return [];
  if (text.length <= LONGEST_SENTENCE) return [text];
  return [...text.matchAll(TEXT_IN_SCRIPT)].map(([, quoted = '']) => quoted);
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.templateSpans.reduce(
    (text, { literal }) => `${text}…${literal.text}`,
    node.head.text,
  );
}
