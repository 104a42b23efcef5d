package evidence

import (
	"maps"
	"slices"

	"varve/text/layer"
	"varve/text/noise"
	"varve/web/canon"
)

// Bounds of what is learned from twins.
const (
	maxTemplates = 10_000
	maxSamples   = 4 // of a template
)

// Noisy is a template whose pages differ at every request, and where.
type Noisy struct {
	Template string      `json:"template"`
	Rules    noise.Rules `json:"rules"`
}

// Noise lists the templates whose noise is known, in order.
func (s *Set) Noise() []Noisy {
	list := make([]Noisy, 0, len(s.noise))
	for _, t := range slices.Sorted(maps.Keys(s.noise)) {
		list = append(list, Noisy{t, s.noise[t]})
	}
	return list
}

// templateOf names the template of a capture: answers of another type are made by another one.
func templateOf(c *Observation) string {
	_, t := canon.Template(c.URL, canon.TemplateLevels)
	return t + " " + c.MIME
}

// twin is a page that was asked for twice at once.
type twin struct{ a, b Observation }

// learnNoise learns from the twins of the captures what differs at every request, by template. A twin whose content cannot be read again
// teaches nothing.
func (s *Set) learnNoise() error {
	by := map[string][]twin{}
	for page, err := range s.Pages() {
		if err != nil {
			return err
		}
		for i := range page.Captures {
			b := &page.Captures[i]
			if !b.IsProbe() || !b.OK() || b.Layers == nil {
				continue
			}
			t := templateOf(b)
			a := firstOf(page, b)
			if a == nil || len(by[t]) >= maxSamples || len(by) >= maxTemplates && by[t] == nil {
				continue
			}
			by[t] = append(by[t], twin{*a, *b})
		}
	}
	s.noise = map[string]noise.Rules{}
	for t, twins := range by {
		var samples []noise.Sample
		for i := range twins {
			x, errA := s.Content(&twins[i].a)
			y, errB := s.Content(&twins[i].b)
			if errA == nil && errB == nil {
				samples = append(samples, noise.Sample{A: x, B: y})
			}
		}
		if rules := noise.Learn(samples); len(rules) > 0 {
			s.noise[t] = rules
		}
	}
	return nil
}

// firstOf returns the capture whose twin another is: the last one before it that is none, of the same crawl and side.
func firstOf(page *History, b *Observation) (a *Observation) {
	for i := range page.Captures {
		c := &page.Captures[i]
		if !c.IsProbe() && c.OK() && c.Plain() && c.Layers != nil && c.Crawl == b.Crawl && c.Side == b.Side && c.Time.Before(b.Time) {
			a = c
		}
	}
	return a
}

// withoutNoise compares two contents of a template whose noise is known. Their bytes differ, whatever they are without it.
func (s *Set) withoutNoise(a, b *Observation, x, y []byte, rules noise.Rules, cfg layer.Config) layer.Comparison {
	c := s.layers.pair(a, b, rules.Mask(x), rules.Mask(y), cfg)
	if c.Equal.Has(layer.Bytes) {
		c.Equal, c.Rescued = c.Equal&^layer.SetOf(layer.Bytes), layer.DOM
	}
	return c
}
