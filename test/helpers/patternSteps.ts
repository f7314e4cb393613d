/** Counts the steps of a pattern's search, as a backtracking matcher takes them: the same on every machine, unlike time. */

type Node =
  | { readonly kind: 'character'; readonly matches: (character: string) => boolean }
  | { readonly kind: 'place'; readonly holds: (text: string, at: number) => boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'group'; readonly index: number | undefined; readonly inner: Node }
  | { readonly kind: 'same'; readonly index: number }
  | {
      readonly kind: 'look';
      readonly behind: boolean;
      readonly negative: boolean;
      readonly inner: Node;
    }
  | {
      readonly kind: 'repeat';
      readonly inner: Node;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    };

/** A pattern that can be searched with its steps counted. */
export interface CountedPattern {
  readonly tree: Node;
  readonly flags: string;
}

/** Steps after which a search counts as endless. */
const MOST_STEPS = 3_000_000;

/** Characters that stand for all others: each class of a pattern has one of them, or is the class of all others. */
const CHARACTERS = [
  ...' \n\r\taAbBgGzZ059_-./\'"`<>()[]{}:;,=?*+\\@#$%&|!~^é',
  '\0',
  '\u001b',
  '\u2028',
  '\uac00',
];

/**
 * Reads a pattern of JavaScript.
 * @throws Error if it uses a form that is not counted
 */
export function countedPattern(source: string, flags: string): CountedPattern {
  let at = 0;
  let groups = 0;
  const single = [...flags].filter((flag) => 'isu'.includes(flag)).join('');
  const character = (text: string): Node => {
    const one = new RegExp(`^${text}$`, single);
    const known = new Map<string, boolean>();
    return {
      kind: 'character',
      matches: (given) => {
        const before = known.get(given);
        if (before !== undefined) return before;
        const answer = one.test(given);
        known.set(given, answer);
        return answer;
      },
    };
  };
  const place = (holds: (text: string, at: number) => boolean): Node => ({ kind: 'place', holds });
  const word = (text: string, index: number) => /\w/.test(text[index] ?? '');
  const edge = (text: string, index: number) => word(text, index - 1) !== word(text, index);
  const lineEnds = flags.includes('m');

  const escaped = (): Node => {
    const next = source[at + 1] ?? '';
    if (next === 'b' || next === 'B') {
      at += 2;
      return place((text, index) => edge(text, index) === (next === 'b'));
    }
    if (/[1-9]/.test(next)) {
      at += 2;
      return { kind: 'same', index: Number(next) };
    }
    const whole =
      /^\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|[pP]\{[^}]+\}|[\s\S])/i.exec(
        source.slice(at),
      )?.[0] ?? '';
    at += whole.length;
    return character(whole);
  };
  const classOf = (): Node => {
    const from = at;
    at += 1;
    while (source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
    at += 1;
    return character(source.slice(from, at));
  };
  const grouped = (): Node => {
    const head = /^\((?:\?(?::|=|!|<=|<!|<(\w+)>))?/.exec(source.slice(at))?.[0] ?? '';
    at += head.length;
    const captures = head === '(' || /^\(\?<\w/.test(head);
    if (captures) groups += 1;
    const index = captures ? groups : undefined;
    const inner = choice();
    if (source[at] !== ')') throw new Error(`No end of a group in ${source}`);
    at += 1;
    return /[=!]$/.test(head)
      ? { kind: 'look', behind: head.includes('<'), negative: head.endsWith('!'), inner }
      : { kind: 'group', index, inner };
  };
  const one = (): Node => {
    const next = source[at] ?? '';
    if (next === '(') return grouped();
    if (next === '[') return classOf();
    if (next === '\\') return escaped();
    at += 1;
    if (next === '^') {
      return place((text, index) => index === 0 || (lineEnds && text[index - 1] === '\n'));
    }
    if (next === '$') {
      return place((text, index) => index === text.length || (lineEnds && text[index] === '\n'));
    }
    return character(next === '.' ? '.' : next.replace(/[{}/\]]/g, '\\$&'));
  };
  const repeated = (inner: Node): Node => {
    const found = /^(?:([*+?])|\{(\d+)(,(\d*))?\})(\??)/.exec(source.slice(at));
    if (!found) return inner;
    at += found[0].length;
    const [, sign, least, comma, most, lazy] = found;
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0;
    const open = sign === '*' || sign === '+' || (comma !== undefined && most === '');
    const max = open ? Number.POSITIVE_INFINITY : sign === '?' ? 1 : Number(most ?? least);
    return { kind: 'repeat', inner, min, max, lazy: lazy === '?' };
  };
  const sequence = (): Node => {
    const parts: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      parts.push(repeated(one()));
    }
    return { kind: 'sequence', parts };
  };
  const choice = (): Node => {
    const options = [sequence()];
    while (source[at] === '|') {
      at += 1;
      options.push(sequence());
    }
    return options.length === 1 ? (options[0] as Node) : { kind: 'choice', options };
  };
  const tree = choice();
  if (at < source.length) throw new Error(`Not read: ${source.slice(at)}`);
  return { tree, flags };
}

