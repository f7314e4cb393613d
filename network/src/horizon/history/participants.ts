import type { xdr } from '@stellar/stellar-sdk';
import { type AccountIdString, accountIdString } from '../../state/index.ts';
import { type HistoryOperation, sponsorOfOperation } from './historyOperation.ts';
import type { HistoryTransaction } from './historyTransaction.ts';

/** The accounts that an operation involves (Horizon `operations_processor`, `Participants`). */
export function operationParticipants(operation: HistoryOperation): Set<AccountIdString> {
  const participants = new Set([mux(operation.source)]);
  for (const other of othersOf(operation)) participants.add(other);
  const sponsor = sponsorOfOperation(operation);
  if (sponsor !== undefined) participants.add(accountIdString(sponsor));
  return participants;
}

/** The accounts that a transaction involves: those of its operations, and those that it or its fee changed. */
export function transactionParticipants(past: HistoryTransaction): Set<AccountIdString> {
  const { transaction } = past;
  const participants = new Set([mux(past.source)]);
  const { envelope } = transaction;
  if (envelope.type === 'envelopeTypeTxFeeBump')
    participants.add(mux(envelope.feeBump.tx.feeSource));
  for (const change of transaction.feeChanges) {
    if (change.type === 'ledgerEntryUpdated' && change.updated.data.type === 'account') {
      participants.add(accountIdString(change.updated.data.account.accountId));
    }
  }
  for (const operation of past.operations) {
    for (const account of operationParticipants(operation)) participants.add(account);
    for (const { before, after } of operation.deltas) {
      const { data } = after ?? before ?? {};
      if (data?.type === 'account') participants.add(accountIdString(data.account.accountId));
    }
  }
  return participants;
}

/** The operation that began the sponsorship that this one ends. */
export function beginningOf(operation: HistoryOperation): HistoryOperation | undefined {
  if (!operation.transaction.successful) return undefined;
  const sponsored = mux(operation.source);
  return operation.in.operations
    .slice(0, operation.index)
    .reverse()
    .find(
      ({ body }) =>
        body.type === 'beginSponsoringFutureReserves' &&
        accountIdString(body.beginSponsoringFutureReservesOp.sponsoredId) === sponsored,
    );
}

function othersOf(operation: HistoryOperation): AccountIdString[] {
  const { body } = operation;
  switch (body.type) {
    case 'createAccount':
      return [accountIdString(body.createAccountOp.destination)];
    case 'payment':
    case 'pathPaymentStrictReceive':
    case 'pathPaymentStrictSend':
      return [mux(body.value.destination)];
    case 'allowTrust':
      return [accountIdString(body.allowTrustOp.trustor)];
    case 'setTrustLineFlags':
      return [accountIdString(body.setTrustLineFlagsOp.trustor)];
    case 'accountMerge':
      return [mux(body.destination)];
    case 'createClaimableBalance':
      return body.createClaimableBalanceOp.claimants.map(({ v0 }) =>
        accountIdString(v0.destination),
      );
    case 'beginSponsoringFutureReserves':
      return [accountIdString(body.beginSponsoringFutureReservesOp.sponsoredId)];
    case 'endSponsoringFutureReserves': {
      const beginning = beginningOf(operation);
      return beginning === undefined ? [] : [mux(beginning.source)];
    }
    case 'revokeSponsorship': {
      const { revokeSponsorshipOp: revoked } = body;
      return revoked.type === 'revokeSponsorshipLedgerEntry'
        ? ownersOf(revoked.ledgerKey)
        : [accountIdString(revoked.signer.accountId)];
    }
    case 'clawback':
      return [mux(body.clawbackOp.from)];
    case 'invokeHostFunction':
      return [...touchedOwners(operation), ...eventParties(operation)];
    default:
      return [];
  }
}

function ownersOf(key: xdr.LedgerKey): AccountIdString[] {
  switch (key.type) {
    case 'account':
      return [accountIdString(key.account.accountId)];
    case 'trustline':
      return [accountIdString(key.trustLine.accountId)];
    case 'data':
      return [accountIdString(key.data.accountId)];
    case 'offer':
      return [accountIdString(key.offer.sellerId)];
    default:
      return [];
  }
}

function touchedOwners({ deltas }: HistoryOperation): AccountIdString[] {
  return deltas.flatMap(({ before, after }) => {
    const { data } = after ?? before ?? {};
    if (data?.type === 'account') return [accountIdString(data.account.accountId)];
    if (data?.type === 'trustline') return [accountIdString(data.trustLine.accountId)];
    return [];
  });
}

function eventParties({ assetEvents }: HistoryOperation): AccountIdString[] {
  return assetEvents
    .flatMap(({ from, to }) => [from, to])
    .flatMap((party) =>
      party?.type === 'scAddressTypeAccount' ? [accountIdString(party.accountId)] : [],
    );
}

function mux(address: xdr.MuxedAccount): AccountIdString {
  const key = address.type === 'keyTypeEd25519' ? address.ed25519 : address.med25519.ed25519;
  return Buffer.from(key.value).toString('latin1') as AccountIdString;
}
