/** The few parts of a WebAssembly module that a compute kernel needs, written as bytes. */

/** An unsigned number in LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** A signed number in LEB128. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const last = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(last ? low : low | 0x80);
    if (last) return bytes;
  }
}

/** Opcodes after the prefix for vector instructions. */
const simd = (opcode: number, ...operands: readonly number[]): number[] => [
  0xfd,
  ...unsigned(opcode),
  ...operands,
];

const section = (id: number, bytes: readonly number[]): number[] => [
  id,
  ...unsigned(bytes.length),
  ...bytes,
];

const text = (name: string): number[] => [...unsigned(name.length), ...Buffer.from(name, 'latin1')];

/** Value types. */
const I32 = 0x7f;
const V128 = 0x7b;

/**
 * Builds a module that imports a memory `env.memory` and exports one function without a result.
 *
 * @param parameters types of the function's parameters
 * @param locals types of its locals, each with their number
 */
function kernelModule(
  name: string,
  parameters: readonly number[],
  locals: readonly (readonly [count: number, type: number])[],
  body: readonly number[],
): Uint8Array<ArrayBuffer> {
  const code = [
    ...unsigned(locals.length),
    ...locals.flatMap(([count, type]) => [...unsigned(count), type]),
    ...body,
    0x0b,
  ];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, ...unsigned(parameters.length), ...parameters, 0]),
    ...section(2, [1, ...text('env'), ...text('memory'), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text(name), 0x00, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ]);
}

/** Dimensions of every embedding (spec: Semantic). */
export const DIMENSIONS = 1024;
/** The number of dimensions that are read for every row; the others are read only for rows that can still be near. */
export const HEAD_DIMENSIONS = 256;
/** A block of a coarse code: 32 dimensions with 4 bits each. */
const BLOCK_DIMENSIONS = 32;
const BLOCK_BYTES = 16;
export const HEAD_BYTES = HEAD_DIMENSIONS / 2;
export const TAIL_BYTES = (DIMENSIONS - HEAD_DIMENSIONS) / 2;
export const FINE_BYTES = DIMENSIONS * 2;
/** Largest component of a coarse query: 32 blocks of products with 15 × 256 stay within 32 bits. */
export const QUERY_LIMIT = 1023;
/** Memory offsets of the queries (16-bit and float components), and of the results after them. */
export const COARSE_QUERY_AT = 0;
export const FINE_QUERY_AT = DIMENSIONS * 2;
export const RESULTS_AT = FINE_QUERY_AT + DIMENSIONS * 4;

/** Processes the rows from `first` to `end` and writes one number for each from `RESULTS_AT` on. */
export type Kernel = (first: number, end: number) => void;

export interface Kernels {
  /** Dot products of 4-bit components with the query's, over the first dimensions. 32-bit integers. */
  readonly head: Kernel;
  /** The same over the other dimensions. */
  readonly tail: Kernel;
  /** Dot products of 16-bit components with the query's, over all dimensions. 32-bit floats. */
  readonly fine: Kernel;
}

/** The kernels over their caller's memory. Node's WebAssembly supports SIMD since 16.4. */
export function kernels(memory: WebAssembly.Memory): Kernels {
  const headBlocks = HEAD_DIMENSIONS / BLOCK_DIMENSIONS;
  return {
    head: instantiate(memory, COARSE_LOCALS, coarse(0, headBlocks)),
    tail: instantiate(memory, COARSE_LOCALS, coarse(headBlocks, DIMENSIONS / BLOCK_DIMENSIONS)),
    fine: instantiate(memory, FINE_LOCALS, fine()),
  };
}

type Locals = readonly (readonly [count: number, type: number])[];

// Locals of every kernel: its two parameters, and the address of the next result.
const ROW = 0;
const END = 1;
const RESULT = 2;
// Locals of the coarse kernels: a sum for each component in a lane, the loaded block, a mask for three components.
const SUMS = [3, 4, 5, 6] as const;
const BLOCK = 7;
const MASKS = [8, 9, 10] as const;
const COARSE_LOCALS: Locals = [
  [1, I32],
  [8, V128],
];
// Locals of the fine kernel: two sums and the loaded components.
const LOW = 3;
const HIGH = 4;
const PARTS = 5;
const FINE_LOCALS: Locals = [
  [1, I32],
  [3, V128],
];

const get = (local: number) => [0x20, ...unsigned(local)];
const set = (local: number) => [0x21, ...unsigned(local)];
const i32 = (value: number) => [0x41, ...signed(value)];
const addI32 = [0x6a];
const addF32 = [0x92];
const load = (offset: number) => simd(0x00, 4, ...unsigned(offset));
const lanes16 = (mask: number) =>
  simd(0x0c, ...Array.from({ length: 16 }, (_, n) => (n % 2 === 0 ? mask & 0xff : mask >> 8)));
