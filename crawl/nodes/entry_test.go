package nodes

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"varve/crawl/frontier"
)

func someEntries() (out []entry) {
	at := time.UnixMilli(1_700_000_000_123).UTC()
	for i := range 50 {
		it := frontier.Item{Key: fmt.Sprintf("http://a.test/%d", i), URL: fmt.Sprintf("http://a.test/%d", i), Host: "a.test", Domain: "a.test", Band: uint8(i % 4)}
		link := it
		link.URL, link.Via, link.HopPath, link.Score, link.Depth, link.Meta = it.Key+"?sid=1", "http://b.test/", "LLR", 0.25, 3, []byte{0, 1}
		out = append(out, entry{kind: entryLink, item: link},
			entry{kind: entryDone, item: it, outcome: frontier.Outcome{Status: -2, Failed: true, Size: 12, At: at, Digest: []byte("sha1:X"), Record: []byte("f 1 2")}},
			entry{kind: entryRefused, item: it, reason: "robots.txt"})
	}
	return out
}

func collect(into *[]entry) func(*entry) error {
	return func(e *entry) error { *into = append(*into, *e); return nil }
}

// What is packed comes out again, small batches as they are and large ones packed, and in a range over several batches.
func TestEntries(t *testing.T) {
	all := someEntries()
	for _, n := range []int{1, len(all)} {
		var buf []byte
		for i := range all[:n] {
			buf = appendEntry(buf, &all[i])
		}
		var got []entry
		if err := unpack(pack(buf), collect(&got)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, all[:n]) {
			t.Errorf("%d entries came back as %v", n, got)
		}
	}
	var file bytes.Buffer
	file.WriteString(rangeMagic)
	b := batcher{flush: func(m []byte) error { return writeFrame(&file, m) }}
	for i := range all {
		if err := b.add(&all[i]); err != nil {
			t.Fatal(err)
		}
		if i%40 == 0 {
			if err := b.end(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := b.end(); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	if err := readRange(bytes.NewReader(whole), func(*entry) error { return nil }); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a range without its end: %v", err)
	}
	var got []entry
	if err := readRange(bytes.NewReader(append(whole, 0, 0, 0, 0)), collect(&got)); err != nil || !reflect.DeepEqual(got, all) {
		t.Errorf("%d of %d entries, %v", len(got), len(all), err)
	}
}

func FuzzEntries(f *testing.F) {
	var buf []byte
	for _, e := range someEntries() {
		buf = appendEntry(buf, &e)
	}
	f.Add(pack(buf))
	f.Add(pack(buf[:100]))
	f.Add([]byte{batchPlain, 'l'})
	f.Fuzz(func(t *testing.T, b []byte) {
		var got []entry
		if unpack(b, collect(&got)) != nil {
			return
		}
		var again []byte
		for i := range got {
			again = appendEntry(again, &got[i])
		}
		var second []entry
		if err := unpack(pack(again), collect(&second)); len(got) > 0 && (err != nil || !reflect.DeepEqual(got, second)) {
			t.Errorf("%v: %v is not %v", err, second, got)
		}
	})
}
