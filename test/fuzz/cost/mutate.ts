import { changedAt, type Json, lengthOf, pathsOf, valueAt } from './json.ts';
import type { Random } from './random.ts';

/** Pieces of text whose repetition has cost programs more than its length: growth, back-tracking, escapes. */
const PIECES = [
  'a',
  ' word',
  '9',
  '/',
  '.',
  ':a/',
  '*',
  '%25',
  '(a+)+',
  'a|',
  '"',
  '\\',
  '\u0000',
  // Eighteen characters under NFKC, and three under NFC.
  '\ufdfa',
  '\u1f82',
  '\u0344',
  'a\u0301\u0323',
  'ﬃ',
  'İ',
  '\u200b',
  '\u{e0100}',
  '\ud800',
  '👩‍👩‍👧‍👦',
] as const;

const NUMBERS = [0, -1, 1, 2, 10, 99, 100, 200, 1_000, 10_000, 2 ** 31 - 1, 2 ** 53, 1e308, 0.1];

/** Wrappings that make a value deeper, those of JSON Schema among them. */
const WRAPPINGS: readonly ((value: Json) => Json)[] = [
  (value) => [value],
  (value) => ({ a: value }),
  (value) => ({ properties: { a: value } }),
  (value) => ({ allOf: [value, value] }),
  (value) => ({ items: value, uniqueItems: true }),
  (value) => ({ not: value }),
];

/** Schemas whose judging grows faster than their text. */
const COSTLY_SCHEMAS: readonly Json[] = [
  { $ref: '#' },
  { $ref: '#/$defs/d' },
  { unevaluatedProperties: false, allOf: [{ $ref: '#/$defs/d' }, { $ref: '#/$defs/d' }] },
  { uniqueItems: true, contains: { uniqueItems: true, minItems: 2 } },
  { pattern: '^(a+)+$' },
  { patternProperties: { '^(a|a)*$': true, '(.*)*x': false } },
  { anyOf: [{ type: 'string' }, { type: 'object' }, { $ref: '#/$defs/d' }] },
  { enum: [1, 2, { a: [1, 2, 3] }], const: { a: [] } },
  { dependentSchemas: { a: { required: ['b'] } }, propertyNames: { maxLength: 3 } },
];

const COUNTS = [2, 3, 8, 30, 120, 500];

/** Characters of a value that is not wrapped any further. */
const DEEP_ENOUGH = 100_000;
/** Characters: more than any route takes. Some changes repeat a part that repeats parts, so that lengths multiply. */
const MOST = 1 << 20;

function sendable(changed: Json, before: Json): Json {
  return lengthOf(changed, MOST) > MOST ? before : changed;
}

type Change = (old: Json, random: Random, root: Json) => Json | undefined;

const CHANGES: readonly Change[] = [
  // Breadth: an element or a member many times.
  (old, random) => {
    const times = random.pick(COUNTS);
    if (Array.isArray(old)) {
      const one = old.length === 0 ? 0 : random.pick(old);
      return [...old, ...Array.from({ length: times }, () => one)];
    }
    if (typeof old === 'object' && old !== null) {
      const values = Object.values(old);
      const one = values.length === 0 ? 0 : random.pick(values);
      const more = Array.from({ length: times }, (_, n) => [`m${random.below(1e4)}${n}`, one]);
      return { ...old, ...Object.fromEntries(more) };
    }
    return Array.from({ length: times }, () => old);
  },
  // Long and growing texts.
  (old, random) => {
    const text = random.pick(PIECES).repeat(random.pick([1, ...COUNTS, 4_000]));
    if (typeof old !== 'string') return text;
    return random.next() < 0.5 ? old + text : text + old;
  },
  (old, random) => (typeof old === 'string' ? old.repeat(random.pick([2, 3, 10, 50])) : old),
  // Depth.
  (old, random) => {
    let deep = old;
    const wrap = random.pick(WRAPPINGS);
    const levels = wrap(0) === null ? 1 : random.pick([1, 2, 5, 20]);
    for (let n = 0; n < levels && lengthOf(deep, DEEP_ENOUGH) < DEEP_ENOUGH; n++) deep = wrap(deep);
    return deep;
  },
  (old, random) => (random.next() < 0.3 ? `§deep:${random.pick([20, 60, 5_000])}` : old),
  // Numbers, in either spelling.
  (old, random) => (typeof old === 'string' ? String(random.pick(NUMBERS)) : random.pick(NUMBERS)),
  (old, random) => (typeof old === 'number' ? Math.round(old * random.pick([2, 10, 0.5])) : old),
  // References, and schemas by the handful.
  (old, random) => {
    const schema = random.pick(COSTLY_SCHEMAS);
    if (Array.isArray(old)) {
      return [...old, ...Array.from({ length: random.pick(COUNTS) }, () => schema)];
    }
    if (typeof old === 'object' && old !== null && typeof schema === 'object') {
      return { ...old, ...schema };
    }
    return schema;
  },
  // A part of the input in another place.
  (_, random, root) => valueAt(root, random.pick(pathsOf(root))),
  (_old, random) => random.pick<Json>([null, true, false, '', [], {}]),
  () => undefined,
];

/** An input with one to three changes, most of which make it larger. A change that makes it larger than any route takes is left out. */
export function mutated(input: Json, other: Json, random: Random): Json {
  let value = input;
  const changes = 1 + random.below(3);
  for (let n = 0; n < changes; n++) {
    const path = random.pick(pathsOf(value));
    if (random.next() < 0.15) {
      // The same place of another input that was found to be dear.
      value = sendable(
        changedAt(value, path, () => valueAt(other, path)),
        value,
      );
      continue;
    }
    const change = random.pick(CHANGES);
    const root = value;
    value = sendable(
      changedAt(root, path, (old) => change(old, random, root)),
      root,
    );
  }
  return value;
}
