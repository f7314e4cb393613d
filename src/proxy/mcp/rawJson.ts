/**
 * JSON of others, changed without being written again: members keep the text that they came with, so that no number loses
 * digits on its way through the proxy.
 */
export type RawObject = ReadonlyMap<string, string>;

/** Deepest value that is read. */
const MAX_DEPTH = 200;

const isSpace = (letter: string | undefined): boolean =>
  letter === ' ' || letter === '\n' || letter === '\r' || letter === '\t';

/** Returns the place after the text that begins at a quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text[at])) at += 1;
  return at;
}

/** Returns the place after the value that begins here. */
function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') {
    let at = start;
    while (at < text.length && !',]}'.includes(text[at] ?? '') && !isSpace(text[at])) at += 1;
    return at;
  }
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') at = endOfString(text, at) - 1;
    else if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** Returns the members of an object. @param text valid JSON @returns `undefined` if it is not an object */
export function membersOf(text: string): RawObject | undefined {
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return undefined;
  const members = new Map<string, string>();
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const endOfName = endOfString(text, at);
    const name = String(JSON.parse(text.slice(at, endOfName)));
    const start = skipSpace(text, skipSpace(text, endOfName) + 1);
    const end = endOfValue(text, start);
    members.set(name, text.slice(start, end));
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

/** Returns the elements of a list. @param text valid JSON @returns `undefined` if it is not a list */
export function elementsOf(text: string): readonly string[] | undefined {
  let at = skipSpace(text, 0);
  if (text[at] !== '[') return undefined;
  const elements: string[] = [];
  at = skipSpace(text, at + 1);
  while (at < text.length && text[at] !== ']') {
    const end = endOfValue(text, at);
    elements.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return elements;
}

/** Writes an object. */
export function objectText(members: RawObject): string {
  const parts = [...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  return `{${parts.join(',')}}`;
}

/** Returns the members with others added or, with `undefined`, removed. */
export function withMembers(
  members: RawObject,
  changes: Readonly<Record<string, string | undefined>>,
): RawObject {
  const changed = new Map(members);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}

/**
 * Writes an object with a value at a path of members. What is on the way and not an object becomes one.
 * @param text valid JSON
 * @param value JSON
 */
export function withValueAt(text: string, path: readonly string[], value: string): string {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const members = membersOf(text) ?? new Map<string, string>();
  const inner = withValueAt(members.get(name) ?? '{}', rest, value);
  return objectText(new Map(members).set(name, inner));
}

/** What makes two readers see different values in valid JSON: a name twice in one object, or more depth than some of them read. */
export type JsonProblem = 'duplicate_name' | 'too_deep';

/** Looks through a whole text. @param text valid JSON */
export function problemIn(text: string): JsonProblem | undefined {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') {
      const end = endOfString(text, at);
      if (text[skipSpace(text, end)] === ':') {
        const name = String(JSON.parse(text.slice(at, end)));
        const names = open.at(-1);
        if (names?.has(name)) return 'duplicate_name';
        names?.add(name);
      }
      at = end - 1;
    } else if (letter === '{' || letter === '[') {
      if (open.length >= MAX_DEPTH) return 'too_deep';
      open.push(new Set());
    } else if (letter === '}' || letter === ']') open.pop();
  }
  return undefined;
}

/** Writes a value with its members in order, so that equal values have equal texts. @param text valid JSON */
export function canonicalText(text: string): string {
  const trimmed = text.trim();
  const members = membersOf(trimmed);
  if (members !== undefined) {
    const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
    return objectText(new Map(sorted.map(([name, value]) => [name, canonicalText(value)])));
  }
  const elements = elementsOf(trimmed);
  if (elements !== undefined) return `[${elements.map(canonicalText).join(',')}]`;
  return trimmed.startsWith('"') ? JSON.stringify(JSON.parse(trimmed)) : trimmed;
}
