import type { xdr } from '@stellar/stellar-sdk';
import { amountText } from '../format/amount.ts';
import { canonicalAsset } from '../format/asset.ts';
import { balanceIdText } from '../format/balanceId.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Links } from '../http/horizonRequest.ts';
import { claimantText } from '../operations/operationDetails.ts';
import { sponsorText } from './balance.ts';

const CLAWBACK_ENABLED = 1;

/** A claimable balance in the form of `/claimable_balances/{id}`. */
export type ClaimableBalanceResource = ReturnType<typeof claimableBalanceRecord>['resource'];

export function claimableBalanceRecord(
  view: HorizonView,
  links: Links,
  entry: xdr.LedgerEntry,
  balance: xdr.ClaimableBalanceEntry,
) {
  const id = balanceIdText(balance.balanceId);
  const self = `/claimable_balances/${id}`;
  const flags = balance.ext.type === 'v1' ? balance.ext.v1.flags : 0;
  const token = `${entry.lastModifiedLedgerSeq}-${id}`;
  return {
    token,
    resource: {
      _links: {
        self: links.to(self),
        transactions: links.paged(`${self}/transactions`),
        operations: links.paged(`${self}/operations`),
      },
      id,
      asset: canonicalAsset(balance.asset),
      amount: amountText(balance.amount),
      sponsor: sponsorText(entry),
      last_modified_ledger: entry.lastModifiedLedgerSeq,
      last_modified_time: view.closeTimeText(entry.lastModifiedLedgerSeq),
      claimants: balance.claimants.map(claimantText),
      flags: { clawback_enabled: (flags & CLAWBACK_ENABLED) !== 0 },
      paging_token: token,
    },
  };
}
