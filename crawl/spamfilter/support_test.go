package spamfilter_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"varve/crawl/spamfilter"
	"varve/web/links"
)

// The worked example of docs/algorithms/spam_filter.md: odds of 9 to 1, divided by 1 + 2 and by 8.
func TestTemper(t *testing.T) {
	for _, c := range []struct {
		n    int
		want float64
	}{{0, 0.9}, {2, 0.75}, {7, 9.0 / 17}, {1000, 9.0 / 17}} {
		if got := spamfilter.Temper(0.9, c.n); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%d supporters: %g, want %g", c.n, got, c.want)
		}
	}
	if !math.IsNaN(spamfilter.Temper(math.NaN(), 3)) || spamfilter.Temper(1, 5) != 1 || spamfilter.Temper(0, 5) != 0 {
		t.Error("what is not known, or certain, changed")
	}
}

// The sketch counts as a table does, while hosts fall and come back.
func TestSupportCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s := spamfilter.NewSupport(1 << 20)
	links, barred := map[uint64][]uint64{}, map[uint64]bool{}
	host := func() uint64 { return spamfilter.HashOf(fmt.Sprint("host", rng.IntN(50))) }
	for range 3000 {
		from := host()
		switch rng.IntN(4) {
		case 0:
			s.Withdraw(from)
			barred[from] = true
		case 1:
			s.Restore(from)
			delete(barred, from)
		default:
			if to := host(); !slices.Contains(links[from], to) {
				links[from] = append(links[from], to)
				s.Add(from, []uint64{to})
			}
		}
		probe, want := host(), 0
		for from, list := range links {
			if !barred[from] && slices.Contains(list, probe) {
				want++
			}
		}
		if got := s.Of(probe); got != want {
			t.Fatalf("%d supporters, want %d", got, want)
		}
	}
}

// Suspects are named when their support changes, others are not; and without memory for lists support stays, which favours hosts.
func TestSupportTouches(t *testing.T) {
	s := spamfilter.NewSupport(1 << 20)
	a, b, c := spamfilter.HashOf("a.test"), spamfilter.HashOf("b.test"), spamfilter.HashOf("c.test")
	s.Suspect("b.test:8080")
	if got := s.Add(a, []uint64{b, c}); !slices.Equal(got, []string{"b.test:8080"}) {
		t.Errorf("touched %v", got)
	}
	if got := s.Withdraw(a); len(got) != 1 || s.Of(b) != 0 || s.Withdraw(a) != nil {
		t.Errorf("withdrawn from %v, %d left", got, s.Of(b))
	}
	if got := s.Add(a, []uint64{c}); got != nil || s.Of(c) != 0 {
		t.Errorf("a rejected host supports %v", got)
	}
	s.Clear("b.test")
	if got := s.Restore(a); got != nil || s.Of(b) != 1 || s.Of(c) != 2 {
		t.Errorf("restored to %v; %d, %d", got, s.Of(b), s.Of(c))
	}
	poor := spamfilter.NewSupport(0)
	poor.Add(a, []uint64{b})
	if poor.Withdraw(a); poor.Of(b) != 1 {
		t.Errorf("%d without memory", poor.Of(b))
	}
}

// A verdict follows support both ways, until people speak.
func TestReconsider(t *testing.T) {
	r := spamfilter.NewRecord()
	usual.Grow(r, []byte("x"), 20)
	usual.Judge(r, 0.97, 3, "words")
	if r.State != spamfilter.Archiving || !usual.Suspect(r) {
		t.Fatalf("%+v", r)
	}
	if usual.Reconsider(r, 4) || !usual.Reconsider(r, 0) || r.State != spamfilter.Rejected || r.Spamicity != 0.97 {
		t.Errorf("without support: %+v", r)
	}
	if !usual.Reconsider(r, 4) || r.State != spamfilter.Archiving {
		t.Errorf("with support: %+v", r)
	}
	r.Bar("eva: spam")
	if usual.Reconsider(r, 7) || r.State != spamfilter.Rejected || usual.Suspect(r) {
		t.Errorf("barred: %+v", r)
	}
}

func TestTargets(t *testing.T) {
	found := []links.Link{
		{URL: "http://other.test/a", Hop: links.HopLink},
		{URL: "http://other.test/b", Hop: links.HopLink},
		{URL: "https://user@Third.test:8443?x", Hop: links.HopLink},
		{URL: "http://img.own.test/a.png", Hop: links.HopLink},
		{URL: "http://pictures.test/a.png", Hop: links.HopEmbed},
		{URL: "http://paid.test/", Hop: links.HopLink, Rel: "noopener sponsored"},
		{URL: "mailto:x@y.test", Hop: links.HopLink},
		{URL: "http://own.test/", Hop: links.HopLink},
	}
	got := spamfilter.Targets("own.test:8080", found)
	if want := []uint64{spamfilter.HashOf("other.test"), spamfilter.HashOf("Third.test")}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	var many []links.Link
	for i := range 1000 {
		many = append(many, links.Link{URL: fmt.Sprintf("http://h%d.test/", i), Hop: links.HopLink})
	}
	if n := len(spamfilter.Targets("own.test", many)); n != spamfilter.MaxTargets {
		t.Errorf("%d targets", n)
	}
}

// Records of versions 1 and 2, as crawls of before have them, can be read.
func TestOldRecord(t *testing.T) {
	r := &spamfilter.Record{State: spamfilter.Archiving, Pages: 30, Assessed: 20, Spamicity: 0.3, Content: 0.5, Why: "x", Sample: []byte("abc"), Targets: []uint64{7, 9}}
	b := r.Append(nil)
	back, err := spamfilter.Parse(b)
	if err != nil || back.Content != 0.5 || !slices.Equal(back.Targets, r.Targets) {
		t.Fatalf("%+v, %v", back, err)
	}
	old := slices.Clone(b[:len(b)-1])
	old[0] = 2
	back, err = spamfilter.Parse(old)
	if err != nil || back.Content != 0.5 || !slices.Equal(back.Targets, r.Targets) || back.Prior != spamfilter.PriorNone {
		t.Errorf("%+v, %v", back, err)
	}
	old = slices.Clone(b[:len(b)-8-1-16-1])
	old[0] = 1
	back, err = spamfilter.Parse(old)
	if err != nil || back.Spamicity != 0.3 || back.Content != 0.3 || back.Targets != nil || string(back.Sample) != "abc" {
		t.Errorf("%+v, %v", back, err)
	}
}
