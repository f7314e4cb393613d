import type { ts } from 'ts-morph';
import { readRoutes, type SourceText } from '../findRoutes.ts';
import { type DeadPayment, deadIn } from '../gate/deadPayments.ts';
import { covers } from '../gate/markGated.ts';
import { type HeadRoute, type PaymentBlock, paymentBlocks } from '../gate/paymentBlocks.ts';
import { routeKeys } from '../gate/paymentCalls.ts';
import { type FoundRoute, publicRoute } from '../routes/foundRoute.ts';
import { keyCovers } from '../routes/pathPattern.ts';
import { refuse } from '../routes/route.ts';
import { routeAt } from '../routes/selectRoute.ts';
import type { Bindings } from '../source/bindings.ts';
import { deletion, type Edit, inOrder } from '../source/edit.ts';
import { lineNumber, lineStart, nextLine, withEmptyLineAbove } from '../source/lines.ts';
import { readStyle } from '../source/style.ts';
import { staticText } from '../source/values.ts';
import { type ChangeResult, changing, refused } from './change.ts';
import { corsWithoutPayments } from './cors.ts';
import { restoreExport } from './nextRestore.ts';
import { undescribePrice } from './openApi/describePrice.ts';
import { attachedStart } from './reading/firstLine.ts';
import { wholeBlock } from './reading/paidBlocks.ts';
import { removeEntry } from './removeEntry.ts';
import { unusedImports } from './unusedImports.ts';

/** A text, and a position in the route whose payment to remove. */
export interface RemovePaymentInput extends SourceText {
  readonly offset: number;
}

/**
 * Removes the payment from a route: only its key while other routes are paid, or the block and its imports with the last one.
 * If nobody edited any of it, the original text is restored.
 */
export function removePayment(input: RemovePaymentInput): ChangeResult {
  return changing(() => change(input));
}

const NOT_FOUND = refused(
  refuse('not_gated', 'No payment that was added here was found in this file.'),
);

function change(input: RemovePaymentInput): ChangeResult {
  const { file, bindings, routes } = readRoutes(input);
  const blocks = paymentBlocks(file, bindings);
  const dead = deadAt(deadIn(file, routes, blocks, bindings), routes, input.offset);
  const route = dead ? undefined : gatedAt(routes, input.offset, blocks, bindings);
  if (!route && !dead) return NOT_FOUND;
  const foreign = blocks.flatMap((block) => block.foreign)[0];
  if (foreign) {
    const line = lineNumber(input.text, foreign.getStart(file));
    return refused(
      refuse(
        'block_edited',
        `Line ${line} between the marks was not written here. Move it out of them first.`,
      ),
    );
  }
  if (!route) return dead ? removeDead(file, blocks, dead, bindings) : NOT_FOUND;
  const removal = route.registered
    ? removeGate(file, blocks, route, bindings)
    : removeExport(file, blocks, route);
  if (!removal) {
    return refused(
      refuse('not_gated', `The payment of ${route.method} ${route.path} was not added here.`),
    );
  }
  const edits = inOrder([
    ...removal,
    ...unusedImports(file, removal),
    ...undescribePrice(route, bindings),
    ...(routes.filter(({ gated }) => gated === 'marker').length === 1
      ? corsWithoutPayments(file, bindings, readStyle(file))
      : []),
  ]);
  return {
    ok: true,
    edits,
    cursor: edits[0]?.offset ?? 0,
    route: publicRoute(route),
    isEngine: false,
    notes: [],
  };
}

/** The gated route at a position; inside a block, the route of the key there, or the one that the block charges for. */
export function gatedAt(
  routes: readonly FoundRoute[],
  offset: number,
  blocks: readonly PaymentBlock[],
  bindings: Bindings,
): FoundRoute | undefined {
  const gated = routes.filter((route) => route.gated === 'marker');
  const at = routeAt(routes, offset);
  const block = blocks.find(({ range }) => range.start <= offset && offset <= range.end);
  if (!block?.gate) {
    if (at?.gated === 'marker') return at;
    return block || gated.length === 1 ? routeAt(gated, offset) : undefined;
  }
  const { gate } = block;
  const own = gated.filter(
    (route) => route.registered?.key === gate.instance && covers(gate.payment, route, bindings),
  );
  const entry = gate.payment.attached
    ? undefined
    : routeKeys(gate.routes, bindings).find(
        ({ property }) => property.pos <= offset && offset <= property.end,
      );
  return entry ? own.find((route) => holds(entry, route)) : own[0];
}

function holds({ key }: { readonly key: string | undefined }, route: FoundRoute): boolean {
  return key !== undefined && keyCovers(key, route.method, route.path);
}

/** The gate that charges for a route, and the key of its map if the gate has several. */
export function gateOf(
  blocks: readonly PaymentBlock[],
  route: FoundRoute,
  bindings: Bindings,
): GateOfRoute | undefined {
  for (const block of blocks) {
    const { gate } = block;
    if (!gate || gate.instance !== route.registered?.key) continue;
    if (!covers(gate.payment, route, bindings)) continue;
    if (gate.payment.attached) return { block, gate, entry: undefined };
    const entry = routeKeys(gate.routes, bindings).find((each) => holds(each, route));
    if (entry) return { block, gate, entry };
  }
  return undefined;
}

