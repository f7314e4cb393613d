package clients

import (
	"testing"
	"time"

	"github.com/stellar/go-stellar-sdk/clients/horizonclient"
	"github.com/stellar/go-stellar-sdk/keypair"
	"github.com/stellar/go-stellar-sdk/protocols/horizon"
	"github.com/stellar/go-stellar-sdk/protocols/horizon/operations"
	"github.com/stellar/go-stellar-sdk/txnbuild"
	"github.com/stellar/go-stellar-sdk/xdr"
)

// scene is an issuer of a coin, and two who hold it.
type scene struct {
	issuer, ada, bob *keypair.Full
	coin, gold       txnbuild.CreditAsset
}

func flags(of ...txnbuild.AccountFlag) []txnbuild.AccountFlag { return of }

func newScene(t *testing.T) scene {
	t.Helper()
	s := scene{issuer: funded(t), ada: funded(t), bob: funded(t)}
	s.coin = txnbuild.CreditAsset{Code: "COIN", Issuer: s.issuer.Address()}
	s.gold = txnbuild.CreditAsset{Code: "GOLDEN", Issuer: s.issuer.Address()}
	submitted(t, []*keypair.Full{s.issuer}, &txnbuild.SetOptions{
		SetFlags: flags(txnbuild.AuthRevocable, txnbuild.AuthClawbackEnabled),
	})
	for _, holder := range []*keypair.Full{s.ada, s.bob} {
		submitted(t, []*keypair.Full{holder, s.issuer},
			&txnbuild.ChangeTrust{Line: s.coin.MustToChangeTrustAsset(), Limit: "100000"},
			&txnbuild.ChangeTrust{Line: s.gold.MustToChangeTrustAsset()},
			&txnbuild.Payment{Destination: holder.Address(), Amount: "1000", Asset: s.coin, SourceAccount: s.issuer.Address()},
			&txnbuild.Payment{Destination: holder.Address(), Amount: "1000", Asset: s.gold, SourceAccount: s.issuer.Address()},
		)
	}
	return s
}

// readBack reads a transaction, its operations, payments and effects, and requires an understood answer of each.
func readBack(t *testing.T, transaction horizon.Transaction) {
	t.Helper()
	understood(t, transaction)
	detail, err := client.TransactionDetail(transaction.Hash)
	must(t, err)
	understood(t, detail)
	request := horizonclient.OperationRequest{ForTransaction: transaction.Hash, Join: "transactions"}
	page, err := client.Operations(request)
	must(t, err)
	understood(t, page)
	if len(page.Embedded.Records) != int(transaction.OperationCount) {
		t.Errorf("%d operations of %d", len(page.Embedded.Records), transaction.OperationCount)
	}
	for _, record := range page.Embedded.Records {
		if _, plain := record.(operations.Base); plain {
			t.Errorf("operation %s has a type that the client does not know", record.GetType())
		}
		one, err := client.OperationDetail(record.GetID())
		must(t, err)
		understood(t, one)
		effects, err := client.Effects(horizonclient.EffectRequest{ForOperation: record.GetID()})
		must(t, err)
		understood(t, effects)
	}
	payments, err := client.Payments(horizonclient.OperationRequest{ForTransaction: transaction.Hash})
	must(t, err)
	understood(t, payments)
	effects, err := client.Effects(horizonclient.EffectRequest{ForTransaction: transaction.Hash, Limit: 200})
	must(t, err)
	understood(t, effects)
}

