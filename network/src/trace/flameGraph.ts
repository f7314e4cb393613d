import { shortId } from './contractBook.ts';
import type { InvocationTrace, TracedCall, TracedStep } from './trace.ts';

/** In pixels. */
const WIDTH = 1_200;
const ROW = 20;
const TOP = 34;
const MARGIN = 8;
/** Width of a label character. */
const CHARACTER = 6.6;
/** Narrower calls are left out, because a pixel shows nothing. */
const LEAST_WIDTH = 0.5;
/** Maximum number of rectangles. */
const MAX_CALLS = 2_000;

interface Place {
  readonly x: number;
  readonly width: number;
  readonly depth: number;
}

/**
 * Draws which calls consumed the CPU instructions of a trace. The width of a call shows its consumption, and nested calls are
 * below it. The part that a call consumed itself has nothing below it.
 * @returns an SVG; undefined if the cost of calls was not measured
 */
export function flameGraph(
  title: string,
  { steps, cpuInstructions }: Pick<InvocationTrace, 'steps' | 'cpuInstructions'>,
): string | undefined {
  const roots = callsOf(steps);
  const counted = roots.reduce((sum, call) => sum + (call.cpuInstructions ?? 0), 0);
  const all = Math.max(cpuInstructions ?? 0, counted);
  if (counted === 0 || all === 0) return undefined;
  const graph = new Graph(all);
  graph.row(`invocation, ${count(all)} CPU instructions`, 'root', all, {
    x: MARGIN,
    width: WIDTH - 2 * MARGIN,
    depth: 0,
  });
  graph.calls(roots, { x: MARGIN, width: WIDTH - 2 * MARGIN, depth: 1 });
  return graph.svg(title);
}

class Graph {
  readonly #all: number;
  readonly #parts: string[] = [];
  #depth = 0;

  constructor(all: number) {
    this.#all = all;
  }

  /** Draws calls side by side below their caller. */
  calls(calls: readonly TracedCall[], within: Place): void {
    let { x } = within;
    for (const call of calls) {
      const width = ((call.cpuInstructions ?? 0) / this.#all) * (WIDTH - 2 * MARGIN);
      if (width >= LEAST_WIDTH && this.#parts.length < MAX_CALLS) {
        const { id, name } = call.contract;
        const failed = call.outcome === 'failed' ? ' ✗' : '';
        const label = `${name ?? shortId(id)}.${call.function}${failed}`;
        const place = { x, width, depth: within.depth };
        this.row(label, `${name ?? id}`, call.cpuInstructions ?? 0, place, call.memoryBytes);
        this.calls(callsOf(call.steps), { ...place, depth: within.depth + 1 });
      }
      x += width;
    }
  }

  row(label: string, hue: string, cost: number, place: Place, memory: number | null = null): void {
    const { x, width, depth } = place;
    this.#depth = Math.max(this.#depth, depth);
    const y = TOP + depth * ROW;
    const share = ((cost / this.#all) * 100).toFixed(1);
    const bytes = memory === null ? '' : `, ${count(memory)} bytes of memory`;
    const about = `${label}: ${count(cost)} CPU instructions (${share} %)${bytes}`;
    const room = Math.floor((width - 6) / CHARACTER);
    const shown = label.length <= room ? label : room > 3 ? `${label.slice(0, room - 1)}…` : '';
    this.#parts.push(
      `<g><title>${escaped(about)}</title>` +
        `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" rx="2" fill="${colorOf(hue)}"/>` +
        (shown === ''
          ? ''
          : `<text x="${(x + 4).toFixed(1)}" y="${y + 14}">${escaped(shown)}</text>`) +
        '</g>',
    );
  }

  svg(title: string): string {
    const height = TOP + (this.#depth + 1) * ROW + MARGIN;
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}" font-family="ui-monospace, monospace" font-size="11" fill="#111">` +
      `<title>${escaped(title)}</title><rect width="${WIDTH}" height="${height}" fill="#fff"/>` +
      `<text x="${MARGIN}" y="20" font-size="13">${escaped(title)}</text>${this.#parts.join('')}</svg>\n`
    );
  }
}

function callsOf(steps: readonly TracedStep[]): TracedCall[] {
  return steps.filter((step) => step.kind === 'call');
}

/** Returns a warm color, always the same for a contract, on which dark text is readable. */
function colorOf(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return name === 'root'
    ? '#d9d9d9'
    : `hsl(${(sum * 7) % 60}, ${70 + (sum % 20)}%, ${66 + (sum % 13)}%)`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