interface GateOfRoute {
  readonly block: PaymentBlock;
  readonly gate: NonNullable<PaymentBlock['gate']>;
  readonly entry: ReturnType<typeof routeKeys>[number] | undefined;
}

function removeGate(
  file: ts.SourceFile,
  blocks: readonly PaymentBlock[],
  route: FoundRoute,
  bindings: Bindings,
): readonly Edit[] | undefined {
  const found = gateOf(blocks, route, bindings);
  if (!found) return undefined;
  const head = found.gate.heads.find(({ path }) => isPathOf(path, route, bindings));
  return removeFound(file, blocks, found, head);
}

/** A payment whose route is gone, at a position or, if the file has nothing else, anywhere. */
function deadAt(
  dead: readonly DeadPayment[],
  routes: readonly FoundRoute[],
  offset: number,
): DeadPayment | undefined {
  const at = dead.find(({ route: { range } }) => range.start <= offset && offset <= range.end);
  const [only, second] = dead;
  const isAlone = !second && !routes.some(({ gated }) => gated === 'marker');
  return at ?? (isAlone ? only : undefined);
}

function removeDead(
  file: ts.SourceFile,
  blocks: readonly PaymentBlock[],
  { route, block, entry }: DeadPayment,
  bindings: Bindings,
): ChangeResult {
  const { gate } = block;
  if (!gate) return NOT_FOUND;
  const head = gate.heads.find(
    ({ path }) => path !== undefined && staticText(path, bindings) === route.path,
  );
  const removal = removeFound(file, blocks, { block, gate, entry }, head);
  const edits = inOrder([...removal, ...unusedImports(file, removal)]);
  return { ok: true, edits, cursor: edits[0]?.offset ?? 0, route, isEngine: false, notes: [] };
}

function removeFound(
  file: ts.SourceFile,
  blocks: readonly PaymentBlock[],
  { block, gate, entry }: GateOfRoute,
  head: HeadRoute | undefined,
): readonly Edit[] {
  if (entry && gate.routes.properties.length > 1) {
    return [
      ...removeEntry(file, gate.routes, entry.property),
      ...(head ? [removeHead(file, head.statement, gate.heads.length === 1)] : []),
    ];
  }
  const others = blocks.some((other) => other !== block && other.gate);
  // Settings stay as long as another gate needs them.
  if (others && block.settings) {
    const start = nextLine(file.text, block.settings.end);
    return [deletion(start, lineStart(file.text, block.range.end))];
  }
  const settings = others ? undefined : blocks.find((other) => other.settings && other !== block);
  return [block, ...(settings ? [settings] : [])].map((each) => {
    if (each.gate?.link) return chainCut(file.text, each);
    // Includes the following empty line, which was inserted with it.
    const { start, end } = wholeBlock(file.text, each);
    return deletion(start, end);
  });
}

/** A block of a chain. Where its first mark continues a line, the next call continues that line again. */
function chainCut(text: string, { range: { start, end } }: PaymentBlock): Edit {
  if (lineStart(text, start) === start) return deletion(start, nextLine(text, end));
  return deletion(start, end + text.slice(end).search(/\S|$/));
}

function isPathOf(
  path: ts.Expression | undefined,
  { registered }: FoundRoute,
  bindings: Bindings,
): boolean {
  const own = registered?.pathExpression;
  return path && own ? staticText(path, bindings) === staticText(own, bindings) : false;
}

function removeHead(file: ts.SourceFile, head: ts.Statement, last: boolean): Edit {
  const start = last ? attachedStart(file, head) : lineStart(file.text, head.getStart(file));
  return deletion(start, nextLine(file.text, head.end));
}

function removeExport(
  file: ts.SourceFile,
  blocks: readonly PaymentBlock[],
  route: FoundRoute,
): readonly Edit[] | undefined {
  const block = blocks.find(({ exports }) => exports.some(({ method }) => method === route.method));
  const restored = restoreExport(file, route.method);
  if (!block || !restored) return undefined;
  const methods = new Set(
    block.exports.map(({ method }) => method).filter((method) => method !== 'HEAD'),
  );
  if (methods.size === 1) {
    const { text } = file;
    // The block was inserted with an empty line before it.
    const before = /\r?\n\r?\n$/.exec(text.slice(0, block.range.start))?.[0].length ?? 0;
    return [...restored, deletion(block.range.start - before, block.range.end)];
  }
  const gone = block.exports.filter(
    ({ method }) => method === route.method || (method === 'HEAD' && route.method === 'GET'),
  );
  return [...restored, ...gone.map(({ statement }) => withGap(file, statement))];
}

/** A statement with the comment and the empty line above it. */
function withGap(file: ts.SourceFile, statement: ts.Statement): Edit {
  const { text } = file;
  const start = attachedStart(file, statement);
  return deletion(withEmptyLineAbove(text, start), nextLine(text, statement.end));
}
