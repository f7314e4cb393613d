/** Sessions: channels whose address is the hash of their terms, and the vouchers that spend their deposits. */
export { type ChannelTerms, channelAddress } from './channelAddress.ts';
export { type CommitmentBytes, closingBytes, commitmentBytes } from './commitment.ts';
export { readVoucherKey, type VoucherKey } from './voucherKey.ts';
