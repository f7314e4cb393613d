import type { ts } from 'ts-morph';
import type { Gate, PaymentBlock } from '../../gate/paymentBlocks.ts';
import type { Range } from '../../routes/route.ts';
import {
  afterEmptyLine,
  beginsLine,
  endsLine,
  indentation,
  lineEnd,
  lineNumber,
  lineStart,
  nextLine,
} from '../../source/lines.ts';
import type { Style } from '../../source/style.ts';
import { comesBefore, type Spot } from './places.ts';

/** The file's existing payment settings. */
export interface SettingsReading {
  /** As code. */
  readonly payTo: string;
  readonly payToAddress: string | undefined;
  readonly server: string;
  /** Whether `server` is a function of the environment that a request has. */
  readonly atRequest: boolean;
  /** Whether `server` is a seller of our own engine. */
  readonly isEngine: boolean;
  /** The function that ties Fastify's hooks to one route, if the file has it. */
  readonly forRoute: string | undefined;
  readonly start: number;
  readonly lines: readonly string[];
  /** Range to remove when the settings move: the whole block if it contains nothing else. */
  readonly cut: Range;
  /** Line of the mark that ends their block. */
  readonly blockEnd: number;
  /** Identifies the block within the file. */
  readonly blockStart: number;
  /** Line of a foreign statement in the block. */
  readonly foreignLine: number | undefined;
}

/** A gate whose map of routes can take another key. */
export interface GateReading {
  readonly pos: number;
  readonly line: number;
  readonly indent: string;
  /** Whether it runs before the route, is below it in the same code, or is in other code. */
  readonly stands: 'before' | 'beside' | 'elsewhere';
  /** Its block, including the empty line after it. */
  readonly block: Range;
  readonly map: { readonly start: number; readonly line: number };
  readonly slot: Slot;
  readonly heads: { readonly end: number; readonly some: boolean };
}

/** Place for another key in a map, and the text to write around it. */
export interface Slot {
  readonly offset: number;
  readonly indent: string;
  readonly lead: string;
  readonly tail: string;
  /** Position of a comma that the last key lacks, unless it is directly before the new key. */
  readonly comma: number | undefined;
}

/** Reads a file's settings from the block that has them. */
export function readSettings(
  file: ts.SourceFile,
  blocks: readonly PaymentBlock[],
  { eol }: Style,
): SettingsReading | undefined {
  const block = blocks.find(({ settings }) => settings);
  if (!block?.settings) return undefined;
  const { text } = file;
  const { end, ...settings } = block.settings;
  const start = lineStart(text, settings.start);
  const only = !block.gate && block.exports.length === 0;
  return {
    ...settings,
    lines: text.slice(start, end).split(eol),
    cut: only ? wholeBlock(text, block) : { start, end: afterEmptyLine(text, nextLine(text, end)) },
    blockEnd: lineStart(text, block.range.end),
    blockStart: block.range.start,
    foreignLine: foreignLine(file, block),
  };
}

/** Returns the line of the first foreign statement between the marks. */
export function foreignLine(
  file: ts.SourceFile,
  ...blocks: readonly PaymentBlock[]
): number | undefined {
  const statement = blocks.find(({ foreign }) => foreign.length > 0)?.foreign[0];
  return statement && lineNumber(file.text, statement.getStart(file));
}

/** Reads the gate of an instance that has a map of routes. */
export function readGate(
  file: ts.SourceFile,
  blocks: readonly PaymentBlock[],
  key: string | undefined,
  spot: Spot,
  style: Style,
): GateReading | undefined {
  const block = blocks.find(({ gate }) => gate?.instance === key && !gate?.payment.attached);
  if (!block?.gate) return undefined;
  const { text } = file;
  const { statement, routes, heads } = block.gate;
  const start = statement.getStart(file);
  const map = routes.getStart(file);
  return {
    pos: statement.pos,
    line: lineNumber(text, start),
    indent: indentation(text, start),
    stands: standsAt(statement, spot),
    block: wholeBlock(text, block),
    map: { start: map, line: lineNumber(text, map) },
    slot: slotIn(file, routes, style),
    heads: {
      end: lineEnd(text, (heads.at(-1)?.statement ?? statement).end),
      some: heads.length > 0,
    },
  };
}

function standsAt(statement: Gate['statement'], spot: Spot): GateReading['stands'] {
  if (comesBefore(statement, spot)) return 'before';
  return statement.parent === spot.statement.parent ? 'beside' : 'elsewhere';
}

/** Returns a block including its last line end and the empty line after it. */
export function wholeBlock(text: string, { range }: PaymentBlock): Range {
  return { start: range.start, end: afterEmptyLine(text, nextLine(text, range.end)) };
}

/** Places another key after the last one of a map, on its own lines. */
function slotIn(file: ts.SourceFile, routes: Gate['routes'], style: Style): Slot {
  const { text } = file;
  const { eol } = style;
  const last = routes.properties.at(-1);
  if (!last) return firstSlot(text, routes, style);
  const start = last.getStart(file);
  const outer = indentation(text, start);
  const indent = beginsLine(text, start) ? outer : outer + style.indent;
  const comma = routes.properties.hasTrailingComma;
  const end = comma ? routes.properties.end : last.end;
  // A comment on the line of the last key stays with it.
  const offset = endsLine(text, end) ? lineEnd(text, end) : end;
  const lead = eol + indent;
  if (comma) return { offset, indent, lead, tail: ',', comma: undefined };
  return offset === end
    ? { offset, indent, lead: `,${lead}`, tail: '', comma: undefined }
    : { offset, indent, lead, tail: '', comma: end };
}

/** Places the first key in an empty map. */
function firstSlot(text: string, routes: Gate['routes'], style: Style): Slot {
  const closing = routes.end - 1;
  const outer = indentation(text, closing);
  const indent = outer + style.indent;
  const tail = `${style.trailingCommas ? ',' : ''}${style.eol}`;
  return beginsLine(text, closing)
    ? { offset: lineStart(text, closing), indent, lead: indent, tail, comma: undefined }
    : { offset: closing, indent, lead: style.eol + indent, tail: tail + outer, comma: undefined };
}
