import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { ofModerateSize, Readings } from '../source/readings.ts';
import { bare, constantValue, memberValue, propertyName, staticText } from '../source/values.ts';
import type { JsonValue } from './json.ts';

/** The value of an expression that consists only of literals and constants. */
export function literalValue(expression: ts.Expression, bindings: Bindings): JsonValue | undefined {
  const at = bare(expression);
  return values.of(at, () => ofModerateSize(computedValue(at, bindings)));
}

const values = new Readings<JsonValue>();

function computedValue(at: ts.Expression, bindings: Bindings): JsonValue | undefined {
  if (ts.isNumericLiteral(at)) return Number(at.text);
  if (at.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (at.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (at.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isPrefixUnaryExpression(at) && at.operator === ts.SyntaxKind.MinusToken) {
    const value = literalValue(at.operand, bindings);
    return typeof value === 'number' ? -value : undefined;
  }
  if (ts.isArrayLiteralExpression(at)) {
    const items = at.elements.map((element) => literalValue(element, bindings));
    return items.every((item) => item !== undefined) ? (items as readonly JsonValue[]) : undefined;
  }
  if (ts.isObjectLiteralExpression(at)) {
    const entries: [string, JsonValue][] = [];
    for (const element of at.properties) {
      const name = element.name && propertyName(element.name);
      const initializer = memberValue(element);
      const value = initializer && literalValue(initializer, bindings);
      if (name === undefined || value === undefined) return undefined;
      entries.push([name, value]);
    }
    return Object.fromEntries(entries);
  }
  if (ts.isIdentifier(at)) {
    const value = constantValue(at, bindings);
    return value && literalValue(value, bindings);
  }
  return staticText(at, bindings);
}
