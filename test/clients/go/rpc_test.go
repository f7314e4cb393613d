package clients

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"testing"

	"github.com/stellar/go-stellar-sdk/keypair"
	protocol "github.com/stellar/go-stellar-sdk/protocols/rpc"
	"github.com/stellar/go-stellar-sdk/strkey"
	"github.com/stellar/go-stellar-sdk/txnbuild"
	"github.com/stellar/go-stellar-sdk/xdr"
)

func text(number int64) string { return strconv.FormatInt(number, 10) }

func poolText(pool txnbuild.LiquidityPoolId) string { return hex.EncodeToString(pool[:]) }

// contractOf is the id of an asset's contract on the network.
func contractOf(t *testing.T, asset xdr.Asset) xdr.ContractId {
	id, err := asset.ContractID(passphrase)
	must(t, err)
	return xdr.ContractId(id)
}

// sent prepares, signs and sends one contract operation, and waits for its ledger.
func sent(t *testing.T, signer *keypair.Full, operation txnbuild.Operation) protocol.GetTransactionResponse {
	t.Helper()
	source, err := rpc.LoadAccount(ctx, signer.Address())
	must(t, err)
	params := txnbuild.TransactionParams{SourceAccount: source, Operations: []txnbuild.Operation{operation}, BaseFee: 100,
		Preconditions: txnbuild.Preconditions{TimeBounds: txnbuild.NewTimeout(300)}, IncrementSequenceNum: true}
	draft, err := txnbuild.NewTransaction(params)
	must(t, err)
	envelope, err := draft.Base64()
	must(t, err)
	simulated, err := rpc.SimulateTransaction(ctx, protocol.SimulateTransactionRequest{Transaction: envelope})
	must(t, err)
	if simulated.Error != "" {
		t.Fatal(simulated.Error)
	}
	resultUnderstood(t, simulated)
	var data xdr.SorobanTransactionData
	must(t, xdr.SafeUnmarshalBase64(simulated.TransactionDataXDR, &data))
	extension, err := xdr.NewTransactionExt(1, data)
	must(t, err)
	switch of := operation.(type) {
	case *txnbuild.InvokeHostFunction:
		of.Ext = extension
		for _, result := range simulated.Results {
			for _, one := range *result.AuthXDR {
				var entry xdr.SorobanAuthorizationEntry
				must(t, xdr.SafeUnmarshalBase64(one, &entry))
				of.Auth = append(of.Auth, entry)
			}
		}
	case *txnbuild.ExtendFootprintTtl:
		of.Ext = extension
	}
	params.SourceAccount, err = rpc.LoadAccount(ctx, signer.Address())
	must(t, err)
	params.BaseFee = simulated.MinResourceFee + 1_000
	final, err := txnbuild.NewTransaction(params)
	must(t, err)
	final, err = final.Sign(passphrase, signer)
	must(t, err)
	envelope, err = final.Base64()
	must(t, err)
	answer, err := rpc.SendTransaction(ctx, protocol.SendTransactionRequest{Transaction: envelope})
	must(t, err)
	resultUnderstood(t, answer)
	if answer.Status != "PENDING" {
		t.Fatalf("status %s: %s", answer.Status, answer.ErrorResultXDR)
	}
	settled, err := rpc.PollTransaction(ctx, answer.Hash)
	must(t, err)
	resultUnderstood(t, settled)
	if settled.Status != "SUCCESS" {
		t.Fatalf("%s: %s", settled.Status, settled.ResultXDR)
	}
	return settled
}