func TestOperations(t *testing.T) {
	s := newScene(t)
	native := txnbuild.NativeAsset{}
	ada, bob, issuer := []*keypair.Full{s.ada}, []*keypair.Full{s.bob}, []*keypair.Full{s.issuer}
	run := func(name string, signers []*keypair.Full, of ...txnbuild.Operation) (transaction horizon.Transaction) {
		t.Run(name, func(t *testing.T) {
			transaction = submitted(t, signers, of...)
			readBack(t, transaction)
		})
		return transaction
	}
	fresh := keypair.MustRandom()
	run("create_account", ada, &txnbuild.CreateAccount{Destination: fresh.Address(), Amount: "100"})
	run("payment native", ada, &txnbuild.Payment{Destination: s.bob.Address(), Amount: "1.5", Asset: native})
	run("payment credit", ada, &txnbuild.Payment{Destination: s.bob.Address(), Amount: "1.0000001", Asset: s.coin})
	muxed := xdr.MuxedAccount{Type: xdr.CryptoKeyTypeKeyTypeMuxedEd25519, Med25519: &xdr.MuxedAccountMed25519{Id: 7}}
	copy(muxed.Med25519.Ed25519[:], xdr.MustAddress(s.bob.Address()).Ed25519[:])
	run("payment to a muxed account", ada, &txnbuild.Payment{Destination: muxed.Address(), Amount: "2", Asset: native})
	run("manage_sell_offer", bob, &txnbuild.ManageSellOffer{Selling: s.coin, Buying: native, Amount: "200", Price: xdr.Price{N: 2, D: 1}})
	run("manage_sell_offer taken", ada, &txnbuild.ManageSellOffer{Selling: native, Buying: s.coin, Amount: "10", Price: xdr.Price{N: 1, D: 2}})
	run("manage_buy_offer", ada, &txnbuild.ManageBuyOffer{Selling: native, Buying: s.coin, Amount: "5", Price: xdr.Price{N: 2, D: 1}})
	run("create_passive_sell_offer", bob, &txnbuild.CreatePassiveSellOffer{Selling: s.gold, Buying: s.coin, Amount: "50", Price: xdr.Price{N: 1, D: 1}})
	run("path_payment_strict_receive", ada, &txnbuild.PathPaymentStrictReceive{
		SendAsset: native, SendMax: "100", Destination: s.ada.Address(), DestAsset: s.gold, DestAmount: "1", Path: []txnbuild.Asset{s.coin}})
	run("path_payment_strict_send", ada, &txnbuild.PathPaymentStrictSend{
		SendAsset: native, SendAmount: "10", Destination: s.ada.Address(), DestAsset: s.coin, DestMin: "1"})
	domain, weight, threshold := "example.com", txnbuild.Threshold(1), txnbuild.Threshold(1)
	signer := keypair.MustRandom()
	run("set_options", ada, &txnbuild.SetOptions{
		HomeDomain: &domain, MasterWeight: txnbuild.NewThreshold(10), LowThreshold: &threshold, MediumThreshold: &threshold,
		HighThreshold: &threshold, Signer: &txnbuild.Signer{Address: signer.Address(), Weight: weight}})
	run("set_options removes a signer", ada, &txnbuild.SetOptions{Signer: &txnbuild.Signer{Address: signer.Address()}})
	run("set_options flags", issuer, &txnbuild.SetOptions{SetFlags: flags(txnbuild.AuthRequired)},
		&txnbuild.SetOptions{ClearFlags: flags(txnbuild.AuthRequired)})
	other := txnbuild.CreditAsset{Code: "OTHER", Issuer: s.issuer.Address()}
	run("change_trust", ada, &txnbuild.ChangeTrust{Line: other.MustToChangeTrustAsset(), Limit: "10"},
		&txnbuild.ChangeTrust{Line: other.MustToChangeTrustAsset(), Limit: "20"},
		&txnbuild.ChangeTrust{Line: other.MustToChangeTrustAsset(), Limit: "0"})
	run("allow_trust", issuer, &txnbuild.AllowTrust{Trustor: s.bob.Address(), Type: s.coin, Authorize: true})
	run("set_trust_line_flags", issuer,
		&txnbuild.SetTrustLineFlags{Trustor: s.ada.Address(), Asset: s.gold, SetFlags: []txnbuild.TrustLineFlag{txnbuild.TrustLineAuthorizedToMaintainLiabilities}, ClearFlags: []txnbuild.TrustLineFlag{txnbuild.TrustLineAuthorized}},
		&txnbuild.SetTrustLineFlags{Trustor: s.ada.Address(), Asset: s.gold, SetFlags: []txnbuild.TrustLineFlag{txnbuild.TrustLineAuthorized}, ClearFlags: []txnbuild.TrustLineFlag{txnbuild.TrustLineAuthorizedToMaintainLiabilities}})
	run("manage_data", ada, &txnbuild.ManageData{Name: "name", Value: []byte("value")},
		&txnbuild.ManageData{Name: "name", Value: []byte("another")}, &txnbuild.ManageData{Name: "name"},
		&txnbuild.ManageData{Name: "kept", Value: []byte{0, 255}})
	account, err := client.AccountDetail(horizonclient.AccountRequest{AccountID: fresh.Address()})
	must(t, err)
	sequence, err := account.GetSequenceNumber()
	must(t, err)
	run("bump_sequence", []*keypair.Full{fresh}, &txnbuild.BumpSequence{BumpTo: sequence + 100})
	t.Run("inflation is not supported any more", func(t *testing.T) {
		_, err := client.SubmitTransaction(built(t, ada, &txnbuild.Inflation{}))
		codes, err := horizonclient.GetError(err).ResultCodes()
		must(t, err)
		if len(codes.OperationCodes) != 1 || codes.OperationCodes[0] != "op_not_supported" {
			t.Errorf("result codes %+v", codes)
		}
	})
	before := txnbuild.BeforeAbsoluteTimePredicate(time.Now().Unix() + 86_400)
	either := txnbuild.OrPredicate(txnbuild.BeforeRelativeTimePredicate(100), txnbuild.NotPredicate(before))
	run("create_claimable_balance", ada, &txnbuild.CreateClaimableBalance{Amount: "3", Asset: s.coin, Destinations: []txnbuild.Claimant{
		txnbuild.NewClaimant(s.bob.Address(), nil), txnbuild.NewClaimant(s.ada.Address(), &either)}})
	balances, err := client.ClaimableBalances(horizonclient.ClaimableBalanceRequest{Claimant: s.bob.Address()})
	must(t, err)
	// The client's page of claimable balances has no links to the next one.
	understood(t, balances, "._links.next", "._links.prev")
	if len(balances.Embedded.Records) == 1 {
		id := balances.Embedded.Records[0].BalanceID
		one, err := client.ClaimableBalance(id)
		must(t, err)
		understood(t, one)
		run("claim_claimable_balance", bob, &txnbuild.ClaimClaimableBalance{BalanceID: id})
	} else {
		t.Errorf("%d claimable balances", len(balances.Embedded.Records))
	}
	sponsored := keypair.MustRandom()
	run("begin and end_sponsoring_future_reserves", []*keypair.Full{s.ada, sponsored},
		&txnbuild.BeginSponsoringFutureReserves{SponsoredID: sponsored.Address()},
		&txnbuild.CreateAccount{Destination: sponsored.Address(), Amount: "5"},
		&txnbuild.ManageData{Name: "paid", Value: []byte("for"), SourceAccount: sponsored.Address()},
		&txnbuild.ChangeTrust{Line: s.coin.MustToChangeTrustAsset(), SourceAccount: sponsored.Address()},
		&txnbuild.SetOptions{Signer: &txnbuild.Signer{Address: signer.Address(), Weight: 1}, SourceAccount: sponsored.Address()},
		&txnbuild.EndSponsoringFutureReserves{SourceAccount: sponsored.Address()})
	details, err := client.AccountDetail(horizonclient.AccountRequest{AccountID: sponsored.Address()})
	must(t, err)
	t.Run("a sponsored account", func(t *testing.T) { understood(t, details) })
	submitted(t, ada, &txnbuild.Payment{Destination: sponsored.Address(), Amount: "5", Asset: native})
	name := sponsored.Address()
	run("revoke_sponsorship", ada,
		&txnbuild.RevokeSponsorship{SponsorshipType: txnbuild.RevokeSponsorshipTypeData, Data: &txnbuild.DataID{Account: name, DataName: "paid"}},
		&txnbuild.RevokeSponsorship{SponsorshipType: txnbuild.RevokeSponsorshipTypeTrustLine, TrustLine: &txnbuild.TrustLineID{Account: name, Asset: s.coin.MustToTrustLineAsset()}},
		&txnbuild.RevokeSponsorship{SponsorshipType: txnbuild.RevokeSponsorshipTypeSigner, Signer: &txnbuild.SignerID{AccountID: name, SignerAddress: signer.Address()}},
		&txnbuild.RevokeSponsorship{SponsorshipType: txnbuild.RevokeSponsorshipTypeAccount, Account: &name})
	run("clawback", issuer, &txnbuild.Clawback{From: s.bob.Address(), Amount: "1", Asset: s.coin})
	submitted(t, ada, &txnbuild.CreateClaimableBalance{Amount: "1", Asset: s.coin, Destinations: []txnbuild.Claimant{txnbuild.NewClaimant(s.bob.Address(), nil)}})
	balances, err = client.ClaimableBalances(horizonclient.ClaimableBalanceRequest{Claimant: s.bob.Address()})
	must(t, err)
	run("clawback_claimable_balance", issuer, &txnbuild.ClawbackClaimableBalance{BalanceID: balances.Embedded.Records[0].BalanceID})
	pair := txnbuild.LiquidityPoolParameters{AssetA: native, AssetB: s.coin, Fee: txnbuild.LiquidityPoolFeeV18}
	pool, err := txnbuild.NewLiquidityPoolId(native, s.coin)
	must(t, err)
	run("change_trust to pool shares", ada, &txnbuild.ChangeTrust{Line: txnbuild.LiquidityPoolShareChangeTrustAsset{LiquidityPoolParameters: pair}, Limit: txnbuild.MaxTrustlineLimit})
	run("liquidity_pool_deposit", ada, &txnbuild.LiquidityPoolDeposit{LiquidityPoolID: pool, MaxAmountA: "200", MaxAmountB: "100", MinPrice: xdr.Price{N: 1, D: 10}, MaxPrice: xdr.Price{N: 10, D: 1}})
	run("path payment through a pool", bob, &txnbuild.PathPaymentStrictSend{SendAsset: s.coin, SendAmount: "1", Destination: s.bob.Address(), DestAsset: native, DestMin: "0.1"})
	run("liquidity_pool_withdraw", ada, &txnbuild.LiquidityPoolWithdraw{LiquidityPoolID: pool, Amount: "10", MinAmountA: "0.1", MinAmountB: "0.1"})
	run("account_merge", []*keypair.Full{fresh}, &txnbuild.AccountMerge{Destination: s.bob.Address()})
	t.Run("a failed transaction", func(t *testing.T) {
		_, err := client.SubmitTransaction(built(t, ada, &txnbuild.Payment{Destination: s.bob.Address(), Amount: "1000000000", Asset: native}))
		problem := horizonclient.GetError(err)
		if problem == nil {
			t.Fatalf("no problem: %v", err)
		}
		codes, err := problem.ResultCodes()
		must(t, err)
		if codes.TransactionCode != "tx_failed" || len(codes.OperationCodes) != 1 || codes.OperationCodes[0] != "op_underfunded" {
			t.Errorf("result codes %+v", codes)
		}
		page, err := client.Transactions(horizonclient.TransactionRequest{ForAccount: s.ada.Address(), IncludeFailed: true, Order: horizonclient.OrderDesc, Limit: 1})
		must(t, err)
		understood(t, page)
		if len(page.Embedded.Records) != 1 || page.Embedded.Records[0].Successful {
			t.Error("the failed transaction is not the newest")
		}
	})
	t.Run("a fee bump", func(t *testing.T) {
		bump, err := txnbuild.NewFeeBumpTransaction(txnbuild.FeeBumpTransactionParams{
			Inner: built(t, bob, &txnbuild.Payment{Destination: s.ada.Address(), Amount: "1", Asset: native}), FeeAccount: s.ada.Address(), BaseFee: 500})
		must(t, err)
		bump, err = bump.Sign(passphrase, s.ada)
		must(t, err)
		transaction, err := client.SubmitFeeBumpTransaction(bump)
		must(t, err)
		readBack(t, transaction)
	})
	t.Run("an asynchronous submission", func(t *testing.T) {
		answer, err := client.AsyncSubmitTransaction(built(t, bob, &txnbuild.BumpSequence{BumpTo: 0}))
		must(t, err)
		understood(t, answer)
		if answer.TxStatus != "PENDING" {
			t.Errorf("status %s", answer.TxStatus)
		}
	})
	lists(t, s, pool)
	run("revoked trust takes pool shares away", issuer, &txnbuild.SetTrustLineFlags{Trustor: s.ada.Address(), Asset: s.coin, ClearFlags: []txnbuild.TrustLineFlag{txnbuild.TrustLineAuthorized}})
}
