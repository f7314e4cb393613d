import { createHash } from 'node:crypto';

/** Version 27 of the host's interface, as a module says it (CAP-46-01): no pre-release. */
const INTERFACE = Buffer.from('000000000000001b00000000', 'hex');
/** The tag of a `u32` among values of the host, which has the number in its upper half. */
const U32 = 4n;

/** A contract with one function, `decimals`, that answers with this number. */
export function tokenModule(decimals: number) {
  const wasm = Buffer.concat([
    Buffer.from('0061736d01000000', 'hex'),
    section(1, [1, 0x60, 0, 1, 0x7e]),
    section(3, [1, 0]),
    section(7, [1, ...named('decimals'), 0, 0]),
    section(10, [1, ...sized([0, 0x42, ...signed((BigInt(decimals) << 32n) | U32), 0x0b])]),
    section(0, [...named('contractenvmetav0'), ...INTERFACE]),
  ]);
  return { wasm, hash: createHash('sha256').update(wasm).digest() };
}

function section(id: number, content: readonly number[]): Buffer {
  return Buffer.from([id, ...sized(content)]);
}

function sized(bytes: readonly number[]): number[] {
  return [bytes.length, ...bytes];
}

function named(text: string): number[] {
  return sized([...Buffer.from(text)]);
}

/** A positive number in LEB128, signed. */
function signed(value: bigint): number[] {
  const low = Number(value & 0x7fn);
  const rest = value >> 7n;
  return rest === 0n && low < 0x40 ? [low] : [low | 0x80, ...signed(rest)];
}
