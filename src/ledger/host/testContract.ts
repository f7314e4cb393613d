/** A section of a WebAssembly module; everything here is shorter than 128 bytes, so that lengths take one byte. */
const section = (id: number, ...content: number[]): number[] => [id, content.length, ...content];
const name = (text: string): number[] => [text.length, ...Buffer.from(text)];

const I64 = 0x7e;
const END = 0x0b;
const RETURN_VOID = [0x42, 2, END];
const THREE_ARGUMENTS = [0x20, 0, 0x20, 1, 0x20, 2];

/**
 * The smallest contract that the tests can do with, assembled by hand:
 *  - `nop()` returns void;
 *  - `spin()` never returns;
 *  - `forward(contract, function, args)` calls another contract and fails when that fails;
 *  - `attempt(contract, function, args)` calls another contract and returns void whatever comes of it.
 *
 * @param salt makes a contract of the same behaviour and another hash
 */
export function testContract(protocol: number, salt = 0): Uint8Array {
  const types = [
    [0x60, 0, 1, I64],
    [0x60, 3, I64, I64, I64, 1, I64],
  ];
  // The host's `call` and `try_call` become functions 0 and 1.
  const imports = [
    [...name('d'), ...name('_'), 0, 1],
    [...name('d'), ...name('0'), 0, 1],
  ];
  const functions = [
    { name: 'nop', type: 0, body: RETURN_VOID },
    { name: 'spin', type: 0, body: [0x03, 0x40, 0x0c, 0, END, ...RETURN_VOID] },
    { name: 'forward', type: 1, body: [...THREE_ARGUMENTS, 0x10, 0, END] },
    { name: 'attempt', type: 1, body: [...THREE_ARGUMENTS, 0x10, 1, 0x1a, ...RETURN_VOID] },
  ];
  const n = functions.length;
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types.length, ...types.flat()),
    ...section(2, imports.length, ...imports.flat()),
    ...section(3, n, ...functions.map((f) => f.type)),
    ...section(7, n, ...functions.flatMap((f, i) => [...name(f.name), 0, imports.length + i])),
    ...section(10, n, ...functions.flatMap((f) => [f.body.length + 1, 0, ...f.body])),
    // SCEnvMetaEntry XDR: interface version { protocol, preRelease 0 }
    ...section(
      0,
      ...name('contractenvmetav0'),
      ...[0, 0, 0, 0],
      ...[0, 0, 0, protocol, 0, 0, 0, 0],
    ),
    ...section(0, ...name('salt'), salt),
  ]);
}
