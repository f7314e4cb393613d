/** The few parts of a WebAssembly module that a compute kernel needs, written as bytes. */

/** An unsigned number in LEB128. */
export function unsigned(value: number): number[] {
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
export function signed(value: number): number[] {
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
export const simd = (opcode: number, ...operands: readonly number[]): number[] => [
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
export const I32 = 0x7f;
export const V128 = 0x7b;

/**
 * Builds a module that imports a memory `env.memory` and exports one function without a result.
 *
 * @param parameters types of the function's parameters
 * @param locals types of its locals, each with their number
 */
export function kernelModule(
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
