import { type ContractAddress, parseAtomicAmount } from '../protocol/index.ts';
import type { VoucherStore } from '../seller/sessions/index.ts';
import { type Database, StoreError } from '../server/store/index.ts';

interface Row {
  readonly amount: string;
  readonly signature: string;
}

/**
 * Keeps vouchers in a database, for every process that shares it. A replaced voucher is as durable as the
 * database's other changes. Rejects with StoreError.
 */
export function databaseVouchers(database: Database): VoucherStore {
  return {
    async newest(channel: ContractAddress) {
      const [row] = await database.all<Row>(
        'SELECT amount, signature FROM session_vouchers WHERE channel = ?',
        [channel],
      );
      if (row === undefined) return undefined;
      const amount = parseAtomicAmount(row.amount);
      if (amount === undefined) {
        throw new StoreError('failed', `the amount of the voucher of ${channel} is damaged`);
      }
      return { amount, signature: row.signature };
    },
    async replace(channel, expected, { amount, signature }) {
      const next = [`${amount}`, signature];
      const changed =
        expected === undefined
          ? await database.run(
              `INSERT INTO session_vouchers (amount, signature, channel) VALUES (?, ?, ?)
               ON CONFLICT (channel) DO NOTHING`,
              [...next, channel],
            )
          : await database.run(
              `UPDATE session_vouchers SET amount = ?, signature = ?
               WHERE channel = ? AND amount = ? AND signature = ?`,
              [...next, channel, `${expected.amount}`, expected.signature],
            );
      return changed === 1;
    },
  };
}
