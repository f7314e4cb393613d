import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { Readings } from '../source/readings.ts';
import { ancestor, isFunctionNode, isMethodCall, type MethodCall, walk } from '../source/syntax.ts';
import { bare, importedFrom, isPlainName } from '../source/values.ts';
import { packageRole } from './frameworks.ts';
import type { Registering } from './pathPattern.ts';

/** The receiver of a call such as `app.get(…)`. */
export interface Instance {
  /** `other` is a server without a payment adapter; `client` calls servers or mocks one. */
  readonly framework: Registering | 'other' | 'client';
  /** The name of a receiver whose routes cannot have payments, or that has none, such as Koa or axios. */
  readonly name?: string;
  /** Whether it was created here or passed in (a plugin's argument, an import). */
  readonly origin: 'made' | 'given';
  readonly confidence: 'certain' | 'likely';
}

/** Types by their usual names, for files that do not contain the import. */
const TYPE_NAMES: Readonly<Record<string, Registering>> = {
  Express: 'express',
  Application: 'express',
  Router: 'express',
  IRouter: 'express',
  IApplication: 'express',
  FastifyInstance: 'fastify',
  Hono: 'hono',
  OpenAPIHono: 'hono',
};
const PLUGIN_TYPES =
  /^Fastify(Plugin|PluginAsync|PluginCallback|PluginAsyncTypebox|PluginCallbackTypebox|PluginAsyncJsonSchemaToTs|PluginAsyncZod|PluginCallbackZod)$/;

/** The receiver of `.get(…)`, determined by its origin; `undefined` if the code does not show it. */
export function instanceOf(
  receiver: ts.Expression,
  bindings: Bindings,
  depth = 0,
): Instance | undefined {
  const at = bare(receiver);
  if (depth > 5) return undefined;
  if (ts.isCallExpression(at) || ts.isNewExpression(at)) return madeBy(at, bindings, depth);
  if (ts.isPropertyAccessExpression(at)) return memberInstance(at, bindings, depth);
  if (!ts.isIdentifier(at)) return undefined;
  const binding = bindings.of(at);
  // Where a file does not say it at the declaration, all of it is searched, which is done once for each name.
  if (binding?.kind === 'variable' || binding?.kind === 'parameter') {
    return named.of(binding.declaration, () => declaredInstance(at, binding, bindings, depth));
  }
  return declaredInstance(at, binding, bindings, depth);
}

const named = new Readings<Instance>();

function declaredInstance(
  at: ts.Identifier,
  binding: ReturnType<Bindings['of']>,
  bindings: Bindings,
  depth: number,
): Instance | undefined {
  if (binding?.kind === 'import') return ofModule(binding.module, 'certain', false);
  if (binding?.kind === 'variable') {
    const { type, initializer } = binding.declaration;
    return (
      (initializer && instanceOf(initializer, bindings, depth + 1)) ??
      typedInstance(type, bindings) ??
      assignedInstance(at, binding.declaration, bindings, depth)
    );
  }
  if (binding?.kind === 'parameter') {
    return (
      typedInstance(binding.declaration.type, bindings) ??
      givenInstance(binding.declaration, bindings, depth)
    );
  }
  if (binding?.kind === 'destructured') {
    const name = at.text.toLowerCase();
    return name === 'fastify'
      ? { framework: 'fastify', origin: 'given', confidence: 'likely' }
      : undefined;
  }
  return undefined;
}

function madeBy(
  call: ts.CallExpression | ts.NewExpression,
  bindings: Bindings,
  depth: number,
): Instance | undefined {
  const from = importedFrom(call.expression, bindings);
  const made = (framework: Registering): Instance => ({
    framework,
    origin: 'made',
    confidence: 'certain',
  });
  if (from?.module === 'express' && ['*', 'default', 'express', 'Router'].includes(from.name)) {
    return made('express');
  }
  if (from?.module === 'express-promise-router') return made('express');
  if (from?.module === 'fastify' && ['*', 'default', 'fastify', 'Fastify'].includes(from.name)) {
    return made('fastify');
  }
  if (from && packageRole(from.module)?.kind === 'sold' && /^(OpenAPI)?Hono$/.test(from.name)) {
    return made('hono');
  }
  // Calls on what it creates look like Hono's but take classes.
  if (from?.module === 'chanfana' && /^from(Hono|IttyRouter)$/.test(from.name)) {
    return { framework: 'other', name: 'chanfana', origin: 'made', confidence: 'certain' };
  }
  const foreign = from && ofModule(from.module, 'certain', false);
  if (foreign) return foreign;
  // Fastify().withTypeProvider<…>(), Router().use(…), app.route('/x')
  if (ts.isCallExpression(call) && ts.isPropertyAccessExpression(call.expression)) {
    return instanceOf(call.expression.expression, bindings, depth + 1);
  }
  return undefined;
}

