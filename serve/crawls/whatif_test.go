package crawls

import (
	"errors"
	"iter"
	"math"
	"testing"
	"time"

	"varve"
	"varve/coherence"
	"varve/serve/holdings"
)

func capturesOf(list []holdings.IndexedCapture, end error) iter.Seq2[holdings.IndexedCapture, error] {
	return func(yield func(holdings.IndexedCapture, error) bool) {
		for _, c := range list {
			if !yield(c, nil) {
				return
			}
		}
		if end != nil {
			yield(holdings.IndexedCapture{}, end)
		}
	}
}

func at(key string, day int, status int, mime, digest string, revisit bool) holdings.IndexedCapture {
	return holdings.IndexedCapture{Key: key, Revisit: revisit, Capture: varve.Capture{
		Time: time.Date(2026, 1, 1+day, 0, 0, 0, 0, time.UTC), Status: status, MIME: mime, Digest: digest,
	}}
}

func TestReadHistory(t *testing.T) {
	list := []holdings.IndexedCapture{
		at("a", 0, 200, "text/html", "1", false), at("a", 1, 200, "text/html", "2", false), at("a", 2, 200, "text/html", "2", false),
		at("b", 0, 200, "text/html", "3", false), at("b", 1, 304, "warc/revisit", "", false), at("b", 2, 200, "warc/revisit", "3", true),
		at("c", 0, 200, "image/png", "4", false), at("c", 1, 200, "warc/revisit", "4", true),
		at("d", 0, 200, "text/html", "5", false),
		at("e", 0, 200, "text/html", "6", false), at("e", 1, 500, "text/html", "7", false), at("e", 2, 200, "text/html", "6", false),
	}
	h, err := ReadHistory(capturesOf(list, nil))
	if err != nil || !h.Whole || h.Comparisons != 5 || h.Changed != 1 || len(h.Rates) != 3 {
		t.Fatalf("%+v, %v", h, err)
	}
	if h.Rates[0] <= h.Rates[1] || h.Rates[2] < 0 {
		t.Errorf("not sorted: %v", h.Rates)
	}
	if _, err := ReadHistory(capturesOf(list, errors.New("disk"))); err == nil {
		t.Error("an index that cannot be read was taken for whole")
	}
}

// Pages that were never seen to change share what is known: together they were watched for long.
func TestUnchangedSitesAreFoundSo(t *testing.T) {
	var list []holdings.IndexedCapture
	for i := range 100 {
		key := string(rune('A'+i/10)) + string(rune('a'+i%10))
		list = append(list, at(key, 0, 200, "text/html", "1", false), at(key, 1, 200, "text/html", "1", false))
	}
	h, err := ReadHistory(capturesOf(list, nil))
	if err != nil || len(h.Rates) != 100 || h.Changed != 0 {
		t.Fatalf("%+v, %v", h, err)
	}
	const perDay = 1.0 / 86400
	if h.Rates[0] > 0.05*perDay {
		t.Errorf("%f changes a day, after none in 100 days of pages", h.Rates[0]/perDay)
	}
	if f := h.Foretell(100, time.Minute); f.Planned < 0.99 {
		t.Errorf("%+v", f)
	}
}

// A few pages are reckoned exactly; many by those that stand for them, which must come to the same.
func TestForetell(t *testing.T) {
	const rate = 1.0 / 14400 // per second: one in four hours
	h := History{Rates: []float64{5 * rate, rate, rate, 0}}
	f := h.Foretell(4, 10*time.Minute)
	want := (math.Exp(-5/6.0) + 2*math.Exp(-1/6.0) + 1) / 4
	if math.Abs(f.Plain-want) > 1e-12 || f.Lasts != 80*time.Minute || f.Planned < f.Plain || f.Planned > 1 {
		t.Errorf("%+v, want plain %f", f, want)
	}
	const n = 1000
	l := make([]float64, n)
	for i := range l {
		l[i] = h.Rates[i*4/n]
	}
	gaps := coherence.Gaps(n, 60)
	placed := make([]float64, n)
	for k, p := range coherence.Arrange(l, gaps) {
		placed[k] = l[p]
	}
	if got, whole := h.Foretell(n, time.Minute).Planned, coherence.Expected(placed, gaps); math.Abs(got-whole) > 0.01 {
		t.Errorf("%f, with all pages %f", got, whole)
	}
	for _, f := range []Foretold{h.Foretell(0, time.Hour), h.Foretell(-3, -time.Hour), {}} {
		if f.Planned != 0 {
			t.Errorf("%+v", f)
		}
	}
	if f := h.Foretell(math.MaxInt, math.MaxInt64); f.Lasts <= 0 || f.Pages != MaxPages {
		t.Errorf("%+v", f)
	}
	if f := (History{}).Foretell(5, time.Second); f.Planned != 0 || f.Lasts != 10*time.Second {
		t.Errorf("without history: %+v", f)
	}
}
