import { ts } from 'ts-morph';
import { parse } from 'yaml';
import { literalValue } from '../schema/literalValue.ts';
import { Bindings } from '../source/bindings.ts';
import { parseSource, unlessTooDeep } from '../source/sourceFile.ts';
import { walk } from '../source/syntax.ts';
import { bare, importedFrom, memberValue, propertyName } from '../source/values.ts';

/** Settings as written in a file. */
export type Settings = Readonly<Record<string, unknown>>;

/** A settings file's own settings, and the modules that it extends. */
export interface SettingsFile {
  readonly own: Settings;
  readonly bases: readonly string[];
}

/**
 * Reads a settings file as data: YAML, JSON with or without comments, TOML, or a script whose settings are literals. Nothing is
 * run, so computed values are omitted.
 * @returns `undefined` for a text without settings
 */
export function parseSettings(name: string, text: string): SettingsFile | undefined {
  const read = () => {
    if (/\.[cm]?[jt]s$/.test(name)) return fromScript(name, text);
    if (/\.json[5c]?$/.test(name)) return fromScript('settings.ts', `export default ${text}`);
    const own = name.endsWith('.toml') ? fromToml(text) : fromYaml(text);
    return own && { own, bases: [] };
  };
  return unlessTooDeep(read, undefined);
}

export function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fromYaml(text: string): Settings | undefined {
  try {
    // Aliases are never needed, and without them no document can expand when it is parsed.
    const value: unknown = parse(text, { maxAliasCount: 0, logLevel: 'silent' });
    return isSettings(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The top-level settings of a TOML file; its tables are omitted. */
function fromToml(text: string): Settings {
  const [top = ''] = text.split(/^\s*\[/m);
  const pairs = [...top.matchAll(/^\s*([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([\w.+-]+))/gm)];
  return Object.fromEntries(
    pairs.map(([, key = '', double, single, plain]) => [key, double ?? single ?? scalar(plain)]),
  );
}

function scalar(text = ''): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return Number.isNaN(Number(text)) ? text : Number(text);
}

/** `module.exports = {…}`, `export default {…}`, also through a constant or a function such as `defineConfig`. */
function fromScript(name: string, text: string): SettingsFile | undefined {
  const file = parseSource(name, text);
  const bindings = new Bindings();
  let exported: ts.Expression | undefined;
  walk(file, (node) => {
    if (ts.isExportAssignment(node)) exported = node.expression;
    const assigned =
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      node.left.getText(file) === 'module.exports';
    if (assigned) exported = node.right;
  });
  if (!exported) return undefined;
  const literal = objectBehind(exported, bindings);
  const bases = literal
    ? literal.properties.filter(ts.isSpreadAssignment)
    : [{ expression: exported }];
  const modules = bases.flatMap(
    ({ expression }) => importedFrom(expression, bindings)?.module ?? [],
  );
  return literal || modules.length > 0
    ? { own: literal ? literalSettings(literal, bindings) : {}, bases: modules }
    : undefined;
}

function objectBehind(
  expression: ts.Expression,
  bindings: Bindings,
): ts.ObjectLiteralExpression | undefined {
  const at = bare(expression);
  if (ts.isObjectLiteralExpression(at)) return at;
  if (ts.isCallExpression(at)) {
    const [only] = at.arguments;
    return only && at.arguments.length === 1 ? objectBehind(only, bindings) : undefined;
  }
  if (!ts.isIdentifier(at)) return undefined;
  const binding = bindings.of(at);
  const value = binding?.kind === 'variable' ? binding.declaration.initializer : undefined;
  return value && ts.isObjectLiteralExpression(bare(value))
    ? objectBehind(value, bindings)
    : undefined;
}

/** The members that are literals; others, such as lists of plugins, do not matter here. */
function literalSettings(literal: ts.ObjectLiteralExpression, bindings: Bindings): Settings {
  const entries = literal.properties.flatMap((element) => {
    const key = element.name && propertyName(element.name);
    const value = memberValue(element);
    const read = value && literalValue(value, bindings);
    return key === undefined || read === undefined ? [] : [[key, read] as const];
  });
  return Object.fromEntries(entries);
}
