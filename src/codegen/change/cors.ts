import { ts } from 'ts-morph';
import type { Bindings } from '../source/bindings.ts';
import { deletion, type Edit, insertion } from '../source/edit.ts';
import { lineNumber } from '../source/lines.ts';
import type { Style } from '../source/style.ts';
import { walk } from '../source/syntax.ts';
import { bare, constantObject, importedFrom, property, staticText } from '../source/values.ts';
import { information, type Note } from './note.ts';
import { insertFirst, removeFirst } from './openApi/firstMember.ts';

/** What browsers need from CORS, and what it was given. */
interface Cors {
  readonly edits: readonly Edit[];
  readonly notes: readonly Note[];
}

/** A call that sets up CORS: `cors(options)` of Express and Hono, `app.register(cors, options)` of Fastify. */
interface CorsCall {
  readonly call: ts.CallExpression;
  readonly options: ts.Expression | undefined;
  /** The name of the option with the headers that scripts may read. */
  readonly exposed: 'exposeHeaders' | 'exposedHeaders';
  readonly allowed: 'allowHeaders' | 'allowedHeaders';
  /** The offset at which options are written if there are none, and what separates them. */
  readonly slot: { readonly offset: number; readonly lead: string };
}

/** The headers of a challenge and of a settlement, which scripts of other origins read only if CORS exposes them. */
const EXPOSED = ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE'];
/** The header of a payment, which browsers send only if a list of allowed headers has it. */
const ALLOWED = ['PAYMENT-SIGNATURE'];

/**
 * Lets browsers of other origins pay, where the file already sets up CORS.
 * @param gateOffset the offset of the payment
 */
export function corsForPayments(
  file: ts.SourceFile,
  bindings: Bindings,
  style: Style,
  gateOffset: number,
  dependencies: readonly string[] | undefined,
): Cors {
  const calls = corsCalls(file, bindings);
  if (calls.length === 0) {
    const elsewhere = dependencies?.find((name) => name === 'cors' || name === '@fastify/cors');
    return { edits: [], notes: elsewhere === undefined ? [] : [byHand('exposedHeaders')] };
  }
  const edits: Edit[] = [];
  const notes: Note[] = [];
  for (const each of calls) {
    const made = editsFor(each, bindings, style);
    if (made === undefined) notes.push(byHand(each.exposed));
    else edits.push(...made);
    const start = each.call.getStart(file);
    if (start > gateOffset && each.slot.lead === '') {
      notes.push(
        information(
          'cors',
          `Line ${lineNumber(file.text, start)} sets up CORS below this payment, so browsers cannot read what the payment answers. Move it above.`,
        ),
      );
    }
  }
  if (edits.length > 0) {
    notes.push(
      information('cors', `CORS exposes ${EXPOSED.join(' and ')}, which buyers in browsers read.`),
    );
  }
  return { edits, notes };
}

/** Removes what `corsForPayments` wrote, with the last payment of a file. */
export function corsWithoutPayments(
  file: ts.SourceFile,
  bindings: Bindings,
  style: Style,
): readonly Edit[] {
  return corsCalls(file, bindings).flatMap((each): readonly Edit[] => {
    const literal = each.options && constantObject(each.options, bindings);
    if (!literal) return [];
    const own = memberText(each, style);
    const [first, second] = literal.properties;
    if (first?.getText(file) === own) {
      const { lead, offset } = each.slot;
      const isWhole = !second && literal === each.options;
      const edit = isWhole
        ? deletion(offset, offset + lead.length + literalText(own, style).length)
        : removeFirst(literal, first);
      return edit ? [edit, ...withoutItems(literal, each.allowed, ALLOWED, style)] : [];
    }
    return [
      ...withoutItems(literal, each.exposed, EXPOSED, style),
      ...withoutItems(literal, each.allowed, ALLOWED, style),
    ];
  });
}

function byHand(option: CorsCall['exposed']): Note {
  return information(
    'cors',
    `If buyers pay in a browser from another origin, CORS has to expose two headers: ${option}: ['${EXPOSED.join("', '")}'].`,
  );
}

