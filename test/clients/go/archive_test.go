package clients

import (
	"io"
	"testing"

	"github.com/stellar/go-stellar-sdk/historyarchive"
	"github.com/stellar/go-stellar-sdk/xdr"
)

// A reader of history archives that knows nothing of this network reads all of its state.
func TestHistoryArchive(t *testing.T) {
	archive, err := historyarchive.Connect(horizonURL+"/archive", historyarchive.ArchiveOptions{NetworkPassphrase: passphrase})
	must(t, err)
	has, err := archive.GetRootHAS()
	must(t, err)
	header, err := archive.GetLedgerHeader(has.CurrentLedger)
	must(t, err)
	if uint32(header.Header.LedgerSeq) != has.CurrentLedger {
		t.Fatalf("the header is of ledger %d, not %d", header.Header.LedgerSeq, has.CurrentLedger)
	}
	buckets, err := has.Buckets()
	must(t, err)
	accounts, settings := 0, 0
	for _, hash := range buckets {
		if hash.IsZero() {
			continue
		}
		stream, err := archive.GetXdrStreamForHash(hash)
		must(t, err)
		for {
			var entry xdr.BucketEntry
			err := stream.ReadOne(&entry)
			if err == io.EOF {
				break
			}
			must(t, err)
			live, isLive := entry.GetLiveEntry()
			if !isLive {
				continue
			}
			switch live.Data.Type {
			case xdr.LedgerEntryTypeAccount:
				accounts++
			case xdr.LedgerEntryTypeConfigSetting:
				settings++
			}
		}
		must(t, stream.ValidateHash(hash))
	}
	if accounts < 50 || settings < 10 {
		t.Fatalf("%d accounts and %d settings", accounts, settings)
	}
}
