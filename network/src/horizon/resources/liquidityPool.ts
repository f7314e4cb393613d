import type { xdr } from '@stellar/stellar-sdk';
import { poolFields } from '../effects/paymentEffects.ts';
import { hexText } from '../format/hex.ts';
import type { HorizonView } from '../horizonView.ts';
import type { Links } from '../http/horizonRequest.ts';

/** A pool in the form of `/liquidity_pools/{id}`. */
export type LiquidityPoolResource = ReturnType<typeof liquidityPoolRecord>['resource'];

export function liquidityPoolRecord(
  view: HorizonView,
  links: Links,
  entry: xdr.LedgerEntry,
  pool: xdr.LiquidityPoolEntry,
) {
  const id = hexText(pool.liquidityPoolId.value);
  const self = `/liquidity_pools/${id}`;
  return {
    token: id,
    resource: {
      _links: {
        self: links.to(self),
        transactions: links.paged(`${self}/transactions`),
        operations: links.paged(`${self}/operations`),
      },
      ...poolFields(pool),
      paging_token: id,
      last_modified_ledger: entry.lastModifiedLedgerSeq,
      last_modified_time: view.closeTimeText(entry.lastModifiedLedgerSeq),
    },
  };
}
