package truth_test

import (
	"math"
	"testing"

	"varve/lab/websim/dice"
	"varve/lab/websim/truth"
)

const (
	hour = int64(3_600_000)
	day  = 24 * hour
	year = 365 * day
)

var contentOnly = truth.Weights{truth.Content: 1}

func draw(p truth.Process, seed uint64) *truth.History {
	var b truth.Builder
	p.Draw(&b, dice.New(seed), year)
	return b.History()
}

// within fails when the count of a process of the given mean and variance is over 5 sigma off.
func within(t *testing.T, what string, got, mean, variance float64) {
	t.Helper()
	if math.Abs(got-mean) > 5*math.Sqrt(variance) {
		t.Errorf("%s: %v changes, want %v with standard deviation %.1f", what, got, mean, math.Sqrt(variance))
	}
}

func TestPoissonRate(t *testing.T) {
	for _, mean := range []int64{2 * hour, day, 30 * day} {
		p := truth.Process{Mean: float64(mean), Kinds: contentOnly}
		const pages = 100
		total, square := 0.0, 0.0
		for i := range uint64(pages) {
			n := float64(draw(p, i).Len())
			total, square = total+n, square+n*n
		}
		want := float64(year) / float64(mean)
		within(t, "poisson", total, pages*want, pages*want)
		// The variance over the mean of Poisson counts is 1; of n pages it has a deviation of sqrt(2/n).
		m := total / pages
		if d := (square/pages - m*m) / m; math.Abs(d-1) > 5*math.Sqrt(2.0/pages) {
			t.Errorf("mean gap %d: variance over mean %v, want 1", mean, d)
		}
	}
}

func TestBernoulliRate(t *testing.T) {
	for _, p := range []float64{0.001, 0.1, 0.5, 0.95, 1} {
		total, slots := 0, float64(year/hour)
		for i := range uint64(20) {
			h := draw(truth.Process{Slot: hour, P: p, Kinds: contentOnly}, i)
			total += h.Len()
			last := int64(0)
			for _, c := range h.Changes() {
				if c.At%hour != 0 || c.At <= last || c.At > year {
					t.Fatalf("p=%v: change at %d after %d", p, c.At, last)
				}
				last = c.At
			}
		}
		within(t, "bernoulli", float64(total), 20*slots*p, 20*slots*p*(1-p)+1e-9)
	}
}

func TestBursts(t *testing.T) {
	windows := []truth.Window{{From: 10 * day, To: 11 * day}, {From: 100 * day, To: 104 * day}}
	inside := func(at int64) bool {
		for _, w := range windows {
			if at >= w.From && at < w.To {
				return true
			}
		}
		return false
	}
	for name, p := range map[string]truth.Process{
		"poisson":   {Mean: float64(12 * hour), Bursts: windows, Factor: 20, Kinds: contentOnly},
		"bernoulli": {Slot: hour / 4, P: 1.0 / 48, Bursts: windows, Factor: 20, Kinds: contentOnly},
	} {
		in, out := 0.0, 0.0
		for i := range uint64(50) {
			last := int64(-1)
			for _, c := range draw(p, i).Changes() {
				if c.At == last && p.Slot > 0 {
					t.Fatal("two changes in one slot")
				}
				if last = c.At; inside(c.At) {
					in++
				} else {
					out++
				}
			}
		}
		within(t, name+" inside", in, 50*5*2*20, 50*5*2*20)
		within(t, name+" outside", out, 50*360*2, 50*360*2)
	}
	ws := truth.Bursts(dice.New(1), float64(30*day), 2*day, 100*year)
	within(t, "windows", float64(len(ws)), 100*365/32.0, 100*365/32.0)
	for i := 1; i < len(ws); i++ {
		if ws[i].From < ws[i-1].To {
			t.Error("windows overlap")
		}
	}
}

func TestKindsByWeight(t *testing.T) {
	w := truth.Weights{truth.Content: 1, truth.Links: 2, truth.Token: 5}
	h := draw(truth.Process{Mean: float64(hour), Kinds: w}, 3)
	n := map[truth.Kind]float64{}
	for _, c := range h.Changes() {
		n[c.Kind]++
	}
	total := float64(h.Len())
	for k, x := range w {
		share := x / 8
		within(t, truth.Kind(k).String(), n[truth.Kind(k)], total*share, total*share*(1-share)+1e-9)
	}
	if got := w.Share(truth.Main); got != 1.0/8 {
		t.Errorf("share of main %v", got)
	}
}

