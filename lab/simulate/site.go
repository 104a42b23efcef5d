package simulate

import (
	"fmt"
	"math/rand/v2"
	"time"

	"varve/coherence/changerate"
	"varve/lab/websim"
	"varve/lab/websim/truth"
	"varve/text/dating"
)

// site is a host of the simulated web as a set of numbered pages: what is reachable from its home
// page at the instant at which the capture begins. Times are in slots since then.
type site struct {
	urls    []string
	mimes   []string
	links   [][]int     // in order of appearance
	rates   []float64   // oracle: changes per slot, from the full history
	changes [][]float64 // during the capture and its revisits, in order

	web   *websim.Web
	ids   []websim.PageID
	start time.Time
	slot  time.Duration
}

// look visits page i: when it says that it last changed, zero where it does not. Of what is no HTML the server says it.
func (s *site) look(i int, at time.Time) changerate.Observation {
	look := s.web.Look(s.ids[i], at)
	said := look.Stated
	if s.mimes[i] != "text/html" {
		said = look.LastModified
	}
	return changerate.Observation{At: at, Modified: said}
}

// Earlier captures, in the experiments that know some.
const (
	earlierCaptures = 4
	earlierEvery    = 7 * 24 * time.Hour
)

// earlier is what earlier captures saw of page i.
func (s *site) earlier(i int) (out []changerate.Observation) {
	for k := earlierCaptures; k > 0; k-- {
		at := s.start.Add(-time.Duration(k) * earlierEvery)
		if s.web.Look(s.ids[i], at).Status != 200 {
			continue
		}
		o := s.look(i, at)
		if n := len(out); n > 0 {
			o.Compared, o.Changed = true, s.web.Changed(s.ids[i], out[n-1].At, at, truth.Main)
		}
		out = append(out, o)
	}
	return out
}

// isListed reports whether the dates of the sitemap can be believed: not if one and the same stands at most pages.
func (s *site) isListed() bool {
	var trust dating.Trust
	for _, id := range s.ids {
		if at, ok := s.web.Listed(id, s.start); ok {
			trust.AddStamp(at, s.start.Sub(at) > 2*time.Second)
		}
	}
	return trust.Trusted()
}

// siteConfig says what to capture.
type siteConfig struct {
	preset string
	seed   uint64
	pages  int           // at most; 0 is all
	lasts  time.Duration // of the visits
	layer  truth.Layer
}

// newSite makes a site from a preset of the simulated web.
func newSite(c siteConfig) (*site, error) {
	spec, err := websim.Preset(c.preset)
	if err != nil {
		return nil, err
	}
	w, err := websim.New(spec, c.seed)
	if err != nil {
		return nil, err
	}
	start := w.Epoch().Add(w.End().Sub(w.Epoch()) / 2)
	s := &site{}
	ids := s.reach(w, start, c.pages)
	if len(ids) < 2 {
		return nil, fmt.Errorf("site %s has no pages to compare", c.preset)
	}
	slot := c.lasts / time.Duration(len(ids))
	s.web, s.ids, s.start, s.slot = w, ids, start, slot
	end := start.Add(2 * c.lasts)
	span := w.End().Sub(w.Epoch())
	for i, id := range ids {
		s.urls[i] = w.URL(id, start)
		s.mimes[i] = w.Page(id).Type.MIME()
		s.rates[i] = float64(w.Changes(id, w.Epoch(), w.End(), c.layer)) * float64(slot) / float64(span)
		for at, ok := w.NextChange(id, start, c.layer); ok && at.Before(end); at, ok = w.NextChange(id, at, c.layer) {
			s.changes[i] = append(s.changes[i], float64(at.Sub(start))/float64(slot))
		}
	}
	return s, nil
}

// reach finds the pages of the first host that links lead to, breadth first.
func (s *site) reach(w *websim.Web, start time.Time, limit int) []websim.PageID {
	host := w.Hosts()[0]
	number := map[websim.PageID]int{host.First: 0}
	ids := []websim.PageID{host.First}
	for i := 0; i < len(ids); i++ {
		var links []int
		for _, l := range w.Links(ids[i], start) {
			inside := l.To >= host.First && int(l.To) < int(host.First)+host.Pages
			if !inside || w.Look(l.To, start).Status != 200 {
				continue
			}
			k, known := number[l.To]
			if !known && (limit == 0 || len(ids) < limit) {
				k, known = len(ids), true
				number[l.To] = k
				ids = append(ids, l.To)
			}
			if known {
				links = append(links, k)
			}
		}
		s.links = append(s.links, links)
	}
	n := len(ids)
	s.urls, s.mimes = make([]string, n), make([]string, n)
	s.rates, s.changes = make([]float64, n), make([][]float64, n)
	return ids
}

// learnShare is the part of the pages that the predictor learns from, as in the seed.
const learnShare = 0.1

// predicted gives rates foretold by a predictor that learnt from a tenth of the pages, by what can
// be known before a page is fetched. The pages that it learnt from have their known rates.
func (s *site) predicted(seed uint64) ([]float64, error) {
	order := rand.New(rand.NewPCG(seed, 10)).Perm(len(s.urls))
	learn := order[:max(1, int(learnShare*float64(len(order))))]
	var examples []changerate.Example
	for _, i := range learn {
		examples = append(examples, changerate.Example{Page: s.page(i), Rate: s.rates[i]})
	}
	p, err := changerate.Train(examples, changerate.Config{})
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(s.urls))
	for i := range out {
		out[i] = p.Forecast(s.page(i)).Value
	}
	for _, i := range learn {
		out[i] = s.rates[i]
	}
	return out, nil
}

func (s *site) page(i int) changerate.Subject {
	return changerate.Subject{URL: s.urls[i], MIME: s.mimes[i]}
}

// changed tells whether page i changes in (from, to].
func (s *site) changed(i int, from, to float64) bool {
	for _, c := range s.changes[i] {
		if c > from {
			return c <= to
		}
	}
	return false
}