func TestRPC(t *testing.T) {
	owner := funded(t)
	t.Run("getHealth", func(t *testing.T) {
		answer, err := rpc.GetHealth(ctx)
		must(t, err)
		resultUnderstood(t, answer)
	})
	t.Run("getNetwork", func(t *testing.T) {
		answer, err := rpc.GetNetwork(ctx)
		must(t, err)
		resultUnderstood(t, answer)
		if answer.Passphrase != passphrase {
			t.Errorf("passphrase %s", answer.Passphrase)
		}
	})
	t.Run("getVersionInfo", func(t *testing.T) {
		answer, err := rpc.GetVersionInfo(ctx)
		must(t, err)
		resultUnderstood(t, answer)
	})
	t.Run("getFeeStats", func(t *testing.T) {
		answer, err := rpc.GetFeeStats(ctx)
		must(t, err)
		resultUnderstood(t, answer)
	})
	t.Run("getLatestLedger", func(t *testing.T) {
		answer, err := rpc.GetLatestLedger(ctx)
		must(t, err)
		resultUnderstood(t, answer)
	})
	t.Run("getLedgers", func(t *testing.T) {
		answer, err := rpc.GetLedgers(ctx, protocol.GetLedgersRequest{StartLedger: 2, Pagination: &protocol.LedgerPaginationOptions{Limit: 5}})
		must(t, err)
		resultUnderstood(t, answer)
		var meta xdr.LedgerCloseMeta
		must(t, xdr.SafeUnmarshalBase64(answer.Ledgers[0].LedgerMetadata, &meta))
	})
	t.Run("getLedgers as JSON", func(t *testing.T) {
		answer, err := rpc.GetLedgers(ctx, protocol.GetLedgersRequest{StartLedger: 2, Format: protocol.FormatJSON, Pagination: &protocol.LedgerPaginationOptions{Limit: 1}})
		must(t, err)
		resultUnderstood(t, answer)
	})
	t.Run("getLedgerEntries", func(t *testing.T) {
		var key xdr.LedgerKey
		must(t, key.SetAccount(xdr.MustAddress(owner.Address())))
		encoded, err := key.MarshalBinaryBase64()
		must(t, err)
		answer, err := rpc.GetLedgerEntries(ctx, protocol.GetLedgerEntriesRequest{Keys: []string{encoded}})
		must(t, err)
		resultUnderstood(t, answer)
		if len(answer.Entries) != 1 {
			t.Errorf("%d entries", len(answer.Entries))
		}
	})
	asset := txnbuild.CreditAsset{Code: "TEST", Issuer: owner.Address()}
	raw, err := asset.ToXDR()
	must(t, err)
	contract := contractOf(t, raw)
	address := xdr.ScAddress{Type: xdr.ScAddressTypeScAddressTypeContract, ContractId: &contract}
	t.Run("deploys an asset's contract", func(t *testing.T) {
		sent(t, owner, &txnbuild.InvokeHostFunction{SourceAccount: owner.Address(), HostFunction: xdr.HostFunction{
			Type: xdr.HostFunctionTypeHostFunctionTypeCreateContract, CreateContract: &xdr.CreateContractArgs{
				ContractIdPreimage: xdr.ContractIdPreimage{Type: xdr.ContractIdPreimageTypeContractIdPreimageFromAsset, FromAsset: &raw},
				Executable:         xdr.ContractExecutable{Type: xdr.ContractExecutableTypeContractExecutableStellarAsset}}}})
	})
	t.Run("mints to a contract, and its events are found", func(t *testing.T) {
		amount := xdr.Int128Parts{Lo: 5}
		settled := sent(t, owner, &txnbuild.InvokeHostFunction{SourceAccount: owner.Address(), HostFunction: xdr.HostFunction{
			Type: xdr.HostFunctionTypeHostFunctionTypeInvokeContract, InvokeContract: &xdr.InvokeContractArgs{
				ContractAddress: address, FunctionName: "mint",
				Args: xdr.ScVec{{Type: xdr.ScValTypeScvAddress, Address: &address}, {Type: xdr.ScValTypeScvI128, I128: &amount}}}}})
		filter := protocol.EventFilter{EventType: protocol.EventTypeSet{protocol.EventTypeContract: nil}, ContractIDs: []string{strkey.MustEncode(strkey.VersionByteContract, contract[:])}}
		answer, err := rpc.GetEvents(ctx, protocol.GetEventsRequest{StartLedger: settled.Ledger, Filters: []protocol.EventFilter{filter}})
		must(t, err)
		resultUnderstood(t, answer)
		found := 0
		for _, event := range answer.Events {
			if event.TransactionHash == settled.TransactionHash {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%d events", found)
		}
		transaction, err := client.TransactionDetail(settled.TransactionHash)
		must(t, err)
		readBackAs(t, transaction.Hash)
	})
	t.Run("extends an entry", func(t *testing.T) {
		durability := xdr.ContractDataDurabilityPersistent
		key := xdr.LedgerKey{Type: xdr.LedgerEntryTypeContractData, ContractData: &xdr.LedgerKeyContractData{
			Contract: address, Key: xdr.ScVal{Type: xdr.ScValTypeScvLedgerKeyContractInstance}, Durability: durability}}
		extension, err := xdr.NewTransactionExt(1, xdr.SorobanTransactionData{Resources: xdr.SorobanResources{Footprint: xdr.LedgerFootprint{ReadOnly: []xdr.LedgerKey{key}}}})
		must(t, err)
		settled := sent(t, owner, &txnbuild.ExtendFootprintTtl{ExtendTo: 200_000, SourceAccount: owner.Address(), Ext: extension})
		readBackAs(t, settled.TransactionHash)
	})
	t.Run("getTransactions", func(t *testing.T) {
		answer, err := rpc.GetTransactions(ctx, protocol.GetTransactionsRequest{StartLedger: 2, Pagination: &protocol.LedgerPaginationOptions{Limit: 100}})
		must(t, err)
		resultUnderstood(t, answer)
	})
	t.Run("a transaction that is unknown is NOT_FOUND", func(t *testing.T) {
		answer, err := rpc.GetTransaction(ctx, protocol.GetTransactionRequest{Hash: fmt.Sprintf("%064d", 7)})
		must(t, err)
		resultUnderstood(t, answer)
		if answer.Status != "NOT_FOUND" {
			t.Errorf("status %s", answer.Status)
		}
	})
}

func readBackAs(t *testing.T, hash string) {
	t.Helper()
	transaction, err := client.TransactionDetail(hash)
	must(t, err)
	readBack(t, transaction)
}