/** The steps of finding every match in a text. Stops counting above a limit. */
export function stepsOf({ tree, flags }: CountedPattern, text: string): number {
  let steps = 0;
  const groups: (string | undefined)[] = [];
  class Endless extends Error {}
  const count = () => {
    steps += 1;
    if (steps > MOST_STEPS) throw new Endless();
  };
  type Next = (at: number) => number | undefined;
  const end: Next = (at) => at;

  const run = (node: Node, at: number, next: Next): number | undefined => {
    count();
    switch (node.kind) {
      case 'character':
        return at < text.length && node.matches(text[at] as string) ? next(at + 1) : undefined;
      case 'place':
        return node.holds(text, at) ? next(at) : undefined;
      case 'same': {
        const before = groups[node.index] ?? '';
        return text.startsWith(before, at) ? next(at + before.length) : undefined;
      }
      case 'group':
        return run(node.inner, at, (after) => {
          if (node.index === undefined) return next(after);
          const before = groups[node.index];
          groups[node.index] = text.slice(at, after);
          const found = next(after);
          if (found === undefined) groups[node.index] = before;
          return found;
        });
      case 'choice':
        for (const option of node.options) {
          const found = run(option, at, next);
          if (found !== undefined) return found;
        }
        return undefined;
      case 'sequence':
        return inOrder(node.parts, 0, at, next);
      case 'look':
        return looked(node, at) === node.negative ? undefined : next(at);
      case 'repeat':
        return node.inner.kind === 'character'
          ? repeatedCharacter(node, node.inner.matches, at, next)
          : repeatedNode(node, 0, at, next);
    }
  };
  const inOrder = (
    parts: readonly Node[],
    index: number,
    at: number,
    next: Next,
  ): number | undefined => {
    const part = parts[index];
    return part === undefined
      ? next(at)
      : run(part, at, (after) => inOrder(parts, index + 1, after, next));
  };
  const looked = (node: Extract<Node, { kind: 'look' }>, at: number): boolean => {
    if (!node.behind) return run(node.inner, at, end) !== undefined;
    const [least, most] = widths(node.inner);
    for (let width = least; width <= Math.min(most, at); width += 1) {
      if (run(node.inner, at - width, (after) => (after === at ? at : undefined)) !== undefined) {
        return true;
      }
    }
    return false;
  };
  const repeatedCharacter = (
    { min, max, lazy }: Extract<Node, { kind: 'repeat' }>,
    matches: (character: string) => boolean,
    at: number,
    next: Next,
  ): number | undefined => {
    let taken = 0;
    const takes = () => {
      count();
      const more = taken < max && at + taken < text.length && matches(text[at + taken] as string);
      if (more) taken += 1;
      return more;
    };
    if (lazy) {
      while (taken < min) if (!takes()) return undefined;
      for (;;) {
        const found = next(at + taken);
        if (found !== undefined) return found;
        if (!takes()) return undefined;
      }
    }
    while (takes());
    for (; taken >= min; taken -= 1) {
      count();
      const found = next(at + taken);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const repeatedNode = (
    node: Extract<Node, { kind: 'repeat' }>,
    done: number,
    at: number,
    next: Next,
  ): number | undefined => {
    count();
    const more = () =>
      done < node.max
        ? run(node.inner, at, (after) =>
            after === at && done >= node.min
              ? undefined
              : repeatedNode(node, done + 1, after, next),
          )
        : undefined;
    if (done < node.min) return more();
    if (node.lazy) return next(at) ?? more();
    return more() ?? next(at);
  };

  try {
    for (let at = 0; at <= text.length; ) {
      const found = run(tree, at, end);
      if (flags.includes('y') && found === undefined) break;
      at = found === undefined || found === at ? at + 1 : found;
    }
  } catch (error) {
    if (error instanceof Endless || error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
  return steps;
}

/** The shortest and the longest text that a node matches. */
function widths(node: Node): readonly [number, number] {
  switch (node.kind) {
    case 'character':
      return [1, 1];
    case 'place':
    case 'look':
      return [0, 0];
    case 'same':
      return [0, Number.POSITIVE_INFINITY];
    case 'group':
      return widths(node.inner);
    case 'choice': {
      const all = node.options.map(widths);
      return [Math.min(...all.map(([least]) => least)), Math.max(...all.map(([, most]) => most))];
    }
    case 'sequence':
      return node.parts
        .map(widths)
        .reduce(([least, most], [min, max]) => [least + min, most + max], [0, 0]);
    case 'repeat': {
      const [least, most] = widths(node.inner);
      return [least * node.min, most === 0 ? 0 : most * node.max];
    }
  }
}

/** A text that grows with the number of its repetitions. */
export interface Attack {
  readonly before: string;
  readonly repeated: string;
  readonly after: string;
}

export function attackText({ before, repeated, after }: Attack, times: number): string {
  return before + repeated.repeat(times) + after;
}

/** Texts that make a pattern backtrack, if any text does: built from what the pattern itself matches. */
export function attacksOn({ tree }: CountedPattern): readonly Attack[] {
  const classes = characterClasses(tree);
  const words = new Set<string>(classes);
  for (const one of classes) for (const other of classes) words.add(one + other);
  const before = new Set(['']);
  const inside = (node: Node, start: string): void => {
    switch (node.kind) {
      case 'group':
      case 'look':
        inside(node.inner, start);
        return;
      case 'choice':
        for (const option of node.options) inside(option, start);
        return;
      case 'repeat':
        if (node.max > 1) {
          before.add(start);
          for (const example of examples(node.inner)) words.add(example);
        }
        inside(node.inner, start);
        return;
      case 'sequence':
        for (const [index, part] of node.parts.entries()) {
          inside(part, start + node.parts.slice(0, index).map(example).join(''));
        }
        for (let from = 0; from < node.parts.length; from += 1) {
          for (let to = from + 1; to <= node.parts.length; to += 1) {
            const text = node.parts.slice(from, to).map(example).join('');
            if (text !== '') words.add(text);
          }
        }
        return;
      default:
    }
  };
  inside(tree, '');
  const rarest = classes.at(-1) ?? '';
  const endings = new Set(['', '\n', `\n${rarest}`]);
  return [...before].flatMap((start) =>
    [...words].flatMap((repeated) =>
      [...endings, ...(repeated.length === 1 ? classes : [])].map(
        (after): Attack => ({ before: start, repeated, after }),
      ),
    ),
  );
}

/** Whether a pattern can take the same character again and again. Others take a fixed number of steps at each place. */
export function isUnbounded({ tree }: CountedPattern): boolean {
  const within = (node: Node): boolean => {
    if (node.kind === 'repeat') return node.max > MOST_BOUNDED || within(node.inner);
    if (node.kind === 'sequence') return node.parts.some(within);
    if (node.kind === 'choice') return node.options.some(within);
    return 'inner' in node && within(node.inner);
  };
  return within(tree);
}

/** A count up to which a repetition is part of the fixed number of steps. */
const MOST_BOUNDED = 10;

/** One character of each set that the pattern tells apart. */
function characterClasses(tree: Node): readonly string[] {
  const tests: ((character: string) => boolean)[] = [];
  const collect = (node: Node): void => {
    if (node.kind === 'character') tests.push(node.matches);
    else if (node.kind === 'sequence') node.parts.forEach(collect);
    else if (node.kind === 'choice') node.options.forEach(collect);
    else if ('inner' in node) collect(node.inner);
  };
  collect(tree);
  const found = new Map<string, string>();
  for (const character of CHARACTERS) {
    const taken = tests.map((test) => (test(character) ? '1' : '0')).join('');
    if (!found.has(taken)) found.set(taken, character);
  }
  // A letter of a word in the pattern is in the examples; a class of more characters is what repeats.
  const ordered = [...found].sort(([one], [other]) => ones(other) - ones(one));
  return ordered.slice(0, MOST_CLASSES).map(([, character]) => character);
}

const MOST_CLASSES = 14;

function ones(bits: string): number {
  return bits.replaceAll('0', '').length;
}

/** The shortest text that a node matches, with one repetition of what may be repeated. */
function example(node: Node): string {
  return examples(node)[0] ?? '';
}

function examples(node: Node): readonly string[] {
  switch (node.kind) {
    case 'character':
      return [CHARACTERS.find(node.matches) ?? anyMatch(node.matches)];
    case 'group':
      return examples(node.inner);
    case 'choice':
      return node.options.flatMap(examples);
    case 'sequence':
      return [node.parts.map(example).join('')];
    case 'repeat':
      return examples(node.inner).map((text) => text.repeat(Math.max(1, Math.min(node.min, 60))));
    default:
      return [''];
  }
}

function anyMatch(matches: (character: string) => boolean): string {
  for (let code = 32; code < 0x3000; code += 1) {
    const character = String.fromCharCode(code);
    if (matches(character)) return character;
  }
  return '';
}
