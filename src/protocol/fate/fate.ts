import type { MoneyMoved } from '../errors/errorRow.ts';
import type { SettlementHash } from '../settlementHash.ts';

/**
 * What is known about an authorization (network, payer, nonce), submitted by anyone. Every statement about a payment's money is
 * derived from one of these states, never from the fate of one transaction: an envelope that can no longer be included says
 * nothing about the authorization that it carried.
 */
export type AuthorizationFate =
  /** A successful transaction carries the authorization. */
  | {
      readonly state: 'paid';
      /** `undefined` if a record proves the payment, but no server has its transaction any more. */
      readonly hash: SettlementHash | undefined;
      readonly ledger: number | undefined;
      readonly evidence: PaidEvidence;
    }
  /** Nothing has used it so far, and it can pay up to and including ledger `until`. */
  | { readonly state: 'open'; readonly until: number }
  /** It can never pay, which was proved. */
  | { readonly state: 'void'; readonly evidence: VoidEvidence }
  /** No source returned the evidence, or it does not reach back far enough. */
  | { readonly state: 'unknown'; readonly because: UnknownBecause };

export type PaidEvidence =
  /** Our own record of the settlement. */
  | 'journal'
  /** The ledger that used the nonce has a successful transaction with this authorization. */
  | 'nonce'
  /** A transaction that moved the asset carries this authorization; its nonce has expired since. */
  | 'movement'
  /** The record of the contract that settles scheme `upto`. */
  | 'contract_record';

export type VoidEvidence =
  /** It was never signed, has no valid signature, or never left the program that signed it. */
  | 'never_valid'
  /** In its last ledger or later, an unexpired record of its nonce would exist and does not. */
  | 'unused_at_expiration'
  /** Its last ledger has passed, and the history from its first possible ledger to its last has no transaction with it. */
  | 'searched'
  /** Another call of the payer used the nonce, and the ledger keeps that for longer than this authorization is valid. */
  | 'nonce_used_otherwise'
  /** The contract that settles scheme `upto` has settled it with an amount of zero, which uses it up. */
  | 'settled_at_zero';

export type UnknownBecause =
  /** No source answered, or its answer was unreadable. */
  | 'unreadable'
  /** The history of the sources that answered starts too late. */
  | 'history_too_short'
  /** The payer moved the asset too often in this time to read every transaction. */
  | 'too_many_movements'
  /** No source has the transaction, or an entry of the nonce, which proves nothing about an unknown authorization. */
  | 'not_found'
  /** The nonce is used, and the transaction that used it was not found. */
  | 'user_of_nonce_not_found'
  /** The token is not a Stellar asset: a payment may leave no event that is known here. */
  | 'token_may_be_silent'
  /** The transaction that carries it succeeded, and shows nothing of the payment: a token of its own code may have moved nothing. */
  | 'shows_nothing'
  /**
   * The latest ledger of the server is long before the one for which the payment was signed: the test network was reset, and
   * nothing shows any more whether it was paid on the old one.
   */
  | 'network_reset';

/**
 * Returns the statement about money that a fate permits.
 *
 * @example
 * ```ts
 * moneyMovedBy({ state: 'open', until: 1_234 }); // 'not_yet': present the same payload again
 * ```
 */
export function moneyMovedBy(fate: AuthorizationFate): Exclude<MoneyMoved, 'fees'> {
  switch (fate.state) {
    case 'paid':
      return 'yes';
    case 'open':
      return 'not_yet';
    case 'void':
      return 'no';
    case 'unknown':
      return 'unknown';
  }
}

/** Returns the fate in one sentence without a full stop, for messages; advice follows from it. */
export function fateInWords(fate: AuthorizationFate): string {
  switch (fate.state) {
    case 'paid':
      return fate.hash === undefined
        ? 'the payment is made; its transaction is no longer available'
        : `the payment is made: transaction ${fate.hash}${fate.ledger === undefined ? '' : ` in ledger ${fate.ledger}`}`;
    case 'open':
      return `nothing was paid so far; the authorization can still pay until ledger ${fate.until}`;
    case 'void':
      return `nothing was paid, and this authorization can no longer pay: ${VOID_IN_WORDS[fate.evidence]}`;
    case 'unknown':
      return `whether the payment was made is not known: ${UNKNOWN_IN_WORDS[fate.because]}`;
  }
}

const VOID_IN_WORDS: Readonly<Record<VoidEvidence, string>> = {
  never_valid: 'it has no valid signature',
  unused_at_expiration: 'it was unused in its last ledger',
  searched: 'it has expired, and no ledger has a transaction with it',
  nonce_used_otherwise: 'another call of the payer used its nonce',
  settled_at_zero: 'it was settled with an amount of zero',
};

const UNKNOWN_IN_WORDS: Readonly<Record<UnknownBecause, string>> = {
  unreadable: 'no server returned the entries of the ledger',
  history_too_short: 'the history of the RPC server does not reach back far enough',
  too_many_movements: 'the payer moved this asset too often to read every transaction',
  not_found: 'the ledger shows no payment under this name, which does not prove that there is none',
  user_of_nonce_not_found: 'its nonce is used, but the transaction that used it was not found',
  token_may_be_silent: 'the token may pay without an event',
  shows_nothing: 'its transaction succeeded, and shows nothing that arrived',
  network_reset:
    'the Stellar test network was reset: it started again, and the accounts, balances and payments of the old network no longer exist',
};
