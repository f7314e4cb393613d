import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import type { FunctionNode } from '../source/syntax.ts';
import { bare, propertyName } from '../source/values.ts';

/** What a handler reads from a request. */
export type RequestPart = 'request' | 'query' | 'body' | 'params' | 'searchParams' | 'url';

const MEMBERS: Readonly<Record<string, RequestPart>> = {
  query: 'query',
  body: 'body',
  params: 'params',
  nextUrl: 'url',
  searchParams: 'searchParams',
};

/** Finds the expressions of a handler that refer to its request and to parts of it. */
export class RequestParts {
  readonly #handler: FunctionNode;
  readonly #bindings: Bindings;

  constructor(handler: FunctionNode, bindings: Bindings) {
    this.#handler = handler;
    this.#bindings = bindings;
  }

  of(expression: ts.Expression, depth = 0): RequestPart | undefined {
    const at = bare(expression);
    if (depth > 6) return undefined;
    if (ts.isIdentifier(at)) return this.#named(at, depth);
    if (ts.isPropertyAccessExpression(at)) {
      const owner = this.of(at.expression, depth + 1);
      return this.#member(owner, at.name.text, at);
    }
    if (ts.isCallExpression(at) && ts.isPropertyAccessExpression(at.expression)) {
      const { name, expression: owner } = at.expression;
      const part = this.of(owner, depth + 1);
      // await request.json(), request.nextUrl.clone()
      if (part === 'request' && ['json', 'formData', 'text'].includes(name.text)) return 'body';
      if (part === 'url' && name.text === 'clone') return 'url';
      // Object.fromEntries(searchParams)
      const [first] = at.arguments;
      if (owner.getText() === 'Object' && name.text === 'fromEntries' && first) {
        const inner = this.of(first, depth + 1);
        return inner === 'searchParams' ? 'query' : undefined;
      }
      if (part === 'searchParams' && name.text === 'entries') return 'searchParams';
      return undefined;
    }
    if (ts.isNewExpression(at)) {
      const [first] = at.arguments ?? [];
      const made = at.expression.getText();
      if (made === 'URL' && first) return this.#isUrl(first, depth) ? 'url' : undefined;
      return made === 'URLSearchParams' && first && /\burl\b|search/i.test(first.getText())
        ? 'searchParams'
        : undefined;
    }
    // req.body ?? {}
    if (ts.isBinaryExpression(at)) {
      const { kind } = at.operatorToken;
      const falls =
        kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken;
      return falls ? this.of(at.left, depth + 1) : undefined;
    }
    return undefined;
  }

  #isUrl(expression: ts.Expression, depth: number): boolean {
    const at = bare(expression);
    return (
      ts.isPropertyAccessExpression(at) &&
      ['url', 'originalUrl'].includes(at.name.text) &&
      this.of(at.expression, depth + 1) === 'request'
    );
  }

  #member(
    owner: RequestPart | undefined,
    name: string,
    place: ts.PropertyAccessExpression,
  ): RequestPart | undefined {
    if (owner === 'request') return MEMBERS[name];
    if (owner === 'url') return name === 'searchParams' ? 'searchParams' : undefined;
    // context.params of Next.js
    const root = bare(place.expression);
    const [, context] = this.#handler.parameters;
    const isContext =
      ts.isIdentifier(root) && context !== undefined && context.name.getText() === root.text;
    return isContext && name === 'params' ? 'params' : undefined;
  }

  #named(identifier: ts.Identifier, depth: number): RequestPart | undefined {
    const binding = this.#bindings.of(identifier);
    if (!binding) return undefined;
    const [request, context] = this.#handler.parameters;
    if (binding.kind === 'parameter')
      return binding.declaration === request ? 'request' : undefined;
    if (binding.kind === 'variable') {
      const { initializer } = binding.declaration;
      return initializer && this.of(initializer, depth + 1);
    }
    if (binding.kind !== 'destructured') return undefined;
    const { element, declaration } = binding;
    const member = propertyName(element.propertyName ?? element.name);
    if (member === undefined) return undefined;
    // Only what is destructured at the first level: deeper levels are fields.
    if (element.parent.parent !== declaration) return undefined;
    if (declaration === request) return MEMBERS[member];
    if (declaration === context) return member === 'params' ? 'params' : undefined;
    const from = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    const part = from && this.of(from, depth + 1);
    if (part === 'request') return MEMBERS[member];
    return part === 'url' && member === 'searchParams' ? 'searchParams' : undefined;
  }
}
