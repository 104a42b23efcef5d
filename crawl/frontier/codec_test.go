package frontier

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestItemCodec(t *testing.T) {
	for _, it := range []Item{
		{Key: "k", URL: "k"},
		{Key: "https://a/1", URL: "HTTPS://A/1", Via: "https://a/", HopPath: "LLE", Band: 15, Score: 0.123456, Depth: 3, Attempts: 2, Meta: []byte{0}},
	} {
		got, err := decodeItem(appendItem(nil, &it))
		if err != nil || !reflect.DeepEqual(got, it) {
			t.Errorf("%+v came back as %+v (%v)", it, got, err)
		}
	}
}

func TestSeenCodec(t *testing.T) {
	rec := seen{state: Queued, host: 9, pos: makePos(lateBand|3, 1700000000000, 77), score: 123456, count: 4}
	if got, err := decodeSeen(appendQueued(nil, rec)); err != nil || got != rec {
		t.Errorf("%+v came back as %+v (%v)", rec, got, err)
	}
	o := Outcome{Status: -404, Failed: true, Size: math.MaxInt64, At: time.UnixMilli(1).UTC(), Digest: []byte{1}, Record: []byte{2, 3}}
	rec, got, _, err := decodeSettled(appendDone(nil, 7, &o))
	if err != nil || rec.state != Done || rec.host != 7 || !reflect.DeepEqual(got, o) {
		t.Errorf("%+v came back as %+v %+v (%v)", o, rec, got, err)
	}
	if _, _, reason, err := decodeSettled(appendDropped(nil, 7, 3, "robots")); err != nil || reason != "robots" {
		t.Errorf("reason %q (%v)", reason, err)
	}
}

// TestPosOrder checks that the stored keys sort as the places do.
func TestPosOrder(t *testing.T) {
	r := ranking{order: BestFirst, buckets: 1000}
	want := []pos{
		r.ready(0, 0, 9), r.ready(1, scoreUnit, 5), r.ready(1, scoreUnit, 6), r.ready(1, 500000, 1), r.ready(1, 0, 2),
		r.ready(15, scoreUnit, 3), r.wait(0, epoch, 1), r.wait(0, epoch, 2), r.wait(0, epoch.Add(time.Hour), 0), r.wait(2, epoch, 0),
	}
	var keys [][]byte
	for _, p := range want {
		k := queueKey(nil, 5, p)
		if _, got, ok := parseQueueKey(k); !ok || got != p {
			t.Errorf("%+v came back as %+v", p, got)
		}
		keys = append(keys, k)
	}
	if !slices.IsSortedFunc(want, pos.cmp) || !slices.IsSortedFunc(keys, bytes.Compare) {
		t.Error("places or keys are not in order")
	}
}

func TestTopBucket(t *testing.T) {
	last := topBucket(0)
	for v := int64(1); v > 0 && v < math.MaxInt64/5*4; v += max(1, v/7) {
		b := topBucket(v)
		if b < last || b == 0 {
			t.Fatalf("step of %d is %d after %d", v, b, last)
		}
		last = b
	}
	if topBucket(math.MaxInt64) != 1+4*62+3 {
		t.Error(topBucket(math.MaxInt64))
	}
}

// FuzzCodecs feeds arbitrary bytes to the decoders: they give an error or a value that is written
// and read again as it is.
func FuzzCodecs(f *testing.F) {
	f.Add(appendItem(nil, &Item{Key: "https://a/1", URL: "x", Via: "v", HopPath: "L", Score: 0.3, Meta: []byte("m")}))
	f.Add(appendQueued(nil, seen{host: 3, pos: makePos(1, 2, 3), score: 4, count: 5}))
	f.Add(appendDone(nil, 3, &Outcome{Status: 200, Size: 5, At: epoch, Digest: []byte("d"), Record: []byte("r")}))
	f.Add(appendDropped(nil, 3, 3, "robots"))
	f.Add(appendHost(nil, &hostRecord{id: 4, retired: true, domain: "example", tally: tally{queued: 3, bytes: 9}}))
	f.Add(appendCounters(nil, &counters{nextSeq: 5}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if it, err := decodeItem(b); err == nil {
			again, err := decodeItem(appendItem(nil, &it))
			if err != nil || !reflect.DeepEqual(again, it) {
				t.Errorf("item %+v came back as %+v (%v)", it, again, err)
			}
		}
		if rec, o, reason, err := decodeSettled(b); err == nil {
			checkSeen(t, rec, o, reason)
		}
		if h, err := decodeHost(b); err == nil {
			if again, err := decodeHost(appendHost(nil, &h)); err != nil || again != h {
				t.Errorf("host %+v came back as %+v (%v)", h, again, err)
			}
		}
		if c, err := decodeCounters(b); err == nil {
			if again, err := decodeCounters(appendCounters(nil, &c)); err != nil || again != c {
				t.Errorf("counters %+v came back as %+v (%v)", c, again, err)
			}
		}
	})
}

func checkSeen(t *testing.T, rec seen, o Outcome, reason string) {
	var v []byte
	switch rec.state {
	case Queued:
		v = appendQueued(nil, rec)
	case Done:
		v = appendDone(nil, rec.host, &o)
	case Dropped:
		v = appendDropped(nil, rec.host, rec.band, reason)
	}
	again, o2, reason2, err := decodeSettled(v)
	if err != nil || again != rec || !reflect.DeepEqual(o, o2) || reason != reason2 {
		t.Errorf("%+v %+v %q came back as %+v %+v %q (%v)", rec, o, reason, again, o2, reason2, err)
	}
}
