import type { xdr } from '@stellar/stellar-sdk';
import { type LedgerService, NO_MOVES } from '../close/index.ts';
import { accountKeyId, type LedgerTxn } from '../state/index.ts';
import { holdNative } from './holdings.ts';

/** An account that is funded at the start, and again after a reset. */
export interface FundedAccount {
  readonly publicKey: xdr.PublicKey;
  /** In stroops. */
  readonly balance: bigint;
}

/** Creates the accounts that do not exist yet, in one ledger. @throws LedgerServiceError */
export function fundAccounts(service: LedgerService, accounts: readonly FundedAccount[]): void {
  const { state, networkId } = service.engine;
  if (accounts.every(({ publicKey }) => state.peek(accountKeyId(publicKey)) !== undefined)) return;
  service.amendLedger((ltx) => {
    createAccounts(ltx, networkId, accounts);
    return NO_MOVES;
  });
}

/** Creates the accounts that do not exist yet. An existing account keeps its balance. */
export function createAccounts(
  ltx: LedgerTxn,
  networkId: Uint8Array,
  accounts: readonly FundedAccount[],
): void {
  for (const { publicKey, balance } of accounts) {
    if (ltx.peek(accountKeyId(publicKey)) !== undefined) continue;
    holdNative(ltx, networkId, publicKey, balance);
  }
}
