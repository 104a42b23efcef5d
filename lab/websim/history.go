package websim

import (
	"math"
	"sync"

	"varve/lab/websim/dice"
	"varve/lab/websim/truth"
)

// What a stream is for. The numbers are part of the names of streams: changing one changes the web.
const (
	forPath uint64 = iota + 1
	forAsset
	forLife
	forChange
	forBurst
	forRate
	forGone
	forDead
	forSize
	forTitle
	forParagraph
	forTouch
	forMinor
	forLink
	forAd
	forToken
	forBirth
	forMatch
	forTrap
	forWindow
	forFreq
	forVoice
)

// process is a compiled change rule.
type process struct {
	rule   *Change
	bursts []truth.Window
	key    uint64
}

// lifeRule is a compiled life rule.
type lifeRule struct {
	rule *Life
	draw truth.Life
	key  uint64
}

func (s *site) compileRules() {
	span := s.web.spec.Span.ms()
	for k := range s.spec.Change {
		c := &s.spec.Change[k]
		p := process{rule: c, key: dice.Mix(forMatch, forChange, uint64(k))}
		if c.Burst.Factor > 1 {
			p.bursts = truth.Bursts(dice.New(s.key, forBurst, uint64(k)), float64(c.Burst.Every.ms()), c.Burst.Lasts.ms(), span)
		}
		s.changes = append(s.changes, p)
	}
	for k := range s.spec.Life {
		l := &s.spec.Life[k]
		s.lives = append(s.lives, lifeRule{l, l.process(), dice.Mix(forMatch, forLife, uint64(k))})
	}
	for k, f := range s.spec.Fault {
		var w []truth.Window
		if f.Every > 0 {
			w = truth.Bursts(dice.New(s.key, forWindow, uint64(k)), float64(f.Every.ms()), f.Lasts.ms(), span)
		}
		s.windows = append(s.windows, w)
	}
}

// process is the rule as a process for a page that changes factor times as often as the rule says.
func (c *Change) process(factor float64, bursts []truth.Window) truth.Process {
	p := truth.Process{Bursts: bursts, Factor: c.Burst.Factor}
	for k := range p.Kinds {
		p.Kinds[k] = c.Kinds[truth.Kind(k).String()]
	}
	if c.Process == "bernoulli" {
		p.Slot, p.P = c.Slot.ms(), min(1, c.P*factor)
	} else if factor > 0 {
		p.Mean = float64(c.Every.ms()) / factor
	}
	return p
}

// factor is how much more or less often than the rule says a page changes; its mean is 1.
func (p *process) factor(s *site, i int) float64 {
	const floor = 1e-6
	switch p.rule.Spread {
	case "exponential":
		return max(floor, dice.New(s.key, forRate, p.key, uint64(i)).Exp())
	case "lognormal":
		return math.Exp(dice.New(s.key, forRate, p.key, uint64(i)).Norm() - 0.5)
	}
	return 1
}

// scratch is what drawing a history needs for a moment.
type scratch struct {
	b, child truth.Builder
	s        *dice.Stream
}

var scratches = sync.Pool{New: func() any { return &scratch{s: dice.New()} }}

// history gives the changes of page i; they are drawn when first asked for. Two goroutines may draw
// the same one at once: they get the same.
func (s *site) history(i int) *truth.History {
	if h := s.hist[i].Load(); h != nil {
		return h
	}
	w := scratches.Get().(*scratch)
	defer scratches.Put(w)
	h := s.drawHistory(w, i)
	s.hist[i].Store(h)
	return h
}

func (s *site) drawHistory(w *scratch, i int) *truth.History {
	w.b.Reset()
	span := s.web.spec.Span.ms()
	if fixed := s.fixed(i); fixed != nil && len(fixed.data) > 0 {
		fixed.draw(&w.b)
		return w.b.History()
	}
	rule := s.drawLife(w.s, &w.b, i)
	for k := range s.changes {
		p := &s.changes[k]
		if p.rule.Match.page(s, i, p.key) {
			draw := p.rule.process(p.factor(s, i), p.bursts)
			w.s.Name(dice.Mix(s.key, forChange, uint64(k), uint64(i)))
			draw.Draw(&w.b, w.s, span)
		}
	}
	if rule != nil {
		w.b.Keep(w.b.Present)
	}
	s.drawListing(w, i)
	return w.b.History()
}

// drawLife adds the life events of page i and tells the rule they come from.
func (s *site) drawLife(stream *dice.Stream, b *truth.Builder, i int) *Life {
	if !s.leaf(i) {
		return nil
	}
	for k := range s.lives {
		if l := &s.lives[k]; l.rule.Match.page(s, i, l.key) {
			stream.Name(dice.Mix(s.key, forLife, uint64(i)))
			l.draw.Draw(b, stream, s.web.spec.Span.ms())
			return l.rule
		}
	}
	return nil
}

// drawListing adds a change of links to a parent wherever its list of children changes.
func (s *site) drawListing(w *scratch, i int) {
	if len(s.lives) == 0 || i >= s.html {
		return
	}
	from, to := s.children(i)
	for c := from; c < to; c++ {
		w.child.Reset()
		rule := s.drawLife(w.s, &w.child, c)
		if rule == nil {
			continue
		}
		for _, k := range []truth.Kind{truth.Appear, truth.Vanish, truth.Return, truth.Move} {
			if s.dead(rule, c) && (k == truth.Vanish || k == truth.Return) {
				continue
			}
			for _, t := range w.child.Times(k) {
				w.b.Add(t, truth.Links)
			}
		}
	}
}

// dead tells whether a vanished page stays linked.
func (s *site) dead(rule *Life, i int) bool {
	return dice.Unit(dice.Mix(s.key, forDead, uint64(i))) < rule.DeadLinks
}

// life is the rule that page i lives by, or nil.
func (s *site) life(i int) *Life {
	if s.leaf(i) {
		for k := range s.lives {
			if l := &s.lives[k]; l.rule.Match.page(s, i, l.key) {
				return l.rule
			}
		}
	}
	return nil
}

// fixed is the description of page i if it has one of its own.
func (s *site) fixed(i int) *Fixed {
	if k := i - s.html - s.assets; k >= 0 {
		return &s.spec.Page[k]
	}
	return nil
}

// draw adds the changes of a page with fixed bodies: it appears with the first.
func (f *Fixed) draw(b *truth.Builder) {
	for k, v := range f.data {
		switch {
		case k > 0:
			b.Add(v.from, truth.Content)
		case v.from > 0:
			b.Add(v.from, truth.Appear)
		}
	}
	if f.until > 0 {
		b.Add(f.until, truth.Vanish)
	}
}

// rate is the mean number of changes per millisecond of page i that layer l sees, without bursts,
// life and listings.
func (s *site) rate(i int, l truth.Layer) float64 {
	total := 0.0
	for k := range s.changes {
		p := &s.changes[k]
		if p.rule.Match.page(s, i, p.key) {
			draw := p.rule.process(p.factor(s, i), nil)
			total += draw.Rate() * draw.Kinds.Share(l)
		}
	}
	return total
}
