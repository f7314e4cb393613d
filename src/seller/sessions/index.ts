/** Selling in sessions: which vouchers a seller may serve for, and where it keeps them. */
export {
  type ChannelReading,
  judgeVoucher,
  type SessionChannel,
  type SessionOffer,
  type StoredVoucher,
  sessionChannel,
  type VoucherCase,
  type VoucherJudgement,
  type VoucherRefusal,
} from './accept.ts';
export { memoryVouchers, type VoucherStore } from './voucherStore.ts';
