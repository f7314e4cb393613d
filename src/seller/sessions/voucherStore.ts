import type { ContractAddress } from '../../protocol/index.ts';
import type { StoredVoucher } from './accept.ts';

/**
 * Where a seller keeps the newest voucher of each channel: amount and signature, since without the signature nothing can be
 * claimed. Sellers of one channel share one store.
 */
export interface VoucherStore {
  /** Returns the newest voucher; `undefined` if there is none. */
  newest(channel: ContractAddress): Promise<StoredVoucher | undefined>;
  /**
   * Replaces the newest voucher if it is still `expected`. What is stored when this resolves survives the process, as far as the
   * store does. Rejects if nothing can be stored; then nothing is served.
   * @returns whether it was replaced; if not, another request was charged in between
   */
  replace(
    channel: ContractAddress,
    expected: StoredVoucher | undefined,
    voucher: StoredVoucher,
  ): Promise<boolean>;
}

/** Keeps vouchers in memory. A seller that is restarted has forgotten what it could claim. */
export function memoryVouchers(): VoucherStore {
  const vouchers = new Map<ContractAddress, StoredVoucher>();
  return {
    newest: async (channel) => vouchers.get(channel),
    replace: async (channel, expected, voucher) => {
      const { amount, signature } = voucher;
      const stored = vouchers.get(channel);
      const isExpected =
        stored?.amount === expected?.amount && stored?.signature === expected?.signature;
      if (isExpected) vouchers.set(channel, { amount, signature });
      return isExpected;
    },
  };
}
