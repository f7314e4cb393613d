import type { xdr } from '@stellar/stellar-sdk';
import { accountFields, accountText } from '../format/address.ts';
import { timeText } from '../format/time.ts';
import { type HistoryOperation, sponsorOfOperation } from '../history/historyOperation.ts';
import type { Links } from '../http/horizonRequest.ts';
import { operationDetails } from '../operations/operationDetails.ts';
import { transactionResource } from './transaction.ts';

/** The types of operations; the index of each is its number. */
const TYPES: readonly xdr.OperationBody['type'][] = [
  'createAccount',
  'payment',
  'pathPaymentStrictReceive',
  'manageSellOffer',
  'createPassiveSellOffer',
  'setOptions',
  'changeTrust',
  'allowTrust',
  'accountMerge',
  'inflation',
  'manageData',
  'bumpSequence',
  'manageBuyOffer',
  'pathPaymentStrictSend',
  'createClaimableBalance',
  'claimClaimableBalance',
  'beginSponsoringFutureReserves',
  'endSponsoringFutureReserves',
  'revokeSponsorship',
  'clawback',
  'clawbackClaimableBalance',
  'setTrustLineFlags',
  'liquidityPoolDeposit',
  'liquidityPoolWithdraw',
  'invokeHostFunction',
  'extendFootprintTtl',
  'restoreFootprint',
];

/** An operation in the form of `/operations/{id}` and `/payments`. */
export type OperationResource = ReturnType<typeof operationResource>;

/** @param join whether the operation's transaction is included */
export function operationResource(links: Links, operation: HistoryOperation, join: boolean) {
  const { body, source, ledger, transaction } = operation;
  const id = String(operation.id);
  const self = `/operations/${id}`;
  const sponsor = sponsorOfOperation(operation);
  return {
    _links: {
      self: links.to(self),
      transaction: links.to(`/transactions/${transaction.hash}`),
      effects: links.to(`${self}/effects`),
      succeeds: links.to(`/effects?order=desc&cursor=${id}`),
      precedes: links.to(`/effects?order=asc&cursor=${id}`),
    },
    id,
    paging_token: id,
    transaction_successful: transaction.successful,
    ...accountFields('source_account', source),
    type: snake(body.type),
    type_i: TYPES.indexOf(body.type),
    created_at: timeText(ledger.closeTime),
    transaction_hash: transaction.hash,
    transaction: join ? transactionResource(links, { ledger, transaction }) : undefined,
    sponsor: sponsor && accountText(sponsor),
    ...operationDetails(operation),
  };
}

export function operationRecord(links: Links, operation: HistoryOperation, join: boolean) {
  return {
    token: String(operation.id),
    resource: operationResource(links, operation, join),
  };
}

/** `createAccount` as `create_account`. */
type Snake<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Snake<Rest>}`
  : '';

function snake<Name extends string>(name: Name): Snake<Name> {
  const text: string = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return text as Snake<Name>;
}