function corsCalls(file: ts.SourceFile, bindings: Bindings): readonly CorsCall[] {
  const found: CorsCall[] = [];
  if (!/\bcors\b/.test(file.text)) return found;
  walk(file, (node) => {
    if (!ts.isCallExpression(node)) return;
    const [first, second] = node.arguments;
    const plugin =
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === 'register' &&
      first &&
      importedFrom(first, bindings)?.module === '@fastify/cors';
    if (plugin && first) {
      const slot = { offset: first.end, lead: ', ' };
      found.push({ call: node, options: second, ...NAMES.cors, slot });
      return;
    }
    const from = importedFrom(node.expression, bindings);
    const names = from?.module === 'hono/cors' ? NAMES.hono : NAMES.cors;
    if (from?.module !== 'cors' && from?.module !== 'hono/cors') return;
    found.push({
      call: node,
      options: first,
      ...names,
      slot: { offset: node.arguments.pos, lead: '' },
    });
  });
  return found;
}

const NAMES = {
  cors: { exposed: 'exposedHeaders', allowed: 'allowedHeaders' },
  hono: { exposed: 'exposeHeaders', allowed: 'allowHeaders' },
} as const;

/** Returns nothing to do for headers that are exposed already, and `undefined` for options that this file does not show. */
function editsFor(each: CorsCall, bindings: Bindings, style: Style): readonly Edit[] | undefined {
  const { options, slot, exposed, allowed } = each;
  const own = memberText(each, style);
  if (!options) return [insertion(slot.offset, slot.lead + literalText(own, style))];
  const literal = constantObject(options, bindings);
  if (!literal || literal.properties.some(ts.isSpreadAssignment)) return undefined;
  const list = property(literal, exposed);
  const expose = list
    ? withItems(list, EXPOSED, bindings, style)
    : insertFirst(literal, own, style);
  const allow = property(literal, allowed);
  const permit = allow ? withItems(allow, ALLOWED, bindings, style) : [];
  if (!expose || !permit || (!list && expose.length === 0)) return undefined;
  return [...expose, ...permit];
}

/** Adds the texts that a list lacks; `undefined` for a list that this file does not show. */
function withItems(
  expression: ts.Expression,
  wanted: readonly string[],
  bindings: Bindings,
  style: Style,
): readonly Edit[] | undefined {
  const list = bare(expression);
  if (!ts.isArrayLiteralExpression(list)) return undefined;
  const texts = list.elements.map((item) => staticText(item, bindings)?.toLowerCase());
  if (texts.includes(undefined)) return undefined;
  const missing = wanted.filter(
    (name) => !texts.includes(name.toLowerCase()) && !texts.includes('*'),
  );
  const last = list.elements.at(-1);
  if (missing.length === 0) return [];
  const items = missing.map((name) => style.quote + name + style.quote).join(', ');
  return [last ? insertion(last.end, `, ${items}`) : insertion(list.end - 1, items)];
}

function withoutItems(
  literal: ts.ObjectLiteralExpression,
  name: string,
  names: readonly string[],
  { quote }: Style,
): readonly Edit[] {
  const value = property(literal, name);
  const list = value && bare(value);
  if (!list || !ts.isArrayLiteralExpression(list)) return [];
  const { elements } = list;
  const at = elements.length - names.length;
  const items = elements.slice(Math.max(at, 0));
  const same = names.every((each, index) => items[index]?.getText() === quote + each + quote);
  const [first] = items;
  const last = items.at(-1);
  if (at < 0 || !same || !first || !last) return [];
  return [deletion(elements[at - 1]?.end ?? first.getStart(), last.end)];
}

function memberText({ exposed }: Pick<CorsCall, 'exposed'>, { quote }: Style): string {
  return `${exposed}: [${EXPOSED.map((name) => quote + name + quote).join(', ')}]`;
}

function literalText(member: string, { spacedBraces }: Style): string {
  const pad = spacedBraces ? ' ' : '';
  return `{${pad}${member}${pad}}`;
}