/** A server without an adapter, or a client, by its package. */
function ofModule(
  module: string,
  confidence: Instance['confidence'],
  typed: boolean,
): Instance | undefined {
  const role = packageRole(module);
  if (!role) return undefined;
  if (role.kind !== 'sold') {
    return { framework: role.kind, name: role.name, origin: 'given', confidence };
  }
  return typed ? { framework: role.framework, origin: 'given', confidence } : undefined;
}

function typedInstance(type: ts.TypeNode | undefined, bindings: Bindings): Instance | undefined {
  if (!type || !ts.isTypeReferenceNode(type)) return undefined;
  const { typeName } = type;
  const root = ts.isIdentifier(typeName) ? typeName : typeName.left;
  const name = ts.isIdentifier(typeName) ? typeName.text : typeName.right.text;
  const binding = ts.isIdentifier(root) ? bindings.of(root) : undefined;
  const framework = /^FastifyTypebox$|^Fastify.*Instance$/.test(name)
    ? 'fastify'
    : TYPE_NAMES[name];
  if (binding?.kind === 'import') {
    const known = ofModule(binding.module, 'certain', framework !== undefined);
    if (known) return known;
  }
  return framework && { framework, origin: 'given', confidence: 'certain' };
}

/** `let app; … app = express();` */
function assignedInstance(
  identifier: ts.Identifier,
  declaration: ts.VariableDeclaration,
  bindings: Bindings,
  depth: number,
): Instance | undefined {
  if (declaration.initializer) return undefined;
  let found: Instance | undefined;
  walk(identifier.getSourceFile(), (node) => {
    if (
      !found &&
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isIdentifier(node.left) &&
      node.left.text === identifier.text
    ) {
      found = instanceOf(node.right, bindings, depth + 1);
    }
  });
  return found;
}

/** The argument of a plugin, identified by the plugin's type or by the call that it is passed to. */
function givenInstance(
  parameter: ts.ParameterDeclaration,
  bindings: Bindings,
  depth: number,
): Instance | undefined {
  const plugin = parameter.parent;
  if (!isFunctionNode(plugin) || plugin.parameters[0] !== parameter) return undefined;
  const given = (confidence: Instance['confidence']): Instance => ({
    framework: 'fastify',
    origin: 'given',
    confidence,
  });
  if (isTypedAsPlugin(plugin)) return given('certain');
  const holder = plugin.parent;
  if (ts.isCallExpression(holder)) {
    const callee = importedFrom(holder.expression, bindings);
    if (callee?.module === 'fastify-plugin') return given('certain');
    if (ts.isPropertyAccessExpression(holder.expression)) {
      const { name, expression } = holder.expression;
      if (name.text === 'register')
        return instanceOf(expression, bindings, depth + 1) && given('certain');
    }
  }
  // Named in `register(plugin)` or `fp(plugin)` of the same file.
  const name = functionName(plugin);
  if (name === undefined) return undefined;
  let found: Instance | undefined;
  walk(plugin.getSourceFile(), (node) => {
    if (found || !ts.isCallExpression(node)) return;
    const [first] = node.arguments;
    if (!first || !ts.isIdentifier(first) || first.text !== name) return;
    if (importedFrom(node.expression, bindings)?.module === 'fastify-plugin')
      found = given('certain');
    if (
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === 'register'
    ) {
      found = given('certain');
    }
  });
  return found ?? calledWith(name, plugin, bindings, depth);
}

/** `const plugin: FastifyPluginAsync = …`, or `(…) as FastifyPluginAsync` around the function. */
function isTypedAsPlugin(plugin: ts.Node): boolean {
  let at = plugin.parent;
  while (ts.isExpression(at) && bare(at) === plugin) {
    if (
      (ts.isAsExpression(at) || ts.isSatisfiesExpression(at) || ts.isTypeAssertionExpression(at)) &&
      namesPlugin(at.type)
    ) {
      return true;
    }
    at = at.parent;
  }
  return ts.isVariableDeclaration(at) && at.type !== undefined && namesPlugin(at.type);
}

function namesPlugin(type: ts.TypeNode): boolean {
  if (!ts.isTypeReferenceNode(type)) return false;
  const { typeName } = type;
  return PLUGIN_TYPES.test(ts.isIdentifier(typeName) ? typeName.text : typeName.right.text);
}

