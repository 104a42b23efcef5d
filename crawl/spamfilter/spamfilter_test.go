package spamfilter_test

import (
	"math"
	"slices"
	"testing"

	"varve/crawl/spamfilter"
)

var usual = spamfilter.Config{}.WithDefaults()

// grow adds pages one by one and assesses when it is due, with the spamicity given for the number of pages.
func grow(c spamfilter.Config, r *spamfilter.Record, pages int, spamicity func(pages int) float64) (assessed []int) {
	fetched := int64(0)
	for range pages {
		fetched++
		if !c.Wants(r, fetched) {
			continue
		}
		c.Grow(r, append(r.Sample, 'x'), 1)
		if c.Due(r) {
			assessed = append(assessed, r.Pages)
			c.Judge(r, spamicity(r.Pages), 0, "words")
		}
	}
	return assessed
}

func TestLife(t *testing.T) {
	always := func(v float64) func(int) float64 { return func(int) float64 { return v } }
	for _, c := range []struct {
		name      string
		pages     int
		spamicity func(int) float64
		state     spamfilter.State
		assessed  []int
		sample    bool
	}{
		{"nothing", 0, always(0), spamfilter.NotSampled, nil, false},
		{"few pages", 3, always(1), spamfilter.Sampling, nil, true},
		{"normal", 20, always(0.2), spamfilter.Archiving, []int{4}, true},
		{"normal for long", 500, always(0.2), spamfilter.Archiving, []int{4, 8}, false},
		{"spam", 500, always(0.95), spamfilter.Rejected, []int{4}, false},
		{"at the threshold", 500, always(0.9), spamfilter.Rejected, []int{4, 10}, false},
		{"in doubt below it", 20, always(0.6), spamfilter.Archiving, []int{4, 10}, true},
		{"in doubt, out of pages", 7, always(0.6), spamfilter.Sampling, []int{4}, true},
		{"a second look frees it", 500, func(n int) float64 { return 0.98 - float64(n)/50 }, spamfilter.Archiving, []int{4, 10, 14}, false},
		{"turns out by and by", 500, func(n int) float64 { return float64(n) / 8 }, spamfilter.Rejected, []int{4, 8}, false},
		{"begins harmless", 500, func(n int) float64 { return float64(n/8) * 0.99 }, spamfilter.Rejected, []int{4, 8}, false},
	} {
		r := spamfilter.NewRecord()
		got := grow(usual, r, c.pages, c.spamicity)
		if r.State != c.state || !slices.Equal(got, c.assessed) || (r.Sample != nil) != c.sample {
			t.Errorf("%s: %s after %v, %d bytes of sample", c.name, r.State, got, len(r.Sample))
		}
	}
}

// Rulings of people go before assessments, and can be taken back.
func TestRulings(t *testing.T) {
	r := spamfilter.NewRecord()
	if !r.Bar("black list") || r.Bar("again") || r.State != spamfilter.Rejected || r.Reason() != "spam: black list" {
		t.Errorf("barred: %+v", r)
	}
	if !r.Free("eva: normal") || r.Free("again") || r.State != spamfilter.GivenBack || usual.Wants(r, 500) {
		t.Errorf("given back: %+v", r)
	}
	if !r.Bar("after all") || r.State != spamfilter.Rejected {
		t.Errorf("barred again: %+v", r)
	}
	seed := spamfilter.NewRecord()
	if !seed.Free("seed") || seed.Free("seed") || seed.State != spamfilter.Archiving || usual.Wants(seed, 500) {
		t.Errorf("seed: %+v", seed)
	}
	half := spamfilter.NewRecord()
	grow(usual, half, 30, func(int) float64 { return 0.5 })
	if half.Sample == nil {
		t.Error("no sample for the late look")
	}
	if !half.Free("white list") || half.State != spamfilter.Archiving || half.Sample != nil {
		t.Errorf("freed with a sample: %+v", half)
	}
}

func TestUnknown(t *testing.T) {
	r := spamfilter.NewRecord()
	usual.Grow(r, []byte("x"), 20)
	if r.State != spamfilter.Sampled || !usual.Due(r) {
		t.Fatalf("%+v", r)
	}
	usual.Unknown(r, "no model")
	if r.State != spamfilter.Archiving || !math.IsNaN(r.Spamicity) || usual.Due(r) {
		t.Errorf("%+v", r)
	}
}

