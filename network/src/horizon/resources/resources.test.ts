import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Horizon } from '@stellar/stellar-sdk';
import { type Except, fits } from '../../../test/helpers/fits.ts';
import type { AssetFields } from '../format/asset.ts';
import type { AccountResource } from './account.ts';
import type { AssetResource } from './assetStatistics.ts';
import type { ClaimableBalanceResource } from './claimableBalance.ts';
import type { EffectResource } from './effect.ts';
import type { FeeStatsResource } from './feeStats.ts';
import type { LedgerResource } from './ledger.ts';
import type { LiquidityPoolResource } from './liquidityPool.ts';
import type { OfferResource } from './offer.ts';
import type { OperationResource } from './operation.ts';
import type { OrderBookResource } from './orderBook.ts';
import type { PathResource } from './path.ts';
import type { RootResource } from './root.ts';
import type { TradeResource } from './trade.ts';
import type { TradeBucketResource } from './tradeBucket.ts';
import type { TransactionResource } from './transaction.ts';

/** The SDK's types have a time; Horizon sends null for ledgers that it no longer stores. */
interface Modified {
  last_modified_time: string | null;
}
/** The SDK's types have a flag that Horizon sends only if it is set (`is_clawback_enabled,omitempty`). */
interface Clawback {
  is_clawback_enabled?: boolean;
}
/** The native asset has no trustlines; the type system cannot express that. */
type Balance =
  | Horizon.HorizonApi.BalanceLineNative
  | Except<Horizon.HorizonApi.BalanceLineAsset, Clawback & AssetFields>
  | Except<Horizon.HorizonApi.BalanceLineLiquidityPool, Clawback>;
/** No upper bound is absent. */
type Preconditions = Except<
  Horizon.HorizonApi.TransactionPreconditions,
  {
    timebounds?: { min_time: string; max_time?: string };
    ledgerbounds?: { min_ledger: number; max_ledger?: number };
  }
>;

/** Every fee bump has the hash; the type system cannot express that. */
type InnerTransaction = Except<Horizon.HorizonApi.InnerTransactionResponse, { hash?: string }>;

describe('Resources of Horizon are what the Stellar SDK reads', () => {
  it('every resource: one that the SDK cannot take is an error of the compiler', () => {
    const compared = {
      account: fits<
        AccountResource,
        Except<Horizon.HorizonApi.AccountResponse, Modified & { balances: Balance[] }>
      >(),
      // The SDK's type has a link to itself, which Horizon does not send here, as with trades' and effects'.
      assetStatistics: fits<AssetResource, Omit<Horizon.ServerApi.AssetRecord, '_links'>>(),
      claimableBalance: fits<ClaimableBalanceResource, Horizon.ServerApi.ClaimableBalanceRecord>(),
      // An effect's type decides its details; these are the shared fields. The SDK has
      // no record for some types, such as `account_removed`.
      effect: fits<
        EffectResource,
        Except<
          Pick<Horizon.ServerApi.EffectRecord, 'id' | 'account' | 'paging_token' | 'created_at'>,
          { type: string; type_i: number }
        >
      >(),
      feeStats: fits<FeeStatsResource, Horizon.HorizonApi.FeeStatsResponse>(),
      ledger: fits<LedgerResource, Horizon.ServerApi.LedgerRecord>(),
      liquidityPool: fits<LiquidityPoolResource, Horizon.ServerApi.LiquidityPoolRecord>(),
      offer: fits<OfferResource, Except<Horizon.ServerApi.OfferRecord, Modified>>(),
      // The SDK's type has `bump_footprint_expiration`, the name of `extend_footprint_ttl` before protocol 20.
      operation: fits<
        OperationResource,
        Except<
          Horizon.HorizonApi.BaseOperationResponse,
          { type: `${Horizon.HorizonApi.OperationResponseType}` | 'extend_footprint_ttl' }
        >
      >(),
      // The SDK's type has links, which Horizon does not send for a market or a path.
      orderBook: fits<
        OrderBookResource,
        Except<
          Omit<Horizon.ServerApi.OrderbookRecord, '_links'>,
          { base: AssetFields; counter: AssetFields }
        >
      >(),
      // The SDK's type has code and issuer, which Horizon leaves out for the native asset.
      path: fits<
        PathResource,
        Except<
          Omit<Horizon.ServerApi.PaymentPathRecord, '_links'>,
          AssetFields<'source_'> & AssetFields<'destination_'> & { path: AssetFields[] }
        >
      >(),
      root: fits<RootResource, Horizon.HorizonApi.RootResponse>(),
      // The project has one type for both kinds of trades; the SDK separates them by `trade_type`.
      trade: fits<
        TradeResource,
        Except<
          Horizon.ServerApi.TradeRecord.Orderbook,
          {
            trade_type: `${Exclude<Horizon.ServerApi.TradeType, Horizon.ServerApi.TradeType.all>}`;
            base_account?: string;
            base_offer_id?: string;
            counter_account?: string;
            counter_offer_id?: string;
          }
        >
      >(),
      // The SDK does not export its type; it reads these fields.
      tradeBucket: fits<
        TradeBucketResource,
        Record<'timestamp' | 'trade_count' | 'base_volume' | 'counter_volume' | 'avg', string> &
          Record<'high' | 'low' | 'open' | 'close', string>
      >(),
      transaction: fits<
        TransactionResource,
        Except<
          Horizon.HorizonApi.TransactionResponse,
          { preconditions?: Preconditions; inner_transaction?: InnerTransaction }
        >
      >(),
    };
    const files = readdirSync(new URL('.', import.meta.url))
      .filter((name) => !name.endsWith('.test.ts') && name !== 'balance.ts')
      .map((name) => name.replace(/\.ts$/, ''));
    assert.deepEqual(Object.keys(compared).sort(), files.sort());
  });
});
