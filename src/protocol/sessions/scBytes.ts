import { createHash } from 'node:crypto';
import type { ContractAddress, StellarAddress } from '../../../common/address.ts';
import { decodeStrKey } from '../../../common/strKey.ts';
import { TESTNET_PASSPHRASE } from '../network.ts';

/** The network that every signature and every contract's address is for. */
export const NETWORK_ID = createHash('sha256').update(TESTNET_PASSPHRASE).digest();

/** Types of values and addresses in XDR. */
const SC = { u32: 3, i128: 10, bytes: 13, symbol: 15, map: 17, address: 18 } as const;
const SC_ADDRESS = { account: 0, contract: 1 } as const;
const ED25519 = 0;

/** Encodes an unsigned number of 32 bits. */
export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Encodes a contract's address as an `ScAddress`. */
export function scContract(address: ContractAddress): Buffer {
  const key = decodeStrKey('contract', address);
  if (key === undefined) throw new RangeError(`${address} is not a contract's address`);
  return Buffer.concat([u32(SC_ADDRESS.contract), key]);
}

function scAddress(address: StellarAddress): Buffer {
  const account = decodeStrKey('account', address);
  return account === undefined
    ? scContract(address as ContractAddress)
    : Buffer.concat([u32(SC_ADDRESS.account), u32(ED25519), account]);
}

/** Values of a contract, as XDR. The network's own encoder is 20 times slower, and a session has one per request. */
export const scVal = {
  u32: (value: number) => Buffer.concat([u32(SC.u32), u32(value)]),
  /** Zero, whose 16 bytes can be replaced. */
  i128: () => Buffer.concat([u32(SC.i128), Buffer.alloc(16)]),
  bytes32: (value: Uint8Array) => Buffer.concat([u32(SC.bytes), u32(32), value]),
  address: (value: StellarAddress) => Buffer.concat([u32(SC.address), scAddress(value)]),
  symbol: (text: string) => {
    const padding = Buffer.alloc((4 - (text.length % 4)) % 4);
    return Buffer.concat([u32(SC.symbol), u32(text.length), Buffer.from(text), padding]);
  },
  /** A structure: its fields in alphabetical order, as contracts store them. */
  map: (fields: readonly (readonly [name: string, value: Buffer])[]) =>
    Buffer.concat([
      ...[u32(SC.map), u32(1), u32(fields.length)],
      ...fields.flatMap(([name, value]) => [scVal.symbol(name), value]),
    ]),
} as const;
