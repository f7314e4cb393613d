import { createHash } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';

const name = (text: string): number[] => [text.length, ...Buffer.from(text)];

function section(id: number, ...content: readonly number[]): number[] {
  return [id, 0x80 | (content.length & 0x7f), content.length >> 7, ...content];
}

const I64 = 0x7e;
const END = 0x0b;
const UNREACHABLE = 0x00;
const VOID = [0x42, 2];
const call = (index: number): number[] => [0x10, index];
/** Error(Contract, #7): the number in the upper half, the tag of errors below. */
const ERROR_7 = [0x42, 0x83, 0x80, 0x80, 0x80, 0xf0, 0x00];
/** Numbers of memory as the host's values have them: n << 32 | tag 4. */
const u32 = (n: number): number[] => [0x42, 0x84, 0x80, 0x80, 0x80, 0x80 | ((n & 7) << 4), n >> 3];

const MESSAGE = 'the paint is dry';
const TYPES = [
  [0x60, 0, 1, I64],
  [0x60, 1, I64, 1, I64],
  [0x60, 4, I64, I64, I64, I64, 1, I64],
  [0x60, 3, I64, I64, I64, 1, I64],
];
const [NONE, ONE, FOUR, THREE] = [0, 1, 2, 3];
const IMPORTS = [
  { of: ['x', '5'], type: ONE }, // fail_with_error
  { of: ['x', '_'], type: FOUR }, // log_from_linear_memory
  { of: ['d', '_'], type: THREE }, // call
] as const;

const FUNCTIONS = [
  { name: 'fail', type: NONE, body: [...ERROR_7, ...call(0)] },
  { name: 'trap', type: NONE, body: [UNREACHABLE] },
  { name: 'spin', type: NONE, body: [0x03, 0x40, 0x0c, 0, END, ...VOID] },
  {
    name: 'speak',
    type: ONE,
    body: [...u32(0), ...u32(MESSAGE.length), ...u32(0), ...u32(0), ...call(1)],
  },
  { name: 'forward', type: THREE, body: [0x20, 0, 0x20, 1, 0x20, 2, ...call(2)] },
];

/**
 * A contract that fails in every way, assembled by hand, with an interface of its own:
 *  - `fail()` ends with `PaintError::TooBlue` (7), `trap()` with an instruction that cannot run, `spin()` never;
 *  - `speak(color)` logs a line; `forward(contract, function, args)` calls another contract.
 */
export function failingContract(protocol: number): { wasm: Uint8Array; hash: Buffer } {
  const n = FUNCTIONS.length;
  const imports = IMPORTS.flatMap(({ of, type }) => [...of.flatMap(name), 0, type]);
  const exported = FUNCTIONS.flatMap((f, i) => [...name(f.name), 0, IMPORTS.length + i]);
  const bodies = FUNCTIONS.flatMap(({ body }) => [body.length + 2, 0, ...body, END]);
  const spec = Buffer.concat(interfaceEntries().map((entry) => entry.toXdr()));
  const wasm = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, TYPES.length, ...TYPES.flat()),
    ...section(2, IMPORTS.length, ...imports),
    ...section(3, n, ...FUNCTIONS.map((f) => f.type)),
    ...section(5, 1, 0, 1),
    ...section(7, n + 1, ...exported, ...name('memory'), 2, 0),
    ...section(10, n, ...bodies),
    ...section(11, 1, 0, 0x41, 0, END, ...name(MESSAGE)),
    ...section(0, ...name('contractenvmetav0'), 0, 0, 0, 0, 0, 0, 0, protocol, 0, 0, 0, 0),
    ...section(0, ...name('contractspecv0'), ...spec),
  ]);
  return { wasm, hash: createHash('sha256').update(wasm).digest() };
}

function interfaceEntries(): xdr.ScSpecEntry[] {
  const color = new xdr.ScSpecFunctionInputV0({
    doc: '',
    name: 'color',
    type: xdr.ScSpecTypeDef.scSpecTypeUdt(new xdr.ScSpecTypeUdt({ name: 'Color' })),
  });
  const declared = (of: string, inputs: xdr.ScSpecFunctionInputV0[]) =>
    xdr.ScSpecEntry.scSpecEntryFunctionV0(
      new xdr.ScSpecFunctionV0({ doc: '', name: of, inputs, outputs: [] }),
    );
  const cases = [
    new xdr.ScSpecUdtEnumCaseV0({ doc: '', name: 'Red', value: 1 }),
    new xdr.ScSpecUdtEnumCaseV0({ doc: '', name: 'Blue', value: 2 }),
  ];
  const errors = [
    new xdr.ScSpecUdtErrorEnumCaseV0({
      doc: 'There is more blue than the wall can take. Use less.',
      name: 'TooBlue',
      value: 7,
    }),
  ];
  return [
    declared('fail', []),
    declared('trap', []),
    declared('spin', []),
    declared('speak', [color]),
    xdr.ScSpecEntry.scSpecEntryUdtEnumV0(
      new xdr.ScSpecUdtEnumV0({ doc: '', lib: '', name: 'Color', cases }),
    ),
    xdr.ScSpecEntry.scSpecEntryUdtErrorEnumV0(
      new xdr.ScSpecUdtErrorEnumV0({ doc: '', lib: '', name: 'PaintError', cases: errors }),
    ),
  ];
}
