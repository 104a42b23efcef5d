package history

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"go.uber.org/goleak"

	"varve"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, cfg Config) *Store {
	t.Helper()
	s, err := Open(vfs.NewMem(), "h", cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func visit(n int, sum string) Observation {
	at := epoch.Add(time.Duration(n) * time.Hour)
	return Observation{
		Key: "https://a/", At: at, Status: 200, ETag: `"` + sum + `"`, Digests: []Digest{{"sha1", sum}},
		Record: Reference{URI: "https://a/", Date: at, ID: fmt.Sprint("id", n), Location: varve.Location{File: "f", Offset: int64(n)}},
	}
}

func mustRecord(t *testing.T, s *Store, o ...Observation) {
	t.Helper()
	if err := s.Record(o); err != nil {
		t.Fatal(err)
	}
}

// TestVisits follows one page through its life.
func TestVisits(t *testing.T) {
	s := open(t, Config{})
	gone := visit(2, "error page")
	gone.Status = 503
	same := visit(3, "")
	same.Status, same.NotModified, same.Revisit, same.Digests, same.ETag = 304, true, true, nil, `"one-b"`
	mustRecord(t, s, visit(1, "one"), gone, same, visit(4, "two"))
	e, ok, err := s.Lookup("https://a/")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	want := []Change{
		{At: epoch.Add(1 * time.Hour), Status: 200},
		{At: epoch.Add(2 * time.Hour), Status: 503},
		{At: epoch.Add(3 * time.Hour), Status: 304, Compared: 1},
		{At: epoch.Add(4 * time.Hour), Status: 200, Compared: 1, Changed: 1},
	}
	if !reflect.DeepEqual(e.Changes, want) {
		t.Errorf("changes %+v, want %+v", e.Changes, want)
	}
	if e.Visits != 4 || e.ETag != `"two"` || e.Original.ID != "id4" || e.Latest.ID != "id4" || e.URL != e.Key {
		t.Errorf("entry %+v", e)
	}
	if ref, ok, err := s.ByDigest(Digest{"sha1", "error page"}); err != nil || ok {
		t.Errorf("the error page is an original: %+v (%v)", ref, err)
	}
}

// TestNotModifiedKeeps checks that a 304 and an error keep what is needed for the next request.
func TestNotModifiedKeeps(t *testing.T) {
	s := open(t, Config{})
	same, gone := visit(2, ""), visit(3, "x")
	same.Status, same.NotModified, same.Revisit, same.ETag = 304, true, true, ""
	gone.Status = 404
	mustRecord(t, s, visit(1, "one"), same, gone)
	e, _, err := s.Lookup("https://a/")
	if err != nil || e.ETag != `"one"` || e.Original.ID != "id1" || e.Latest.ID != "id3" || e.Status != 404 {
		t.Errorf("entry %+v (%v)", e, err)
	}
}

// TestFold keeps three visits and counts the others.
func TestFold(t *testing.T) {
	s := open(t, Config{MaxChanges: 3})
	for i := range 10 {
		mustRecord(t, s, visit(i, fmt.Sprint(i/2)))
	}
	mustRecord(t, s, visit(2, "again")) // folded: cannot be told from a repetition
	e, _, err := s.Lookup("https://a/")
	want := Older{Visits: 7, To: epoch.Add(6 * time.Hour), Layers: []LayerCount{{Compared: 6, Changed: 3}}}
	if err != nil || len(e.Changes) != 3 || !reflect.DeepEqual(e.Older, want) || e.Visits != 10 || !e.First.Equal(epoch) {
		t.Errorf("entry %+v (%v)", e, err)
	}
}

// TestOrderOfFiles records the same visits forwards and backwards: what does not depend on
// comparisons is the same.
func TestOrderOfFiles(t *testing.T) {
	a, b := open(t, Config{}), open(t, Config{})
	for i := range 5 {
		mustRecord(t, a, visit(i, "same"))
		mustRecord(t, b, visit(4-i, "same"))
	}
	for _, s := range []*Store{a, b} {
		e, _, err := s.Lookup("https://a/")
		if err != nil || e.Visits != 5 || !e.First.Equal(epoch) || e.Latest.ID != "id4" || len(e.Changes) != 5 {
			t.Errorf("entry %+v (%v)", e, err)
		}
		if ref, ok, err := s.ByDigest(Digest{"sha1", "same"}); err != nil || !ok || ref.ID != "id0" {
			t.Errorf("first %+v %v (%v)", ref, ok, err)
		}
	}
}

func TestBadObservations(t *testing.T) {
	s := open(t, Config{MaxBytes: 1000})
	long, many := visit(1, "x"), visit(1, "x")
	long.URL, many.Digests = strings.Repeat("x", 1000), make([]Digest, 65)
	for _, o := range []Observation{{}, {Key: "k"}, long, many} {
		if err := s.Record([]Observation{visit(1, "good"), o}); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
	if n := s.Stats(); n != (Stats{}) {
		t.Errorf("part of a bad batch was stored: %+v", n)
	}
}

func TestPayload(t *testing.T) {
	d, err := Payload("SHA1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ")
	if err != nil || d.Name != "sha1" || len(d.Sum) != 20 || d.String() != "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ" {
		t.Errorf("%+v (%v)", d, err)
	}
	if text, err := json.Marshal(d); err != nil || string(text) != `"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"` {
		t.Errorf("%s (%v)", text, err)
	}
	if _, err := Payload("nonsense"); err == nil {
		t.Error("nonsense is a digest")
	}
}

func TestVersionAndClose(t *testing.T) {
	fs := vfs.NewMem()
	db, err := pebble.Open("h", storeOptions(fs, Config{}.WithDefaults(), nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Set(keyVersion, binary.AppendUvarint(nil, 9), pebble.Sync), db.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(fs, "h", Config{}, nil); !errors.Is(err, ErrVersion) {
		t.Errorf("opened format 9: %v", err)
	}
	s := open(t, Config{})
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	_, _, lookup := s.Lookup("k")
	_, _, digest := s.ByDigest(Digest{})
	for _, err := range []error{s.Record([]Observation{visit(1, "x")}), lookup, digest} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("after closing: %v", err)
		}
	}
	if _, err := Open(vfs.NewMem(), "h", Config{MaxChanges: -1}, nil); err == nil {
		t.Error("a wrong configuration was accepted")
	}
}

// TestConcurrent records from several goroutines while others read.
func TestConcurrent(t *testing.T) {
	s := open(t, Config{})
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 100 {
				o := visit(i*4+w, fmt.Sprint(w, i%10))
				o.Key = fmt.Sprintf("https://a/%d", i%20)
				if err := s.Record([]Observation{o}); err != nil {
					t.Error(err)
				}
				if _, _, err := s.Lookup(o.Key); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	n, originals := s.Stats(), 0
	for o, err := range s.Originals("sha1") {
		if err != nil {
			t.Error(err)
		}
		if ref, ok, err := s.ByDigest(o.Digest); err != nil || !ok || ref != o.Reference {
			t.Errorf("%v: %+v %v (%v)", o, ref, ok, err)
		}
		originals++
	}
	if n.URLs != 20 || n.Visits != 400 || n.Digests != 40 || originals != 40 {
		t.Errorf("stats %+v, %d originals", n, originals)
	}
}

func FuzzCodecs(f *testing.F) {
	e := Entry{Key: "k", URL: "u"}
	for i := range 4 {
		o := visit(i, fmt.Sprint(i))
		o.Record.ID = "<urn:uuid:01234567-89ab-cdef-0123-456789abcdef>"
		merge(&e, &o, 2)
	}
	f.Add(appendEntry(nil, &e))
	f.Add(appendReference(nil, e.Latest, ""))
	f.Fuzz(func(t *testing.T, v []byte) {
		if e, err := decodeEntry("k", v); err == nil {
			again, err := decodeEntry("k", appendEntry(nil, &e))
			if err != nil || !reflect.DeepEqual(again, e) {
				t.Errorf("%+v came back as %+v (%v)", e, again, err)
			}
		}
		if r, err := decodeReference(v); err == nil {
			if again, err := decodeReference(appendReference(nil, r, "")); err != nil || again != r {
				t.Errorf("%+v came back as %+v (%v)", r, again, err)
			}
		}
	})
}
