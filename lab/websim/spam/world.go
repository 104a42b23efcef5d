package spam

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/dice"
)

// Config says what a world is like. Zero values mean the default named at the field.
type Config struct {
	Hosts int      // about so many; 400
	Spam  float64  // share of them that is spam; 0.3
	Scale float64  // of the number of pages; 1
	Kinds []string // generators; all
	Years int      // that the world lives; 2
}

// maxHosts is what a description can hold.
const maxHosts = 9000

// World is a web of normal hosts and spam with known labels. It is safe for concurrent use and does not change.
type World struct {
	seed   uint64
	cfg    Config
	epoch  time.Time
	hosts  []*host
	byName map[string]*host
	famous []*host // normal hosts, the most linked ones first
	shops  []*host // that spam sells for
	spam   []*host // what comments advertise
	tongue map[string]*tongue
}

// New makes a world. The same configuration and seed give the same world.
func New(cfg Config, seed uint64) (*World, error) {
	cfg.Hosts, cfg.Spam, cfg.Scale, cfg.Years = cmp.Or(cfg.Hosts, 400), cmp.Or(cfg.Spam, 0.3), cmp.Or(cfg.Scale, 1), cmp.Or(cfg.Years, 2)
	if cfg.Hosts < 4 || cfg.Hosts > maxHosts || cfg.Spam < 0 || cfg.Spam > 0.9 || cfg.Scale < 0.01 || cfg.Scale > 100 || cfg.Years < 1 || cfg.Years > 20 {
		return nil, fmt.Errorf("world: from 4 to %d hosts, at most 0.9 spam, scale from 0.01 to 100, 1 to 20 years", maxHosts)
	}
	for _, name := range cfg.Kinds {
		if _, ok := KindOf(name); !ok {
			return nil, fmt.Errorf("world: there is no generator %q", name)
		}
	}
	w := &World{
		seed: seed, cfg: cfg, epoch: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), byName: map[string]*host{}, tongue: map[string]*tongue{},
	}
	for _, lang := range []string{"en", "de", "fr"} {
		t, err := newTongue(seed, lang)
		if err != nil {
			return nil, err
		}
		w.tongue[lang] = t
	}
	w.settle()
	if len(w.famous) == 0 {
		return nil, errors.New("world: the generators chosen give no normal host to begin from")
	}
	w.connect()
	return w, nil
}

// settle makes the hosts: generators get their shares, and what belongs together stands together.
func (w *World) settle() {
	spam := int(float64(w.cfg.Hosts) * w.cfg.Spam)
	w.settleLabel(w.cfg.Hosts-spam, false)
	w.settleLabel(spam, true)
	for _, h := range w.hosts {
		switch {
		case !h.kind.Spam:
			w.famous = append(w.famous, h)
			if h.kind.shop {
				w.shops = append(w.shops, h)
			}
		default:
			w.spam = append(w.spam, h)
		}
	}
	slices.SortStableFunc(w.famous, func(a, b *host) int { return cmp.Compare(b.fame, a.fame) })
}

func (w *World) settleLabel(want int, spam bool) {
	var some []*Kind
	total := 0
	for i := range kinds {
		if k := &kinds[i]; k.Spam == spam && (len(w.cfg.Kinds) == 0 || slices.Contains(w.cfg.Kinds, k.Name)) {
			some = append(some, k)
			total += k.weight
		}
	}
	due := 0.0
	made := 0
	for i, k := range some {
		due += float64(want*k.weight) / float64(total)
		n := int(due+0.5) - made
		if i == len(some)-1 {
			n = want - made
		}
		made += n
		w.settleKind(k, n)
	}
}

// settleKind makes n hosts of a generator, in groups where it has such.
func (w *World) settleKind(k *Kind, n int) {
	group := 0
	for left := n; left > 0; group++ {
		size := left
		if k.group[0] > 0 {
			s := dice.New(w.seed, dice.String(k.Name), uint64(group), forGroup)
			if size = k.group[0] + s.IntN(k.group[1]-k.group[0]+1); size > left || left-size < k.group[0]/2 {
				size = left
			}
		}
		var ring []*host
		for range size {
			h := w.newHost(k, group)
			ring = append(ring, h)
			w.hosts = append(w.hosts, h)
			w.byName[h.name] = h
		}
		for i, h := range ring {
			h.place = i
			if k.group[0] > 0 {
				h.ring = ring
			}
		}
		left -= size
	}
}

// Epoch is the instant at which the world begins.
func (w *World) Epoch() time.Time { return w.epoch }

// End is the instant after which nothing changes any more.
func (w *World) End() time.Time { return w.epoch.AddDate(w.cfg.Years, 0, 0) }

// Sites describes the hosts to websim, so that they can stand beside others in one description.
func (w *World) Sites() ([]websim.Site, error) {
	spec, err := w.Spec()
	if err != nil {
		return nil, err
	}
	return spec.Sites, nil
}

// Spec describes the world to websim; its pages come from Options.
func (w *World) Spec() (*websim.Spec, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "epoch = %s\nspan = \"%dy\"\n", w.epoch.Format(time.RFC3339), w.cfg.Years)
	for _, h := range w.hosts {
		fmt.Fprintf(&b, "[[site]]\nhost = %q\npages = 1\n", h.name)
	}
	return websim.Load("spam world", []byte(b.String()))
}

// Options puts the world's answers before the pages of its hosts.
func (w *World) Options() []websim.Option {
	out := make([]websim.Option, 0, len(w.hosts))
	for _, h := range w.hosts {
		out = append(out, websim.WithHandler(h.name, w))
	}
	return out
}

// Web makes a web of the world alone.
func (w *World) Web() (*websim.Web, error) {
	spec, err := w.Spec()
	if err != nil {
		return nil, err
	}
	return websim.New(spec, w.seed, w.Options()...)
}

// Seeds gives the home pages of n normal hosts that are linked much: where a crawl begins.
func (w *World) Seeds(n int) []string {
	var out []string
	for _, h := range w.famous[:min(n, len(w.famous))] {
		out = append(out, h.url(0))
	}
	return out
}