// Every question a history answers must equal what counting through the list of changes gives.
func TestHistoryAgainstBruteForce(t *testing.T) {
	for seed := range uint64(30) {
		var b truth.Builder
		s := dice.New(seed, 99)
		(&truth.Life{Appear: 0.5, Vanish: float64(60 * day), Return: float64(20 * day), Move: float64(50 * day)}).Draw(&b, s, year)
		(&truth.Process{Mean: float64(9 * day), Kinds: truth.Weights{1, 1, 1, 1, 1}}).Draw(&b, s, year)
		h := b.History()
		changes := h.Changes()
		for range 20 {
			from := int64(s.IntN(int(year)))
			to := from + int64(s.IntN(int(year-from)))
			checkInstant(t, h, changes, from)
			for _, l := range truth.Layers() {
				n := 0
				for _, c := range changes {
					if c.At > from && c.At <= to && l.Sees(c.Kind) {
						n++
					}
				}
				if got := h.Count(from, to, l); got != n {
					t.Fatalf("seed %d: count %d, want %d", seed, got, n)
				}
				if same := h.At(from).Same(h.At(to), l); n == 0 && !same {
					t.Fatalf("seed %d: versions differ on %v without a change", seed, l)
				}
			}
		}
	}
}

func checkInstant(t *testing.T, h *truth.History, changes []truth.Change, at int64) {
	t.Helper()
	var n [9]uint32
	born := true
	for _, c := range changes {
		if c.Kind == truth.Appear && c.At > at {
			born = false
		}
		if c.At <= at {
			n[c.Kind]++
		}
	}
	want := truth.Version{Content: n[0], Minor: n[1], Links: n[2], Token: n[3], Ad: n[4], Moves: n[8], State: truth.Live}
	if !born {
		want.State = truth.Unborn
	} else if n[truth.Vanish] > n[truth.Return] {
		want.State = truth.Gone
	}
	if got := h.At(at); got != want {
		t.Fatalf("at %d: %v, want %v", at, got, want)
	}
	for _, l := range truth.Layers() {
		var last, next int64 = -1, -1
		for _, c := range changes {
			if !l.Sees(c.Kind) {
				continue
			}
			if c.At <= at {
				last = c.At
			} else if next < 0 {
				next = c.At
			}
		}
		if got, ok := h.Last(at, l); ok != (last >= 0) || ok && got != last {
			t.Fatalf("last on %v: %d, want %d", l, got, last)
		}
		if got, ok := h.Next(at, l); ok != (next >= 0) || ok && got != next {
			t.Fatalf("next on %v: %d, want %d", l, got, next)
		}
	}
}

func TestLife(t *testing.T) {
	late := 0.0
	for seed := range uint64(1000) {
		var b truth.Builder
		(&truth.Life{Appear: 0.3, Vanish: float64(100 * day), Return: float64(30 * day)}).Draw(&b, dice.New(seed), year)
		if len(b.Times(truth.Appear)) > 0 {
			late++
		}
		v, r := b.Times(truth.Vanish), b.Times(truth.Return)
		if d := len(v) - len(r); d < 0 || d > 1 {
			t.Fatalf("%d times gone, %d times back", len(v), len(r))
		}
		for i := range r {
			if r[i] <= v[i] || b.Present(v[i]) || !b.Present(r[i]) {
				t.Fatalf("gone at %d, back at %d", v[i], r[i])
			}
		}
	}
	within(t, "late", late, 300, 210)
}

func TestNames(t *testing.T) {
	for _, l := range truth.Layers() {
		text, _ := l.MarshalText()
		var back truth.Layer
		if err := back.UnmarshalText(text); err != nil || back != l {
			t.Errorf("%s: %v %v", text, back, err)
		}
	}
	var k truth.Kind
	if err := k.UnmarshalText([]byte("ad")); err != nil || k != truth.Ad {
		t.Error(k, err)
	}
	if k.UnmarshalText([]byte("x")) == nil || new(truth.Layer).UnmarshalText([]byte("x")) == nil {
		t.Error("no error for an unknown name")
	}
	v := truth.Version{Content: 4, Links: 2, State: truth.Gone}
	if v.String() != "-c4.m0.l2.t0.a0.v0" {
		t.Error(v)
	}
}
