import { ts } from 'ts-morph';
import { BLOCK_BEGIN, BLOCK_END } from '../gate/markers.ts';
import type { Gate, PaymentBlock } from '../gate/paymentBlocks.ts';
import type { Registration } from '../routes/foundRoute.ts';
import { instanceKey } from '../routes/instance.ts';
import { isRefusal } from '../routes/pathPattern.ts';
import { type Refusal, refuse } from '../routes/route.ts';
import { applyEdits, type Edit, insertion } from '../source/edit.ts';
import { indentation, lineNumber, lineStart, nextLine } from '../source/lines.ts';
import { isTypeScript } from '../source/sourceFile.ts';
import { ancestor, isFunctionNode, walk } from '../source/syntax.ts';
import type { ChangeContext } from './context.ts';
import { configOf, existingSettings, joinLines, settingsWithPayTo } from './context.ts';
import { forRouteLines, gateLines, HEAD_COMMENT, headLines, isTied } from './gateLines.ts';
import { addImports, type Imported, type Needed } from './imports.ts';
import { appendEntry, appendHead } from './mapEntry.ts';
import { oldFramework } from './nextVersion.ts';
import { comesBefore, type Place, placeBefore, settingsPlace } from './placement.ts';
import { type RouteKey, routeKey } from './routeKey.ts';
import {
  adapterPackage,
  discoveryImport,
  type SettingNames,
  settingsImports,
  settingsLines,
} from './settings.ts';

/** The edits that put a payment before a route of Express or Fastify, or why they cannot. */
export function registeredChange(context: ChangeContext): readonly Edit[] | Refusal {
  const { file, route, blocks, input } = context;
  const { registered } = route;
  if (!registered) return refuse('no_route', 'This is no route that a call registers.');
  const { framework, key } = registered;
  const old = oldFramework(framework, input.versions?.[framework]);
  if (old) return old;
  if (key === undefined) {
    return refuse(
      'no_instance_name',
      'Assign the app or router that this route is registered on to a `const` first, so that its payment can be registered before it.',
    );
  }
  const place = placeBefore(file, registered.call);
  if (isRefusal(place)) return place;
  const edited = blocks.find(({ foreign }) => foreign.length > 0);
  if (isTied(registered)) return tiedGate(context, registered, place);
  const gate = blocks.find((block) => block.gate?.instance === key && !block.gate.payment.attached);
  if (gate?.gate) {
    if (comesBefore(gate.gate.statement, place)) return extendGate(context, gate.gate);
    if (edited) return editedBlock(context, edited);
    return moveGate(context, gate, gate.gate, place);
  }
  return newGate(context, registered, place);
}

/** A gate of its own in front of the route, unless that is not the place for it. */
function tiedGate(
  context: ChangeContext,
  registered: Registration,
  place: Place,
): readonly Edit[] | Refusal {
  const first = firstOfChain(registered, context);
  if (first) {
    const line = lineNumber(context.file.text, first.range.start);
    return refuse(
      'order_not_assured',
      `${first.method} ${first.path} in line ${line} belongs to the same chain of calls and could be asked for this payment. Give each route a statement of its own.`,
    );
  }
  return olderFastifyGate(context, registered) ?? newGate(context, registered, place);
}

/** A route of the same statement that is registered earlier and may answer the same requests. */
function firstOfChain({ methodCall, key }: Registration, { routes, route }: ChangeContext) {
  const statement = ancestor(methodCall, ts.isStatement);
  return routes.find(
    (other) =>
      other !== route &&
      other.registered !== undefined &&
      other.registered.key === key &&
      other.range.start < route.range.start &&
      [route.method, '*'].includes(other.method) &&
      ancestor(other.registered.methodCall, ts.isStatement) === statement,
  );
}

function editedBlock({ file }: ChangeContext, block: PaymentBlock): Refusal {
  const [statement] = block.foreign;
  const line = lineNumber(file.text, statement?.getStart(file) ?? block.range.start);
  return refuse(
    'block_edited',
    `The marked payment code holds a statement of its own (line ${line}). Move it out of the marks first.`,
  );
}

/** The gate stands before the route already: the map takes one more key. */
function extendGate(context: ChangeContext, gate: Gate): readonly Edit[] | Refusal {
  const settings = usedSettings(context);
  if (isRefusal(settings)) return settings;
  const imported = importsFor(context, [discoveryImport()], gate.statement.pos);
  const key = routeKey(context.route, context.style, context.bindings, gate.statement.pos);
  return [...imported.edits, ...entryEdits(context, gate, key, settings, imported)];
}

