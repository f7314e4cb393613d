import { ts } from 'ts-morph';
import { readRoutes, type SourceText } from '../findRoutes.ts';
import { type PaymentBlock, paymentBlocks } from '../gate/paymentBlocks.ts';
import { type FoundRoute, publicRoute } from '../routes/foundRoute.ts';
import { isRefusal } from '../routes/pathPattern.ts';
import { refuse } from '../routes/route.ts';
import type { Bindings } from '../source/bindings.ts';
import { inOrder } from '../source/edit.ts';
import { readStyle } from '../source/style.ts';
import { walk } from '../source/syntax.ts';
import { bare, property } from '../source/values.ts';
import { type ChangeResult, changing, refused } from './change.ts';
import { enginePrice } from './engine/engineTerms.ts';
import { redescribePrice } from './openApi/describePrice.ts';
import { parsePrice } from './paymentTerms.ts';
import { gatedAt, gateOf } from './removePayment.ts';
import { priceCode } from './writing/routeConfig.ts';
import { writeCode } from './writing/writeCode.ts';

/** A text, a position in a route with a payment that was added here, and the new price. */
export interface SetPriceInput extends SourceText {
  readonly offset: number;
  /** USDC as decimal text. */
  readonly price: string;
}

/**
 * Changes the price of a payment that was added here, and nothing else: descriptions, schemas and examples written by somebody
 * do not change.
 */
export function setPrice(input: SetPriceInput): ChangeResult {
  return changing(() => change(input));
}

function change(input: SetPriceInput): ChangeResult {
  const price = parsePrice(input.price);
  if (isRefusal(price)) return refused(price);
  const { file, bindings, routes } = readRoutes(input);
  const blocks = paymentBlocks(file, bindings);
  const route = gatedAt(routes, input.offset, blocks, bindings);
  if (!route) {
    return refused(refuse('not_gated', 'This endpoint has no payment that was added here.'));
  }
  const prices = partsOf(blocks, route, bindings).flatMap(pricesIn);
  const [only] = prices;
  if (!only || prices.length > 1) {
    return refused(
      refuse(
        'block_edited',
        `The payment of ${route.method} ${route.path} has ${prices.length === 0 ? 'no price' : 'several prices'}. Change it by hand.`,
      ),
    );
  }
  const style = readStyle(file, undefined);
  const code = isOfEngine(only.parent.parent) ? enginePrice(price) : priceCode(price);
  const text = writeCode(code, style, '', 0);
  const offset = only.getStart(file);
  const described = redescribePrice(route, price, style, bindings);
  return {
    ok: true,
    edits: inOrder([{ offset, length: only.end - offset, text }, ...described.edits]),
    cursor: offset,
    route: publicRoute(route),
    isEngine: false,
    notes: described.notes,
  };
}

/** The code that belongs to the payment of one route. */
function partsOf(
  blocks: readonly PaymentBlock[],
  route: FoundRoute,
  bindings: Bindings,
): readonly ts.Node[] {
  if (!route.registered) {
    return blocks
      .flatMap(({ exports }) => exports)
      .filter(({ method }) => method === route.method)
      .map(({ statement }) => statement);
  }
  const found = gateOf(blocks, route, bindings);
  if (!found) return [];
  return found.entry ? [found.entry.property] : [...found.block.terms, found.gate.statement];
}

/** The terms of our own engine have no recipient: the seller has it. */
function isOfEngine(terms: ts.Node): boolean {
  const { parent } = terms;
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    /^(?:node|hono)$/.test(parent.expression.name.text)
  );
}

function pricesIn(node: ts.Node): readonly ts.Expression[] {
  const found: ts.Expression[] = [];
  const look = (at: ts.Node): void => {
    if (!ts.isObjectLiteralExpression(at)) return;
    const price = property(at, 'price');
    if (price && (property(at, 'payTo') || isOfEngine(at))) found.push(bare(price));
  };
  look(node);
  walk(node, look);
  return found;
}
