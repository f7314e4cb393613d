import { createHash } from 'node:crypto';
import type { ContractAddress, StellarAddress } from '../../../common/address.ts';
import { encodeStrKey } from '../../../common/strKey.ts';
import { NETWORK_ID, scContract, scVal, u32 } from './scBytes.ts';

/** What a channel's address commits to. */
export interface ChannelTerms {
  /** Contract of the token. */
  readonly token: ContractAddress;
  readonly payer: StellarAddress;
  /** The Ed25519 key that signs vouchers: 32 bytes. */
  readonly voucherKey: Uint8Array;
  readonly recipient: StellarAddress;
  /** Ledgers between the start of closing and the refund. */
  readonly waitingPeriod: number;
  /** Distinguishes channels whose other terms are equal: 32 bytes. */
  readonly salt: Uint8Array;
}

const ENVELOPE_TYPE_CONTRACT_ID = 8;
const FROM_ADDRESS = 0;

/**
 * Returns the address of the channel with these terms, whether it exists or not: what `address(terms)` of the opener returns. A
 * payment to it is a deposit under these terms.
 * @throws RangeError if `opener` or `token` is not a contract's address, or a key or salt does not have 32 bytes
 */
export function channelAddress(opener: ContractAddress, terms: ChannelTerms): ContractAddress {
  const { token, payer, voucherKey, recipient, waitingPeriod, salt } = terms;
  if (voucherKey.length !== 32 || salt.length !== 32) {
    throw new RangeError('a voucher key and a salt have 32 bytes each');
  }
  const deployment = sha256(
    scVal.map([
      ['commitment_key', scVal.bytes32(voucherKey)],
      ['from', scVal.address(payer)],
      ['refund_waiting_period', scVal.u32(waitingPeriod)],
      ['salt', scVal.bytes32(salt)],
      ['to', scVal.address(recipient)],
      ['token', scVal.address(token)],
    ]),
  );
  const preimage = Buffer.concat([
    ...[u32(ENVELOPE_TYPE_CONTRACT_ID), NETWORK_ID],
    ...[u32(FROM_ADDRESS), scContract(opener), deployment],
  ]);
  return encodeStrKey('contract', sha256(preimage)) as ContractAddress;
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
