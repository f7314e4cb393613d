import type { ContractAddress } from '../../../common/address.ts';
import type { AtomicAmount } from '../../../common/amount.ts';
import { NETWORK_ID, scVal } from './scBytes.ts';

/** Returns what the voucher key signs for `amount` in all. */
export type CommitmentBytes = (amount: AtomicAmount) => Buffer;

/** The field `amount` comes first: three words of the map, 12 bytes of its name, and the type. */
const AMOUNT_AT = 32;

/**
 * Returns the bytes of a channel's vouchers: 192 bytes of XDR, equal but for the amount. They are those of stock MPP, and of the
 * contract's `prepare_commitment`.
 * @throws RangeError if `channel` is not a contract's address
 * @example
 * const bytes = commitmentBytes(channel);
 * const signature = sign(null, bytes(amount), key);
 */
export function commitmentBytes(channel: ContractAddress): CommitmentBytes {
  const template = scVal.map([
    ['amount', scVal.i128()],
    ['channel', scVal.address(channel)],
    ['domain', scVal.symbol('chancmmt')],
    ['network', scVal.bytes32(NETWORK_ID)],
  ]);
  return (amount) => {
    const bytes = Buffer.from(template);
    bytes.writeBigUInt64BE(amount >> 64n, AMOUNT_AT);
    bytes.writeBigUInt64BE(BigInt.asUintN(64, amount), AMOUNT_AT + 8);
    return bytes;
  };
}

/**
 * Returns what the voucher key signs to start closing a channel, for the contract's `close_start_signed`. It is never a voucher.
 * @throws RangeError if `channel` is not a contract's address
 */
export function closingBytes(channel: ContractAddress): Buffer {
  return scVal.map([
    ['channel', scVal.address(channel)],
    ['domain', scVal.symbol('chanclose')],
    ['network', scVal.bytes32(NETWORK_ID)],
  ]);
}
