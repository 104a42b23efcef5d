package frontier

import (
	"fmt"
	"testing"
)

// TestInFlightOnce pushes the head of a host back behind URLs that are in flight: the scan that
// follows meets them in the store, and must not give them out again.
func TestInFlightOnce(t *testing.T) {
	f := open(t, Config{HeadItems: 2})
	for i := range 6 {
		it := url("a", i)
		it.Score = 0.1
		mustAdd(t, f, it)
	}
	for range 3 {
		if _, ok, err := f.Take("a", epoch); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	for i := 10; i < 14; i++ { // better ones; only two of them fit into memory
		it := url("a", i)
		it.Score = 0.9
		mustAdd(t, f, it)
	}
	if got, want := takeAll(t, f, "a", epoch), "10 11 12 13 3 4 5"; got != want {
		t.Errorf("taken %s, want %s", got, want)
	}
	for i := range 3 {
		f.Return(fmt.Sprintf("https://a/%d", i))
	}
	if got, want := takeAll(t, f, "a", epoch), "0 1 2"; got != want {
		t.Errorf("taken %s after Return, want %s", got, want)
	}
}