function entryEdits(
  context: ChangeContext,
  gate: Gate,
  key: RouteKey,
  settings: SettingNames,
  imported: Imported,
): readonly Edit[] {
  const { file, style, route } = context;
  const declare = imported.local('declareDiscoveryExtension');
  const { code } = configOf(context, settings, declare, commented(context));
  if (!key.name) return [];
  const entry = appendEntry(file, gate.routes, { name: key.name, value: code }, style);
  if (!needsHead(context, gate.statement.pos)) return entry;
  const indent = indentation(file.text, gate.statement.getStart(file));
  const lines = route.registered ? headLines(route.registered, key.path, style) : [];
  const heads = gate.heads.length > 0 ? lines : [HEAD_COMMENT, ...lines];
  return [...entry, ...appendHead(file, gate, heads, indent, style)];
}

/** The route stands above the gate: the gate moves up in front of it, with what it needs. */
function moveGate(
  context: ChangeContext,
  block: PaymentBlock,
  gate: Gate,
  place: Place,
): readonly Edit[] | Refusal {
  const { file, style, bindings } = context;
  if (gate.statement.parent !== place.statement.parent) {
    return refuse(
      'order_not_assured',
      `The payment in line ${lineNumber(file.text, gate.statement.getStart(file))} stands in another block than this route and runs after it.`,
    );
  }
  const { start, end } = wholeBlock(file.text, block);
  const map = gate.routes.getStart(file);
  if (map < start || map >= end) {
    return refuse(
      'block_edited',
      `The map of the payment below this route stands outside of the marks (line ${lineNumber(file.text, map)}). Move it between them first.`,
    );
  }
  const settings = usedSettings(context);
  if (isRefusal(settings)) return settings;
  const found = existingSettings(context.blocks);
  // Settings in a block of their own further down would be used before they exist.
  if (found && found.block !== block && found.settings.start > place.offset) {
    const top = settingsPlace(file, place);
    if (isRefusal(top) || top.offset < found.settings.start) {
      return refuse(
        'order_not_assured',
        'The payment settings of this file stand below this route. Move them above it.',
      );
    }
  }
  const imported = importsFor(context, [discoveryImport()], place.offset);
  const key = routeKey(context.route, style, bindings, place.offset);
  const inside = entryEdits(context, gate, key, settings, imported);
  const moved = applyEdits(
    file.text.slice(start, end),
    inside.map((edit) => ({ ...edit, offset: edit.offset - start })),
  );
  return [
    ...imported.edits,
    insertion(place.offset, moved),
    { offset: start, length: end - start, text: '' },
  ];
}

/** A block with its last line end and the empty line behind it. */
export function wholeBlock(text: string, { range }: PaymentBlock): { start: number; end: number } {
  const end = nextLine(text, range.end);
  const rest = text.slice(end, nextLine(text, end));
  return { start: range.start, end: /^[ \t]*\r?\n$/.test(rest) ? nextLine(text, end) : end };
}

function newGate(
  context: ChangeContext,
  registered: Registration,
  place: Place,
): readonly Edit[] | Refusal {
  const { file, style, route, bindings, blocks, terms, names } = context;
  const found = existingSettings(blocks);
  const top = settingsPlace(file, place);
  if (isRefusal(top)) return top;
  const middleware = { module: adapterPackage(route.framework), name: 'paymentMiddleware' };
  const needed = [
    ...(found ? [] : settingsImports(route.framework)),
    middleware,
    discoveryImport(),
  ];
  const imported = importsFor(context, needed, Math.min(top.offset, place.offset));
  const edits: Edit[] = [...imported.edits];
  const fastify = registered.framework === 'fastify';
  const forRoute = found?.settings.forRoute ?? (fastify ? names.fresh('forRoute') : '');
  const helper =
    fastify && found?.settings.forRoute === undefined
      ? forRouteLines(
          forRoute,
          imported.local('paymentMiddleware'),
          isTypeScript(file.fileName),
          style,
        )
      : [];
  let settings: SettingNames;
  let above: readonly string[] = [];
  if (!found) {
    const made = settingsLines(terms, imported, names, style);
    settings = made.names;
    const lines = helper.length > 0 ? [...made.lines, '', ...helper] : made.lines;
    if (top.statement === place.statement) above = [...lines, ''];
    else edits.push(blockAt(context, top, lines));
  } else {
    settings = settingsWithPayTo(context, found.settings);
    if (helper.length > 0) above = [...helper, ''];
    if (found.settings.start > top.offset) {
      const moved = moveSettings(context, found.block, top);
      if (isRefusal(moved)) return moved;
      edits.push(...moved);
    }
  }
  const key = routeKey(route, style, bindings, place.offset);
  const declare = imported.local('declareDiscoveryExtension');
  const { code } = configOf(context, settings, declare, commented(context));
  const indent = indentation(file.text, place.statement.getStart(file));
  const gate = gateLines({
    registered,
    method: route.method,
    key: key.name,
    config: code,
    path: key.path,
    middleware: imported.local('paymentMiddleware'),
    server: settings.server,
    forRoute,
    configName: () => names.numbered(configName(route.path)),
    typed: isTypeScript(file.fileName),
    style,
    indent,
  });
  const heads = needsHead(context, place.statement.pos)
    ? [HEAD_COMMENT, ...headLines(registered, key.path, style)]
    : [];
  // Where the gate charges for every method, HEAD has to be answered before it.
  const lines = route.method === '*' ? [...heads, ...gate] : [...gate, ...heads];
  edits.push(blockAt(context, place, [...above, ...lines]));
  return edits;
}

