import { ts } from 'ts-morph';
import type { SourceText } from '../findRoutes.ts';
import type { JsonValue } from '../schema/json.ts';
import { literalValue } from '../schema/literalValue.ts';
import { Bindings } from '../source/bindings.ts';
import { parseSource } from '../source/sourceFile.ts';
import { walk } from '../source/syntax.ts';
import { property, propertyName } from '../source/values.ts';

/** What a gate declares about the requests that it sells, as far as the code uses literals. */
export interface GateTerms {
  readonly description: string | undefined;
  /** `json`, `form-data` or `text`; `undefined` for requests without a body. */
  readonly bodyType: string | undefined;
  readonly input: JsonValue | undefined;
  readonly inputSchema: JsonValue | undefined;
  readonly pathParams: JsonValue | undefined;
  readonly pathParamsSchema: JsonValue | undefined;
}

const DECLARATION = 'declareDiscoveryExtension';

/**
 * Reads what a route's gate declares (`declareDiscoveryExtension`), found by its key in the map of routes or, in the App Router
 * of Next.js, by the wrapped handler of its method.
 */
export function gateTerms(source: SourceText, method: string, path: string): GateTerms | undefined {
  if (!source.text.includes(DECLARATION)) return undefined;
  const file = parseSource(source.path, source.text);
  const bindings = new Bindings();
  let exact: ts.CallExpression | undefined;
  let ofMethod: ts.CallExpression | undefined;
  walk(file, (node) => {
    if (!ts.isCallExpression(node) || node.expression.getText(file) !== DECLARATION) return;
    const key = keyAround(node);
    if (key === `${method} ${path}`) exact ??= node;
    else if (key === undefined && exportAround(node, file) === method) ofMethod ??= node;
  });
  const call = exact ?? ofMethod;
  const declared = call?.arguments[0];
  if (call === undefined || declared === undefined || !ts.isObjectLiteralExpression(declared)) {
    return undefined;
  }
  const read = (of: ts.ObjectLiteralExpression, name: string) => {
    const value = property(of, name);
    return value && literalValue(value, bindings);
  };
  const config = configAround(call);
  const text = (value: JsonValue | undefined) => (typeof value === 'string' ? value : undefined);
  return {
    description: config && text(read(config, 'description')),
    bodyType: text(read(declared, 'bodyType')),
    input: read(declared, 'input'),
    inputSchema: read(declared, 'inputSchema'),
    pathParams: read(declared, 'pathParams'),
    pathParamsSchema: read(declared, 'pathParamsSchema'),
  };
}

/** The object that has the declaration as its `extensions`. */
function configAround(call: ts.CallExpression): ts.ObjectLiteralExpression | undefined {
  for (let at: ts.Node = call; at.parent !== undefined; at = at.parent) {
    const outer = at.parent;
    if (!ts.isObjectLiteralExpression(outer)) continue;
    if (property(outer, 'accepts') !== undefined) return outer;
  }
  return undefined;
}

/** `METHOD /path` of the entry that contains a declaration. */
function keyAround(call: ts.CallExpression): string | undefined {
  for (let at: ts.Node = call; at.parent !== undefined; at = at.parent) {
    if (!ts.isPropertyAssignment(at)) continue;
    const name = propertyName(at.name);
    if (name !== undefined && /^[A-Z*]+ \//.test(name)) return name;
  }
  return undefined;
}

/** Name of the constant that is exported around a declaration: `GET`, `POST`… */
function exportAround(call: ts.CallExpression, file: ts.SourceFile): string | undefined {
  for (let at: ts.Node = call; at.parent !== undefined; at = at.parent) {
    if (ts.isVariableDeclaration(at)) return at.name.getText(file);
  }
  return undefined;
}
