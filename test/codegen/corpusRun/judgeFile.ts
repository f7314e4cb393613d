import {
  addPayment,
  applyEdits,
  findRoutes,
  type Refusal,
  type Route,
  removePayment,
  type SourceText,
  type WritingFacts,
} from '../../../src/codegen/index.ts';
import { parseSource, syntaxErrors } from '../../../src/codegen/source/sourceFile.ts';

/** What became of one route. */
export interface JudgedRoute {
  readonly route: Route;
  readonly line: number;
  /** Whether a payment was put before it at all. */
  readonly tried: boolean;
  /** `undefined` when it was sold. */
  readonly refusal: Refusal | undefined;
  readonly parsed: boolean;
  /** The file is byte for byte what it was once the payment is removed. */
  readonly removed: boolean;
}

/** What became of the routes of a file. */
export interface JudgedFile {
  /** Absolute. */
  readonly path: string;
  readonly source: SourceText;
  readonly routes: readonly JudgedRoute[];
  /** With a payment before each route that can have one; `undefined` where none can. */
  readonly allSold: string | undefined;
}

/** How many payments are put into one text: each is found and written in the text before. */
const MAX_TOGETHER = 25;

const TERMS = {
  price: '0.01',
  payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
  facilitatorUrl: 'http://127.0.0.1:4021',
} as const;

const untried = { tried: false, parsed: false, removed: false } as const;

/**
 * Puts a payment before each route of a file by itself, takes it away, and then puts all in.
 * @param most how many routes of a file are tried
 */
export function judgeFile(
  path: string,
  source: SourceText,
  facts: WritingFacts,
  most: number,
): JudgedFile {
  const sell = (text: string, offset: number) =>
    addPayment({ ...source, text, offset, ...TERMS, ...facts });
  const { text } = source;
  const routes = findRoutes(source).filter(({ gated }) => gated === undefined);
  const judged = routes.map((route, index): JudgedRoute => {
    const line = text.slice(0, route.range.start).split('\n').length;
    if (index >= most) return { ...untried, route, line, refusal: route.refusal };
    const result = sell(text, route.range.start);
    if (!result.ok) {
      const { refusal } = result;
      return { ...untried, route, line, tried: true, refusal };
    }
    const changed = applyEdits(text, result.edits);
    const parsed = syntaxErrors(parseSource(source.path, changed)).length === 0;
    const removed = withoutPayment(source, changed) === text;
    return { route, line, tried: true, refusal: undefined, parsed, removed };
  });
  return { path, source, routes: judged, allSold: most === 0 ? undefined : sellAll(source, sell) };
}

function withoutPayment(source: SourceText, text: string): string | undefined {
  const paid = findRoutes({ ...source, text }).find(({ gated }) => gated === 'marker');
  if (!paid) return undefined;
  const result = removePayment({ ...source, text, offset: paid.range.start });
  return result.ok ? applyEdits(text, result.edits) : undefined;
}

function sellAll(
  source: SourceText,
  sell: (text: string, offset: number) => ReturnType<typeof addPayment>,
): string | undefined {
  let text = source.text;
  const tried = new Set<string>();
  while (tried.size < MAX_TOGETHER) {
    const next = findRoutes({ ...source, text }).find(
      (route) => route.gated === undefined && route.refusal === undefined && !tried.has(key(route)),
    );
    if (!next) break;
    const result = sell(text, next.range.start);
    tried.add(key(next));
    if (result.ok) text = applyEdits(text, result.edits);
  }
  return text === source.text ? undefined : text;
}

/** Routes of a file may have the same name: each is tried once. */
function key({ method, path }: Route): string {
  return `${method} ${path}`;
}