func TestRoom(t *testing.T) {
	r := spamfilter.NewRecord()
	usual.Grow(r, []byte("x"), 1)
	if usual.Room(r, 1) != 2 || usual.Room(r, 9) != 0 {
		t.Errorf("room %d, %d", usual.Room(r, 1), usual.Room(r, 9))
	}
	usual.Grow(r, []byte("x"), 3)
	usual.Judge(r, 0.8, 0, "")
	if r.State != spamfilter.Sampling || usual.Room(r, 1) != 5 {
		t.Errorf("in doubt: %s, room %d", r.State, usual.Room(r, 1))
	}
	usual.Grow(r, []byte("x"), 6)
	usual.Judge(r, 0, 0, "")
	if usual.Room(r, 100) == 0 {
		t.Error("no room behind the verdict")
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []spamfilter.Config{{Threshold: -1}, {Threshold: 1.1}, {Threshold: math.NaN()}, {Sample: -1}, {Sample: 201}, {First: 5, Sample: 3}, {First: -1}, {Late: -1}, {Memory: 1}} {
		if c.WithDefaults().Validate() == nil {
			t.Errorf("%+v is taken", c)
		}
	}
	if err := usual.Validate(); err != nil {
		t.Error(err)
	}
	if c := (spamfilter.Config{Sample: 2}).WithDefaults(); c.First != 2 || c.Validate() != nil {
		t.Errorf("%+v", c)
	}
}

// A prior saves the second assessment where the first says the same, and decides nothing else.
func TestPrior(t *testing.T) {
	for _, c := range []struct {
		prior    spamfilter.Prior
		says     float64
		state    spamfilter.State
		assessed []int
	}{
		{spamfilter.PriorNone, 0.7, spamfilter.Archiving, []int{4, 10}},
		{spamfilter.PriorNormal, 0.7, spamfilter.Archiving, []int{4}},
		{spamfilter.PriorNormal, 0.91, spamfilter.Rejected, []int{4, 10}},
		{spamfilter.PriorNormal, 0.99, spamfilter.Rejected, []int{4}},
		{spamfilter.PriorSpam, 0.91, spamfilter.Rejected, []int{4}},
		{spamfilter.PriorSpam, 0.7, spamfilter.Archiving, []int{4, 10}},
		{spamfilter.PriorSpam, 0.1, spamfilter.Archiving, []int{4}},
	} {
		r := spamfilter.NewRecord()
		r.Prior = c.prior
		if got := grow(usual, r, 20, func(int) float64 { return c.says }); r.State != c.state || !slices.Equal(got, c.assessed) {
			t.Errorf("prior %d, spamicity %g: %s after %v", c.prior, c.says, r.State, got)
		}
	}
}

func TestStateNames(t *testing.T) {
	for _, s := range spamfilter.States() {
		b, err := s.MarshalText()
		var back spamfilter.State
		if err != nil || back.UnmarshalText(b) != nil || back != s {
			t.Errorf("%s: %q, %v", s, b, err)
		}
	}
	if _, err := spamfilter.State(77).MarshalText(); err == nil {
		t.Error("a state that is none has a name")
	}
}

func FuzzParse(f *testing.F) {
	f.Add((&spamfilter.Record{State: spamfilter.Archiving, Pages: 30, Assessed: 20, Spamicity: 0.3, Why: "x", Sample: []byte("abc")}).Append(nil))
	f.Add(spamfilter.NewRecord().Append(nil))
	f.Add((&spamfilter.Record{Prior: spamfilter.PriorSpam}).Append(nil))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := spamfilter.Parse(b)
		if err != nil {
			return
		}
		again, err := spamfilter.Parse(r.Append(nil))
		if err != nil || again.State != r.State || again.Pages != r.Pages || again.Prior != r.Prior || string(again.Sample) != string(r.Sample) {
			t.Fatalf("%+v became %+v, %v", r, again, err)
		}
		_ = r.Reason()
	})
}

// What an earlier crawl found is taken over as it is, by the threshold and the support of this one.
func TestRecall(t *testing.T) {
	for _, c := range []struct {
		name               string
		spamicity, content float64
		supporters         int
		state              spamfilter.State
	}{
		{"normal", 0.2, 0.2, 0, spamfilter.Archiving},
		{"spam", 0.97, 0.97, 0, spamfilter.Rejected},
		{"it had support", 0.5, 0.97, 0, spamfilter.Archiving},
		{"it has support", 0.97, 0.97, 7, spamfilter.Archiving},
	} {
		r := spamfilter.NewRecord()
		usual.Recall(r, c.spamicity, c.content, c.supporters, "then")
		if r.State != c.state || r.Content != c.content || usual.Wants(r, 500) || usual.Due(r) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}
