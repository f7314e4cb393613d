import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { ofModerateSize, Readings } from '../source/readings.ts';
import { propertyName } from '../source/values.ts';
import { fromTypeBox } from './fromTypeBox.ts';
import { fromZod } from './fromZod.ts';
import type { JsonSchema, JsonValue } from './json.ts';

/** The JSON schema of a TypeScript type in this file; `undefined` if the type does not determine one. */
export function fromType(
  type: ts.TypeNode | undefined,
  bindings: Bindings,
  depth = 0,
): JsonSchema | undefined {
  if (!type || depth > 8) return undefined;
  return types.of(type, () => ofModerateSize(read(type, bindings, depth)), depth);
}

const types = new Readings<JsonSchema>();

function read(type: ts.TypeNode, bindings: Bindings, depth: number): JsonSchema | undefined {
  switch (type.kind) {
    case ts.SyntaxKind.StringKeyword:
      return { type: 'string' };
    case ts.SyntaxKind.NumberKeyword:
      return { type: 'number' };
    case ts.SyntaxKind.BooleanKeyword:
      return { type: 'boolean' };
    default:
  }
  if (ts.isParenthesizedTypeNode(type)) return fromType(type.type, bindings, depth + 1);
  if (ts.isTypeOperatorNode(type) && type.operator === ts.SyntaxKind.ReadonlyKeyword) {
    return fromType(type.type, bindings, depth + 1);
  }
  if (ts.isLiteralTypeNode(type)) return literal(type);
  if (ts.isArrayTypeNode(type)) return arrayOf(type.elementType, bindings, depth);
  if (ts.isUnionTypeNode(type)) return union(type, bindings, depth);
  if (ts.isTypeLiteralNode(type)) return members(type.members, bindings, depth);
  if (ts.isTypeReferenceNode(type)) return reference(type, bindings, depth);
  return undefined;
}

function literal(type: ts.LiteralTypeNode): JsonSchema | undefined {
  const { literal: value } = type;
  if (ts.isStringLiteral(value)) return { const: value.text };
  if (ts.isNumericLiteral(value)) return { const: Number(value.text) };
  if (value.kind === ts.SyntaxKind.TrueKeyword) return { const: true };
  if (value.kind === ts.SyntaxKind.FalseKeyword) return { const: false };
  return value.kind === ts.SyntaxKind.NullKeyword ? { type: 'null' } : undefined;
}

function arrayOf(element: ts.TypeNode, bindings: Bindings, depth: number): JsonSchema {
  const items = fromType(element, bindings, depth + 1);
  return items ? { type: 'array', items } : { type: 'array' };
}

function union(type: ts.UnionTypeNode, bindings: Bindings, depth: number): JsonSchema | undefined {
  const options = type.types
    .filter((option) => option.kind !== ts.SyntaxKind.UndefinedKeyword)
    .map((option) => fromType(option, bindings, depth + 1));
  if (options.some((option) => option === undefined)) return undefined;
  const schemas = options as readonly JsonSchema[];
  const [only] = schemas;
  if (schemas.length === 1) return only;
  const constants = schemas.map((schema) => schema['const']);
  return constants.every((value) => value !== undefined)
    ? { enum: constants as readonly JsonValue[] }
    : { anyOf: schemas };
}

function members(
  list: ts.NodeArray<ts.TypeElement>,
  bindings: Bindings,
  depth: number,
): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const element of list) {
    if (!ts.isPropertySignature(element)) continue;
    const name = propertyName(element.name);
    if (name === undefined) continue;
    properties[name] = {
      ...fromType(element.type, bindings, depth + 1),
      ...description(element),
    };
    if (!element.questionToken) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

/** The comment above a property of an interface. */
function description(element: ts.PropertySignature): JsonSchema {
  const [comment] = ts.getJSDocCommentsAndTags(element);
  const text =
    comment && ts.isJSDoc(comment) ? ts.getTextOfJSDocComment(comment.comment) : undefined;
  return text ? { description: text.split('\n')[0]?.trim() ?? '' } : {};
}

function reference(
  type: ts.TypeReferenceNode,
  bindings: Bindings,
  depth: number,
): JsonSchema | undefined {
  const inferred = inferredFrom(type, bindings);
  if (inferred) return inferred;
  if (!ts.isIdentifier(type.typeName)) return undefined;
  const name = type.typeName.text;
  const [argument] = type.typeArguments ?? [];
  if (name === 'Array' || name === 'ReadonlyArray') {
    return argument ? arrayOf(argument, bindings, depth) : { type: 'array' };
  }
  if ((name === 'Readonly' || name === 'Promise') && argument) {
    return fromType(argument, bindings, depth + 1);
  }
  if (name === 'Partial' && argument) {
    const whole = fromType(argument, bindings, depth + 1);
    if (!whole) return undefined;
    const { required: _required, ...rest } = whole;
    return rest;
  }
  if (name === 'Record') return { type: 'object' };
  if (name === 'Date') return { type: 'string', format: 'date-time' };
  const binding = bindings.named(name, type);
  if (binding?.kind !== 'type') return undefined;
  const { declaration } = binding;
  if (declaration.typeParameters) return undefined;
  if (ts.isTypeAliasDeclaration(declaration))
    return fromType(declaration.type, bindings, depth + 1);
  // Members inherited from other interfaces are missing here.
  if (declaration.heritageClauses) return undefined;
  return members(declaration.members, bindings, depth);
}

/** `z.infer<typeof Query>` and `Static<typeof Query>`. */
function inferredFrom(type: ts.TypeReferenceNode, bindings: Bindings): JsonSchema | undefined {
  const [argument] = type.typeArguments ?? [];
  const name = type.typeName.getText();
  if (!argument || !/^(z\.(infer|input|output)|Static)$/.test(name)) return undefined;
  if (!ts.isTypeQueryNode(argument) || !ts.isIdentifier(argument.exprName)) return undefined;
  return fromZod(argument.exprName, bindings) ?? fromTypeBox(argument.exprName, bindings);
}
