import { timeText } from '../format/time.ts';
import type { HorizonView } from '../horizonView.ts';
import { type Links, linkOf } from '../http/horizonRequest.ts';

const MARKET =
  'base_asset_type={base_asset_type}&base_asset_code={base_asset_code}&base_asset_issuer={base_asset_issuer}' +
  '&counter_asset_type={counter_asset_type}&counter_asset_code={counter_asset_code}&counter_asset_issuer={counter_asset_issuer}';

/** The resource at `/`. */
export type RootResource = ReturnType<typeof rootResource>;

/** Lists the available endpoints and describes the network. */
export function rootResource(view: HorizonView, links: Links) {
  const { history, network } = view;
  const { latest } = history;
  const protocol = latest.header.ledgerVersion;
  return {
    _links: {
      account: links.to('/accounts/{account_id}'),
      accounts: links.to('/accounts{?signer,sponsor,asset,liquidity_pool,cursor,limit,order}'),
      account_transactions: links.paged('/accounts/{account_id}/transactions'),
      claimable_balances: links.to(
        '/claimable_balances{?asset,sponsor,claimant,cursor,limit,order}',
      ),
      assets: links.to('/assets{?asset_code,asset_issuer,cursor,limit,order}'),
      effects: links.to('/effects{?cursor,limit,order}'),
      fee_stats: links.to('/fee_stats'),
      friendbot:
        network.friendbotUrl === null ? undefined : linkOf(`${network.friendbotUrl}{?addr}`),
      ledger: links.to('/ledgers/{sequence}'),
      ledgers: links.to('/ledgers{?cursor,limit,order}'),
      liquidity_pools: links.to('/liquidity_pools{?reserves,account,cursor,limit,order}'),
      offer: links.to('/offers/{offer_id}'),
      offers: links.to('/offers{?selling,buying,seller,sponsor,cursor,limit,order}'),
      operation: links.to('/operations/{id}'),
      operations: links.to('/operations{?cursor,limit,order,include_failed}'),
      order_book: links.to(
        '/order_book{?selling_asset_type,selling_asset_code,selling_asset_issuer,' +
          'buying_asset_type,buying_asset_code,buying_asset_issuer,limit}',
      ),
      payments: links.to('/payments{?cursor,limit,order,include_failed}'),
      self: links.to('/'),
      strict_receive_paths: links.to(
        '/paths/strict-receive{?source_assets,source_account,destination_account,' +
          'destination_asset_type,destination_asset_issuer,destination_asset_code,destination_amount}',
      ),
      strict_send_paths: links.to(
        '/paths/strict-send{?destination_account,destination_assets,source_asset_type,' +
          'source_asset_issuer,source_asset_code,source_amount}',
      ),
      trade_aggregations: links.to(`/trade_aggregations?${MARKET}`),
      trades: links.to(`/trades?${MARKET}`),
      transaction: links.to('/transactions/{hash}'),
      transactions: links.paged('/transactions'),
    },
    horizon_version: 'svc-x402',
    core_version: 'svc-x402',
    ingest_latest_ledger: latest.sequence,
    history_latest_ledger: latest.sequence,
    history_latest_ledger_closed_at: timeText(latest.closeTime),
    history_elder_ledger: history.oldestSequence,
    core_latest_ledger: latest.sequence,
    network_passphrase: network.passphrase,
    current_protocol_version: protocol,
    supported_protocol_version: protocol,
    core_supported_protocol_version: protocol,
  };
}
