import type { Migration } from '../migrate.ts';

/**
 * The newest voucher of each session's channel.
 * - `amount`: what belongs to the recipient in all, in atomic units. Text, since it may have 39 digits.
 * - `signature`: without it, nothing can be claimed.
 */
export const sessionVouchers: Migration = {
  name: '061-session-vouchers',
  statements: () => [
    `CREATE TABLE session_vouchers (
      channel TEXT PRIMARY KEY,
      amount TEXT NOT NULL,
      signature TEXT NOT NULL
    )`,
  ],
};