const and = simd(0x4e);
const shiftLanes16 = simd(0x8d);
const shiftLanes32 = simd(0xac);
const dotLanes16 = simd(0xba);
const addLanes32 = simd(0xae);
const extendLow = simd(0xa7);
const extendHigh = simd(0xa8);
const toFloats = simd(0xfa);
const multiplyFloats = simd(0xe6);
const addFloats = simd(0xe4);

/**
 * A lane of 16 bits contains the components of four dimensions, eight dimensions apart. They are masked in place, which
 * multiplies them by 1, 16 and 256; each has its own sum, which is corrected at the end.
 */
function coarse(firstBlock: number, endBlock: number): number[] {
  const block = (n: number) => [
    ...get(ROW),
    ...load((n - firstBlock) * BLOCK_BYTES),
    ...set(BLOCK),
    ...SUMS.flatMap((sum, part) => [
      ...get(sum),
      ...get(BLOCK),
      ...(part < 3 ? [...get(MASKS[part] ?? BLOCK), ...and] : [...i32(12), ...shiftLanes16]),
      ...i32(COARSE_QUERY_AT),
      ...load((n * 4 + part) * 16),
      ...dotLanes16,
      ...addLanes32,
      ...set(sum),
    ]),
  ];
  const [s0, s1, s2, s3] = SUMS;
  const lane = (n: number) => [...get(s0), ...simd(0x1b, n)];
  const blocks = Array.from({ length: endBlock - firstBlock }, (_, n) => firstBlock + n);
  return [
    // Kept in locals: constants in the loop would be created again for each block.
    ...MASKS.flatMap((mask, part) => [...lanes16(0xf << (4 * part)), ...set(mask)]),
    ...eachRow(blocks.length * BLOCK_BYTES, [
      ...SUMS.flatMap((sum) => [...lanes16(0), ...set(sum)]),
      ...blocks.flatMap(block),
      ...[...get(s0), ...get(s1), ...i32(4), ...shiftLanes32, ...addLanes32],
      ...[...get(s2), ...i32(8), ...shiftLanes32, ...addLanes32, ...get(s3), ...addLanes32],
      ...set(s0),
      ...get(RESULT),
      ...[...lane(0), ...lane(1), ...addI32, ...lane(2), ...addI32, ...lane(3), ...addI32],
      ...[0x36, 2, 0],
    ]),
  ];
}

function fine(): number[] {
  const eight = (n: number) => [
    ...get(ROW),
    ...load(n * 16),
    ...set(PARTS),
    ...[[LOW, extendLow, 0] as const, [HIGH, extendHigh, 16] as const].flatMap(
      ([sum, extend, offset]) => [
        ...[...get(sum), ...get(PARTS), ...extend, ...toFloats],
        ...[...i32(FINE_QUERY_AT), ...load(n * 32 + offset)],
        ...[...multiplyFloats, ...addFloats, ...set(sum)],
      ],
    ),
  ];
  const lane = (n: number) => [...get(LOW), ...simd(0x1f, n)];
  return eachRow(FINE_BYTES, [
    ...[LOW, HIGH].flatMap((sum) => [...lanes16(0), ...set(sum)]),
    ...Array.from({ length: DIMENSIONS / 8 }, (_, n) => eight(n)).flat(),
    ...[...get(LOW), ...get(HIGH), ...addFloats, ...set(LOW)],
    ...get(RESULT),
    ...[...lane(0), ...lane(1), ...addF32, ...lane(2), ...addF32, ...lane(3), ...addF32],
    ...[0x38, 2, 0],
  ]);
}

/** A loop over at least one row; its body stores the result. */
function eachRow(rowBytes: number, body: readonly number[]): number[] {
  return [
    ...[...i32(RESULTS_AT), ...set(RESULT)],
    ...[0x03, 0x40],
    ...body,
    ...[...get(RESULT), ...i32(4), ...addI32, ...set(RESULT)],
    ...[...get(ROW), ...i32(rowBytes), ...addI32, 0x22, ROW, ...get(END), 0x49],
    ...[0x0d, 0, 0x0b],
  ];
}

function instantiate(memory: WebAssembly.Memory, locals: Locals, body: readonly number[]): Kernel {
  const module = new WebAssembly.Module(kernelModule('run', [I32, I32], locals, body));
  const { run } = new WebAssembly.Instance(module, { env: { memory } }).exports;
  if (typeof run !== 'function') throw new Error('the kernel exports no function');
  return (first, end) => {
    run(first, end);
  };
}
