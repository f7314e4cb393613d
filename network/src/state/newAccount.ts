import { xdr } from '@stellar/stellar-sdk';

/**
 * The sequence number of an account created in this ledger: the ledger's number in the upper half, so that a recreated account
 * cannot reuse its earlier sequence numbers.
 */
export function startingSequence(ledgerSeq: number): bigint {
  return BigInt(ledgerSeq) << 32n;
}

/** A new account, as CreateAccount creates it, with a balance in stroops. */
export function newAccount(
  accountId: xdr.PublicKey,
  balance: bigint,
  ledgerSeq: number,
): xdr.AccountEntry {
  return new xdr.AccountEntry({
    accountId,
    balance,
    seqNum: startingSequence(ledgerSeq),
    numSubEntries: 0,
    inflationDest: null,
    flags: 0,
    homeDomain: '',
    thresholds: Uint8Array.of(1, 0, 0, 0),
    signers: [],
    ext: xdr.AccountEntryExt.v0(),
  });
}
