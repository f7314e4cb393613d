import fc from 'fast-check';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';

/** A body of a request, and where it goes. */
export interface FuzzedRequest {
  readonly path: '/verify' | '/settle';
  readonly body: Buffer;
  /** Sent in pieces, without a declared length. */
  readonly chunked: boolean;
}

type Path = readonly (string | number)[];

/** Every path into a JSON value. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

/** A copy of `value` in which `change` was made at `path`. */
function changedAt(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  const object = value as Record<string, unknown>;
  return { ...object, [key]: changedAt(object[key], rest, change) };
}

/** Values that have broken programs before. */
const awkward = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  '0',
  '-0',
  '-1',
  '1e400',
  '00000',
  '0x10',
  '170141183460469231731687303715884105727',
  '170141183460469231731687303715884105728',
  '9223372036854775808',
  ' 1',
  '1 ',
  '١',
  0,
  -1,
  0.5,
  9e99,
  2 ** 53,
  [],
  {},
  [[]],
  true,
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  'A'.repeat(10_000),
  'stellar:pubnet',
  'upto',
);
const anything = fc.oneof(awkward, fc.jsonValue({ maxDepth: 4 }));

/** One value of the request replaced, removed, doubled, or joined by an unknown one. */
function jsonMutation(template: FacilitatorRequest): fc.Arbitrary<string> {
  const paths = pathsOf(template);
  const change = fc.oneof(
    anything.map((value) => () => value),
    fc.constant((old: unknown) => [old, old]),
    fc
      .tuple(fc.constantFrom('__proto__', 'toString', 'extra', 'x402Version', ''), anything)
      .map(([key, value]) => (old: unknown) => {
        if (typeof old !== 'object' || old === null) return { [key]: value };
        return Object.fromEntries([...Object.entries(old), [key, value]]);
      }),
  );
  return fc
    .array(fc.tuple(fc.constantFrom(...paths), change), { minLength: 1, maxLength: 3 })
    .map((changes) => {
      let value: unknown = template;
      for (const [path, make] of changes) {
        try {
          value = changedAt(value, path, make);
        } catch {
          // An earlier change took away what this one would have changed.
        }
      }
      return JSON.stringify(value) ?? '';
    });
}

interface ByteChange {
  readonly at: number;
  readonly kind: 'flip' | 'set' | 'insert' | 'cut' | 'repeat' | 'word';
  readonly value: number;
}

const byteChanges = fc.array(
  fc.record<ByteChange>({
    at: fc.nat({ max: 100_000 }),
    kind: fc.constantFrom('flip', 'set', 'insert', 'cut', 'repeat', 'word'),
    value: fc.nat({ max: 255 }),
  }),
  { minLength: 1, maxLength: 4 },
);

const WORDS = [0, 1, 2, 0x7f_ff_ff_ff, 0x80_00_00_00, 0xff_ff_ff_ff, 16, 17] as const;

function mutateBytes(bytes: Buffer, changes: readonly ByteChange[]): Buffer {
  let out: Buffer = Buffer.from(bytes);
  for (const { at, kind, value } of changes) {
    if (out.length < 8) return out;
    const place = at % out.length;
    const word = (place >> 2) << 2;
    switch (kind) {
      case 'flip':
        out[place] = (out[place] ?? 0) ^ (1 << (value % 8));
        break;
      case 'set':
        out[place] = value;
        break;
      case 'insert':
        out = Buffer.concat([out.subarray(0, word), Buffer.alloc(4, value), out.subarray(word)]);
        break;
      case 'cut':
        out = Buffer.concat([out.subarray(0, word), out.subarray(word + 4 * (1 + (value % 8)))]);
        break;
      case 'repeat':
        out = Buffer.concat([
          out.subarray(0, word),
          ...Array.from({ length: 1 + (value % 64) }, () => out.subarray(word, word + 12)),
          out.subarray(word),
        ]);
        break;
      case 'word':
        if (word + 4 <= out.length) out.writeUInt32BE(WORDS[value % WORDS.length] ?? 0, word);
    }
  }
  return out;
}

function withTransaction(request: FacilitatorRequest, transaction: unknown): FacilitatorRequest {
  const { paymentPayload } = request;
  return { ...request, paymentPayload: { ...paymentPayload, payload: { transaction } } };
}

/** The envelope with some of its bytes changed, in place or in number. */
function xdrMutation(template: FacilitatorRequest): fc.Arbitrary<string> {
  const bytes = Buffer.from(String(template.paymentPayload.payload.transaction), 'base64');
  return byteChanges.map((changes) => {
    const changed = mutateBytes(bytes, changes).toString('base64');
    return JSON.stringify(withTransaction(template, changed));
  });
}

/** The text of the request with some of its bytes changed, and so often neither JSON nor UTF-8. */
function textMutation(template: FacilitatorRequest): fc.Arbitrary<Buffer> {
  const text = Buffer.from(JSON.stringify(template));
  return byteChanges.map((changes) => mutateBytes(text, changes));
}

/** Bodies that are almost payments, and bodies that never were payments. */
export function fuzzedRequests(templates: readonly FacilitatorRequest[]) {
  const template = fc.constantFrom(...templates);
  const bodies: fc.Arbitrary<Buffer> = fc.oneof(
    { weight: 5, arbitrary: template.chain(jsonMutation).map((text) => Buffer.from(text)) },
    { weight: 5, arbitrary: template.chain(xdrMutation).map((text) => Buffer.from(text)) },
    { weight: 2, arbitrary: template.chain(textMutation) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 6 }).map((text) => Buffer.from(text)) },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('[', '{"a":', '"', '\\', ' '), fc.nat({ max: 40_000 }))
        .map(([piece, times]) => Buffer.from(piece.repeat(Math.floor(times / piece.length)))),
    },
  );
  return fc.record<FuzzedRequest>({
    path: fc.constantFrom('/verify', '/settle'),
    body: bodies,
    chunked: fc.boolean(),
  });
}
