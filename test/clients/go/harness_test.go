// Package clients drives Go's clients of Horizon and RPC over an embedded network.
//
// Each answer is decoded by the client's own types and encoded again: a member that is lost, added or
// changed on the way is one that the client and the network understand differently.
package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stellar/go-stellar-sdk/clients/horizonclient"
	"github.com/stellar/go-stellar-sdk/clients/rpcclient"
	"github.com/stellar/go-stellar-sdk/keypair"
	"github.com/stellar/go-stellar-sdk/protocols/horizon"
	"github.com/stellar/go-stellar-sdk/txnbuild"
)

// recorder keeps the body of the last answer.
type recorder struct {
	mutex sync.Mutex
	body  []byte
}

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil || strings.Contains(response.Header.Get("Content-Type"), "event-stream") {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	r.mutex.Lock()
	r.body = body
	r.mutex.Unlock()
	return response, err
}

func (r *recorder) last() []byte {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.body
}

var (
	horizonURL = os.Getenv("HORIZON_URL")
	rpcURL     = os.Getenv("RPC_URL")
	passphrase = os.Getenv("NETWORK_PASSPHRASE")
	wire       = &recorder{}
	client     = &horizonclient.Client{HorizonURL: horizonURL + "/", HTTP: &http.Client{Transport: wire, Timeout: 30 * time.Second}}
	rpc        = rpcclient.NewClient(rpcURL, &http.Client{Transport: wire, Timeout: 30 * time.Second})
	ctx        = context.Background()
)

func must(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	if problem := horizonclient.GetError(err); problem != nil {
		codes, _ := json.Marshal(problem.Problem.Extras["result_codes"])
		t.Fatalf("%s: %s %s", err, problem.Problem.Detail, codes)
	}
	t.Fatal(err)
}

// funded returns a new account that friendbot has funded.
func funded(t *testing.T) *keypair.Full {
	t.Helper()
	pair := keypair.MustRandom()
	_, err := client.Fund(pair.Address())
	must(t, err)
	return pair
}

// built returns a signed transaction of the first signer's account.
func built(t *testing.T, signers []*keypair.Full, operations ...txnbuild.Operation) *txnbuild.Transaction {
	t.Helper()
	source, err := client.AccountDetail(horizonclient.AccountRequest{AccountID: signers[0].Address()})
	must(t, err)
	transaction, err := txnbuild.NewTransaction(txnbuild.TransactionParams{
		SourceAccount:        &source,
		IncrementSequenceNum: true,
		Operations:           operations,
		BaseFee:              txnbuild.MinBaseFee,
		Preconditions:        txnbuild.Preconditions{TimeBounds: txnbuild.NewTimeout(300)},
	})
	must(t, err)
	transaction, err = transaction.Sign(passphrase, signers...)
	must(t, err)
	return transaction
}

// submitted sends operations and returns the transaction as Horizon has it.
func submitted(t *testing.T, signers []*keypair.Full, operations ...txnbuild.Operation) horizon.Transaction {
	t.Helper()
	transaction, err := client.SubmitTransaction(built(t, signers, operations...))
	must(t, err)
	return transaction
}

// understood fails where the client's types lose, add or change a member of the last answer.
func understood(t *testing.T, typed any, left ...string) {
	t.Helper()
	var sent, read any
	decode(t, wire.last(), &sent)
	again, err := json.Marshal(typed)
	must(t, err)
	decode(t, again, &read)
	compared(t, sent, read, left)
}

// resultUnderstood does the same for the result of a JSON-RPC answer.
func resultUnderstood(t *testing.T, typed any, left ...string) {
	t.Helper()
	var sent map[string]any
	var read any
	decode(t, wire.last(), &sent)
	again, err := json.Marshal(typed)
	must(t, err)
	decode(t, again, &read)
	compared(t, sent["result"], read, left)
}

func compared(t *testing.T, sent, read any, left []string) {
	t.Helper()
	var differences []string
	compare("", sent, read, &differences)
	sort.Strings(differences)
	var told []string
	for _, difference := range differences {
		if !leftOut(difference, left) {
			told = append(told, difference)
		}
	}
	if len(told) > 0 {
		t.Errorf("read differently: %s", strings.Join(told, "; "))
	}
}

func leftOut(difference string, left []string) bool {
	for _, one := range left {
		if strings.Contains(difference, one) {
			return true
		}
	}
	return false
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	must(t, decoder.Decode(into))
}

// empty holds where Go leaves a member out or writes it without a value.
func empty(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return v == "" || v == "0001-01-01T00:00:00Z"
	case bool:
		return !v
	case json.Number:
		return v == "0"
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, member := range v {
			if !empty(member) {
				return false
			}
		}
		return true
	}
	return false
}

func compare(path string, sent, read any, into *[]string) {
	if empty(sent) && empty(read) {
		return
	}
	switch one := sent.(type) {
	case map[string]any:
		other, ok := read.(map[string]any)
		if !ok {
			break
		}
		for name, value := range one {
			if there, found := member(other, name); found {
				compare(path+"."+name, value, there, into)
			} else if !empty(value) {
				*into = append(*into, path+"."+name+" is lost")
			}
		}
		for name, value := range other {
			if _, found := member(one, name); !found && !empty(value) {
				*into = append(*into, path+"."+name+" is added")
			}
		}
		return
	case []any:
		other, ok := read.([]any)
		if !ok || len(other) != len(one) {
			break
		}
		for index, value := range one {
			compare(path+"[]", value, other[index], into)
		}
		return
	}
	if !reflect.DeepEqual(sent, read) && !sameTime(sent, read) {
		*into = append(*into, fmt.Sprintf("%s: %v (%T) is read as %v (%T)", path, sent, sent, read, read))
	}
}

// member finds a member: the lists of a page are `records` on the wire, and `Records` where Go writes them.
func member(of map[string]any, name string) (any, bool) {
	value, found := of[name]
	if !found && strings.EqualFold(name, "records") {
		for _, other := range []string{"records", "Records"} {
			if value, found = of[other]; found {
				break
			}
		}
	}
	return value, found
}

// sameTime holds for two spellings of one moment.
func sameTime(sent, read any) bool {
	one, ok := sent.(string)
	other, also := read.(string)
	if !ok || !also {
		return false
	}
	first, err := time.Parse(time.RFC3339, one)
	second, fault := time.Parse(time.RFC3339, other)
	return err == nil && fault == nil && first.Equal(second)
}
