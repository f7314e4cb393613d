/**
 * What every part of the product says once the test network began again from its first ledger, as it does a few times a year.
 * The service adds what it does about it.
 */
export const NETWORK_RESET_WORDS =
  'The Stellar test network was reset: it began again, and the accounts, balances and payments of the old network no longer exist.';