/** `itemsIdTerms` for `/items/:id`. */
function configName(path: string): string {
  const words = path.match(/[A-Za-z][A-Za-z0-9]*/g) ?? [];
  const [first = '', ...rest] = words.slice(0, 4).map((word) => word.toLowerCase());
  const joined = first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return joined === '' ? 'routeTerms' : `${joined.slice(0, 32)}Terms`;
}

/** Settings that stand below where they are needed move there, in a block of their own. */
function moveSettings(
  context: ChangeContext,
  block: PaymentBlock,
  top: Place,
): readonly Edit[] | Refusal {
  const { file, style } = context;
  if (block.foreign.length > 0) return editedBlock(context, block);
  const { settings } = block;
  if (!settings) return [];
  const { text } = file;
  const start = lineStart(text, settings.start);
  const lines = text.slice(start, settings.end);
  const only = !block.gate && block.exports.length === 0;
  const end = nextLine(text, settings.end);
  const emptyLine = /^[ \t]*\r?\n$/.test(text.slice(end, nextLine(text, end)));
  const cut = only
    ? wholeBlock(text, block)
    : { start, end: emptyLine ? nextLine(text, end) : end };
  return [
    blockAt(context, top, lines.split(style.eol)),
    { offset: cut.start, length: cut.end - cut.start, text: '' },
  ];
}

/** A marked block in front of a statement, with an empty line behind it. */
function blockAt({ file, style }: ChangeContext, place: Place, lines: readonly string[]): Edit {
  const indent = indentation(file.text, place.statement.getStart(file));
  const block = [`// ${BLOCK_BEGIN}`, ...lines, `// ${BLOCK_END}`];
  return insertion(place.offset, joinLines(block, indent, style) + style.eol + style.eol);
}

function importsFor(context: ChangeContext, needed: readonly Needed[], before: number): Imported {
  return addImports(context.file, needed, context.style, context.names, before);
}

function usedSettings(context: ChangeContext): SettingNames | Refusal {
  const found = existingSettings(context.blocks);
  return found
    ? settingsWithPayTo(context, found.settings)
    : refuse(
        'block_edited',
        'The payment settings of this file were changed beyond recognition. Restore or remove them.',
      );
}

/** Frameworks answer HEAD with the handler of GET, unless something else answers before. */
function needsHead(context: ChangeContext, before: number): boolean {
  const { route, file } = context;
  const { registered } = route;
  if (!registered || (route.method !== 'GET' && route.method !== '*')) return false;
  let answered = false;
  walk(file, (node) => {
    if (answered || node.pos >= before) return;
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { name, expression } = node.expression;
    const [path] = node.arguments;
    answered =
      name.text === 'head' &&
      instanceKey(expression, context.bindings) === registered.key &&
      path?.getText(file) === registered.pathExpression?.getText(file);
  });
  return !answered;
}

/** The node whose comment describes the route. */
function commented({ file, route }: ChangeContext): ts.Node | undefined {
  const call = route.registered?.call;
  const statement = call && ancestor(call, ts.isStatement);
  const own =
    statement && statement.getStart(file) === call?.getStart(file) ? statement : undefined;
  if (own) return own;
  const handler = route.handlerNode;
  return handler && ts.isFunctionDeclaration(handler) ? handler : undefined;
}

/**
 * Older versions of this command put one gate on a whole Fastify instance. It would charge for its
 * routes beside the gate of this one.
 */
function olderFastifyGate(
  { file, blocks }: ChangeContext,
  { framework, call: own }: Registration,
): Refusal | undefined {
  if (framework !== 'fastify') return undefined;
  for (const { gate } of blocks) {
    if (!gate || gate.payment.attached) continue;
    const scope = ancestor(gate.statement, isFunctionNode);
    if (scope && !(own.pos >= scope.pos && own.end <= scope.end)) continue;
    return refuse(
      'order_not_assured',
      `Line ${lineNumber(file.text, gate.statement.getStart(file))} has a payment for a whole Fastify instance, from an earlier version. Remove it with \`svc-x402 remove\` and add its routes again.`,
    );
  }
  return undefined;
}
