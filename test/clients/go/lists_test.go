package clients

import (
	"context"
	"testing"
	"time"

	"github.com/stellar/go-stellar-sdk/clients/horizonclient"
	"github.com/stellar/go-stellar-sdk/keypair"
	"github.com/stellar/go-stellar-sdk/protocols/horizon"
	"github.com/stellar/go-stellar-sdk/protocols/horizon/operations"
	"github.com/stellar/go-stellar-sdk/txnbuild"
)

// lists reads every list and detail of Horizon that the client knows, after the operations above.
func lists(t *testing.T, s scene, pool txnbuild.LiquidityPoolId) {
	read := func(name string, call func() (any, error)) {
		t.Run("reads "+name, func(t *testing.T) {
			answer, err := call()
			must(t, err)
			understood(t, answer)
		})
	}
	ada, coin := s.ada.Address(), s.coin.Code
	pair := horizonclient.OrderBookRequest{SellingAssetType: horizonclient.AssetType4, SellingAssetCode: coin, SellingAssetIssuer: s.coin.Issuer, BuyingAssetType: horizonclient.AssetTypeNative}
	trades := horizonclient.TradeRequest{BaseAssetType: horizonclient.AssetTypeNative, CounterAssetType: horizonclient.AssetType4, CounterAssetCode: coin, CounterAssetIssuer: s.coin.Issuer}
	read("the root", func() (any, error) { return client.Root() })
	read("fee statistics", func() (any, error) { return client.FeeStats() })
	read("an account", func() (any, error) { return client.AccountDetail(horizonclient.AccountRequest{AccountID: ada}) })
	read("data of an account", func() (any, error) {
		return client.AccountData(horizonclient.AccountRequest{AccountID: ada, DataKey: "kept"})
	})
	read("accounts by signer", func() (any, error) { return client.Accounts(horizonclient.AccountsRequest{Signer: ada}) })
	read("accounts by asset", func() (any, error) {
		return client.Accounts(horizonclient.AccountsRequest{Asset: coin + ":" + s.coin.Issuer})
	})
	read("accounts by sponsor", func() (any, error) { return client.Accounts(horizonclient.AccountsRequest{Sponsor: ada}) })
	read("accounts by pool", func() (any, error) {
		return client.Accounts(horizonclient.AccountsRequest{LiquidityPool: poolText(pool)})
	})
	read("assets", func() (any, error) { return client.Assets(horizonclient.AssetRequest{ForAssetIssuer: s.coin.Issuer}) })
	read("ledgers", func() (any, error) { return client.Ledgers(horizonclient.LedgerRequest{Limit: 200}) })
	read("a ledger", func() (any, error) { return client.LedgerDetail(3) })
	read("offers", func() (any, error) { return client.Offers(horizonclient.OfferRequest{ForAccount: s.bob.Address()}) })
	read("offers by asset", func() (any, error) {
		return client.Offers(horizonclient.OfferRequest{Selling: coin + ":" + s.coin.Issuer})
	})
	t.Run("reads an offer", func(t *testing.T) {
		page, err := client.Offers(horizonclient.OfferRequest{ForAccount: s.bob.Address()})
		must(t, err)
		if len(page.Embedded.Records) == 0 {
			t.Fatal("no offers")
		}
		offer, err := client.OfferDetails(text(page.Embedded.Records[0].ID))
		must(t, err)
		understood(t, offer)
	})
	read("the order book", func() (any, error) { return client.OrderBook(pair) })
	read("strict receive paths", func() (any, error) {
		return client.StrictReceivePaths(horizonclient.PathsRequest{SourceAccount: ada, DestinationAssetType: horizonclient.AssetType4, DestinationAssetCode: coin, DestinationAssetIssuer: s.coin.Issuer, DestinationAmount: "1"})
	})
	read("strict send paths", func() (any, error) {
		return client.StrictSendPaths(horizonclient.StrictSendPathsRequest{SourceAssetType: horizonclient.AssetTypeNative, SourceAmount: "10", DestinationAssets: coin + ":" + s.coin.Issuer})
	})
	read("trades of a pair", func() (any, error) { return client.Trades(trades) })
	read("trades of an account", func() (any, error) { return client.Trades(horizonclient.TradeRequest{ForAccount: ada}) })
	read("trades of pools", func() (any, error) {
		return client.Trades(horizonclient.TradeRequest{TradeType: "liquidity_pool"})
	})
	read("trade aggregations", func() (any, error) {
		return client.TradeAggregations(horizonclient.TradeAggregationRequest{StartTime: time.Now().Add(-time.Hour), EndTime: time.Now().Add(time.Hour), Resolution: horizonclient.FiveMinuteResolution,
			BaseAssetType: horizonclient.AssetTypeNative, CounterAssetType: horizonclient.AssetType4, CounterAssetCode: coin, CounterAssetIssuer: s.coin.Issuer, Order: horizonclient.OrderDesc})
	})
	read("transactions", func() (any, error) {
		return client.Transactions(horizonclient.TransactionRequest{Limit: 200, IncludeFailed: true})
	})
	read("transactions of a pool", func() (any, error) {
		return client.Transactions(horizonclient.TransactionRequest{ForLiquidityPool: poolText(pool)})
	})
	read("operations", func() (any, error) {
		return client.Operations(horizonclient.OperationRequest{Limit: 200, IncludeFailed: true, Order: horizonclient.OrderDesc})
	})
	read("operations of a pool", func() (any, error) {
		return client.Operations(horizonclient.OperationRequest{ForLiquidityPool: poolText(pool)})
	})
	read("payments", func() (any, error) { return client.Payments(horizonclient.OperationRequest{Limit: 200}) })
	read("effects of an account", func() (any, error) {
		return client.Effects(horizonclient.EffectRequest{ForAccount: ada, Limit: 200})
	})
	read("effects of a pool", func() (any, error) {
		return client.Effects(horizonclient.EffectRequest{ForLiquidityPool: poolText(pool)})
	})
	read("pools", func() (any, error) { return client.LiquidityPools(horizonclient.LiquidityPoolsRequest{}) })
	read("a pool", func() (any, error) {
		return client.LiquidityPoolDetail(horizonclient.LiquidityPoolRequest{LiquidityPoolID: poolText(pool)})
	})
	t.Run("walks pages to the end and back", func(t *testing.T) {
		page, err := client.Transactions(horizonclient.TransactionRequest{ForAccount: ada, Limit: 5})
		must(t, err)
		first, count := page.Embedded.Records[0].Hash, 0
		for len(page.Embedded.Records) > 0 {
			count += len(page.Embedded.Records)
			page, err = client.NextTransactionsPage(page)
			must(t, err)
		}
		if count < 20 {
			t.Errorf("%d transactions", count)
		}
		page, err = client.Transactions(horizonclient.TransactionRequest{ForAccount: ada, Limit: 5})
		must(t, err)
		page, err = client.NextTransactionsPage(page)
		must(t, err)
		page, err = client.PrevTransactionsPage(page)
		must(t, err)
		if got := page.Embedded.Records[len(page.Embedded.Records)-1].Hash; got != first {
			t.Errorf("went back to %s, not %s", got, first)
		}
	})
	t.Run("an account that does not exist is not found", func(t *testing.T) {
		_, err := client.AccountDetail(horizonclient.AccountRequest{AccountID: keypair.MustRandom().Address()})
		if !horizonclient.IsNotFoundError(err) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("streams what happens", func(t *testing.T) { streams(t, s) })
}

// streams follows each stream from now on until it has told of one payment.
func streams(t *testing.T, s scene) {
	follow, stop := context.WithTimeout(ctx, 30*time.Second)
	defer stop()
	heard := make(chan string, 1_000)
	start := map[string]func() error{
		"transactions": func() error {
			return client.StreamTransactions(follow, horizonclient.TransactionRequest{Cursor: "now"}, func(horizon.Transaction) { heard <- "transactions" })
		},
		"operations": func() error {
			return client.StreamOperations(follow, horizonclient.OperationRequest{Cursor: "now"}, func(operations.Operation) { heard <- "operations" })
		},
		"payments": func() error {
			return client.StreamPayments(follow, horizonclient.OperationRequest{Cursor: "now"}, func(operations.Operation) { heard <- "payments" })
		},
		"ledgers": func() error {
			return client.StreamLedgers(follow, horizonclient.LedgerRequest{Cursor: "now"}, func(horizon.Ledger) { heard <- "ledgers" })
		},
		"order book": func() error {
			return client.StreamOrderBooks(follow, horizonclient.OrderBookRequest{SellingAssetType: horizonclient.AssetTypeNative, BuyingAssetType: horizonclient.AssetType4, BuyingAssetCode: s.coin.Code, BuyingAssetIssuer: s.coin.Issuer},
				func(horizon.OrderBookSummary) { heard <- "order book" })
		},
	}
	waiting := map[string]bool{}
	for name, run := range start {
		waiting[name] = true
		go func() { _ = run() }()
	}
	// A separate client pays: the recorder of the first one is in use by the streams.
	paid := time.NewTicker(2 * time.Second)
	defer paid.Stop()
	for len(waiting) > 0 {
		select {
		case name := <-heard:
			delete(waiting, name)
		case <-paid.C:
			submitted(t, []*keypair.Full{s.bob}, &txnbuild.Payment{Destination: s.ada.Address(), Amount: "0.1", Asset: txnbuild.NativeAsset{}})
		case <-follow.Done():
			t.Fatalf("nothing was heard of %v", waiting)
		}
	}
}