/** A call `setUp(app)` shows the parameter of `setUp`. */
function calledWith(
  name: string,
  called: ts.Node,
  bindings: Bindings,
  depth: number,
): Instance | undefined {
  let found: Instance | undefined;
  walk(called.getSourceFile(), (node) => {
    if (found || !ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return;
    const [first] = node.arguments;
    if (node.expression.text !== name || !first) return;
    const instance = instanceOf(first, bindings, depth + 1);
    if (instance) found = { ...instance, origin: 'given' };
  });
  return found;
}

function functionName(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node)) return node.name?.text;
  return ts.isVariableDeclaration(node.parent) && ts.isIdentifier(node.parent.name)
    ? node.parent.name.text
    : undefined;
}

/** `this.app`, `deps.app`: from the property of the class, or from what is assigned to it. */
function memberInstance(
  access: ts.PropertyAccessExpression,
  bindings: Bindings,
  depth: number,
): Instance | undefined {
  if (access.expression.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
  const owner = ancestor(access, ts.isClassLike);
  if (!owner) return undefined;
  for (const member of owner.members) {
    if (ts.isPropertyDeclaration(member) && member.name.getText() === access.name.text) {
      const found =
        typedInstance(member.type, bindings) ??
        (member.initializer && instanceOf(member.initializer, bindings, depth + 1));
      if (found) return found;
    }
    if (ts.isConstructorDeclaration(member)) {
      const parameter = member.parameters.find(({ name }) => name.getText() === access.name.text);
      const found = typedInstance(parameter?.type, bindings);
      if (found) return found;
    }
  }
  let found: Instance | undefined;
  walk(owner, (node) => {
    if (
      !found &&
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      node.left.getText() === access.getText()
    ) {
      found = instanceOf(node.right, bindings, depth + 1);
    }
  });
  return found;
}

/**
 * Distinguishes the instances of one file: the same text means the same instance only in its own scope. Each call of a chain on
 * an app of Hono returns that app.
 */
export function instanceKey(receiver: ts.Expression, bindings: Bindings): string | undefined {
  const at = chainStart(receiver);
  if (!isPlainName(at)) return chainKey(at);
  const text = at.getText();
  let root: ts.Node = at;
  while (ts.isPropertyAccessExpression(root)) root = root.expression;
  if (ts.isIdentifier(root)) {
    const binding = bindings.of(root);
    const declaration =
      binding === undefined || binding.kind === 'import'
        ? undefined
        : binding.kind === 'destructured'
          ? binding.element
          : binding.declaration;
    return `${text}@${declaration?.pos ?? 'file'}`;
  }
  return `${text}@${ancestor(at, ts.isClassLike)?.pos ?? 'file'}`;
}

/** Methods of an app of Hono that return the app, and not what they are given. */
const RETURN_APP = new Set([
  ...['get', 'post', 'put', 'patch', 'delete', 'options', 'all'],
  ...['use', 'on', 'route', 'mount', 'onError', 'notFound'],
]);

/** Whether a call on an app of Hono returns the app: `app.get('/x', handler)`, but not `router.route('/x')` of Express. */
function returnsApp(node: ts.Node): node is MethodCall {
  return (
    isMethodCall(node) &&
    RETURN_APP.has(node.expression.name.text) &&
    (node.expression.name.text !== 'route' || node.arguments.length === 2)
  );
}

/** The start of a chain of calls: `new Hono()` of `new Hono().use(…).get(…)`. */
function chainStart(receiver: ts.Expression): ts.Expression {
  let at = bare(receiver);
  while (returnsApp(at)) at = bare(at.expression.expression);
  return at;
}

/** The key of an app that a chain creates: that of the variable which holds the chain, or else of the chain itself. */
function chainKey(start: ts.Expression): string | undefined {
  const isBasePath = isMethodCall(start) && start.expression.name.text === 'basePath';
  if (!ts.isNewExpression(start) && !isBasePath) return undefined;
  let top: ts.Node = start;
  while (isWithinChain(top, top.parent)) top = top.parent;
  const holder = top.parent;
  return ts.isVariableDeclaration(holder) && ts.isIdentifier(holder.name)
    ? `${holder.name.text}@${holder.pos}`
    : `chain@${start.pos}`;
}

/** Whether a parent of a part of a chain belongs to the chain, too. */
function isWithinChain(at: ts.Node, parent: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(parent)) return returnsApp(parent.parent);
  if (ts.isCallExpression(parent)) return parent.expression === at;
  return ts.isExpression(parent) && ts.isExpression(at) && bare(parent) === bare(at);
}
