package route

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// The worked example of gain.go and docs/algorithms/capture.md.
func TestExample(t *testing.T) {
	p := Params{}.WithDefaults()
	var host, section, all Record
	p0 := EmptyRoot.Chance()
	want := []struct{ chance, sd, gain float64 }{
		{0.9, 0.173, 1.887}, {0.36, 0.240, 0.840}, {0.210, 0.188, 0.514}, {0.146, 0.155, 0.369},
	}
	for i, w := range want {
		e := Expect(p0, host, section, all, p)
		if math.Abs(e.Chance-w.chance) > 0.001 || math.Abs(e.SD-w.sd) > 0.001 || math.Abs(e.Gain-w.gain) > 0.001 {
			t.Errorf("after %d executions without gain: %+v, want %+v", i, e, w)
		}
		if e.Pays(p) != (i < 3) {
			t.Errorf("after %d executions without gain: pays %v", i, e.Pays(p))
		}
		section = section.Learned(0, time.Second, p.Forget, p)
		host = host.Learned(0, time.Second, p.ForgetHost, p)
		all = all.Learned(0, time.Second, 0.99, p)
	}
}

// Sections without gain are left to the parser after one to three executions, whatever their signs.
func TestStops(t *testing.T) {
	p := Params{}.WithDefaults()
	for _, tt := range []struct {
		signs Sign
		want  int
	}{
		{Module, 0}, {Template, 1}, {Framework | Module, 1}, {Asks, 2}, {Asks | Builds, 2}, {EmptyRoot, 3}, {EmptyRoot | NeedsScript | FewWords, 3},
	} {
		var host, section, all Record
		n := 0
		for n < 20 && Expect(tt.signs.Chance(), host, section, all, p).Pays(p) {
			n++
			section = section.Learned(0, time.Second, p.Forget, p)
			host = host.Learned(0, time.Second, p.ForgetHost, p)
			all = all.Learned(0, time.Second, 0.99, p)
		}
		if n != tt.want {
			t.Errorf("%v: executed %d times, want %d", tt.signs.Names(), n, tt.want)
		}
	}
}

// world is a made-up site section: with chance p a page brings size new URLs when it is executed.
type world struct {
	signs Sign
	p     float64
	size  int
	cost  float64
	pages int
}

// Against an oracle that knows every section: nearly all that it gains is gained, for little more than it
// pays, on 200 random mixtures of sections.
func TestOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := Params{}.WithDefaults()
	var gained, possible, paid, oraclePaid, everywhere float64
	for range 200 {
		sections := randomWorlds(rng)
		var all Record
		for _, w := range sections {
			g, c := play(w, &all, p, rng)
			gained, paid = gained+g, paid+c
			everywhere += float64(w.pages) * w.cost
			if worth := w.p * float64(w.size); worth >= p.MinGain*w.cost {
				possible += worth * float64(w.pages)
				oraclePaid += float64(w.pages) * w.cost
			}
		}
	}
	t.Logf("gain %.3f of the oracle's, CPU %.3f of the oracle's, %.3f of executing everything", gained/possible, paid/oraclePaid, paid/everywhere)
	if gained < 0.95*possible || paid > 1.12*oraclePaid {
		t.Errorf("gain %.3f of the oracle's, CPU %.3f of it", gained/possible, paid/oraclePaid)
	}
}

func randomWorlds(rng *rand.Rand) []world {
	var out []world
	for range 12 {
		w := world{cost: 0.5 + rng.Float64(), pages: 5 + rng.IntN(200)}
		switch rng.IntN(4) {
		case 0: // an application
			w.signs, w.p, w.size = EmptyRoot|NeedsScript, 0.7+0.3*rng.Float64(), 1+rng.IntN(10)
		case 1: // looks like one, and has all in its source
			w.signs, w.p, w.size = Framework|Builds|Asks, 0, 0
		case 2: // lists that now and then have more
			w.signs, w.p, w.size = LoadMore|Asks, 0.5+0.5*rng.Float64(), 2+rng.IntN(20)
		case 3: // ordinary pages with scripts
			w.signs, w.p, w.size = Builds|Handlers, 0.01, 1
		}
		out = append(out, w)
	}
	return out
}

// play lets the estimate decide for the pages of a section.
func play(w world, all *Record, p Params, rng *rand.Rand) (gain, cost float64) {
	var host, section Record
	p0 := w.signs.Chance()
	for range w.pages {
		section.Idle++
		pays := Expect(p0, host, section, *all, p).Pays(p)
		if !pays {
			if !section.ProbeDue(p0, p) {
				continue
			}
			section = section.Probed(p)
		}
		section.Idle = 0
		y := 0
		if rng.Float64() < w.p {
			y = w.size
		}
		d := time.Duration(w.cost * float64(time.Second))
		gain, cost = gain+float64(y), cost+w.cost
		section = section.Learned(y, d, p.Forget, p)
		host = host.Learned(y, d, p.ForgetHost, p)
		*all = all.Learned(y, d, 0.99, p)
	}
	return gain, cost
}

// A section that begins to pay is noticed by a probe.
func TestProbeFindsChange(t *testing.T) {
	p := Params{}.WithDefaults()
	var host, section, all Record
	p0, executed := Asks.Chance(), 0
	for page := range 400 {
		section.Idle++
		switch {
		case Expect(p0, host, section, all, p).Pays(p):
		case section.ProbeDue(p0, p):
			section = section.Probed(p)
		default:
			continue
		}
		section.Idle = 0
		y := 0
		if page >= 100 {
			y, executed = 5, executed+1
		}
		section = section.Learned(y, time.Second, p.Forget, p)
		host = host.Learned(y, time.Second, p.ForgetHost, p)
		all = all.Learned(y, time.Second, 0.99, p)
	}
	if executed < 250 {
		t.Errorf("%d of the 300 pages that paid were executed", executed)
	}
}
