package spam

import (
	"math"

	"varve/lab/websim/dice"
)

// connect decides who links whom. Every host can be reached from the famous ones.
func (w *World) connect() {
	for n, h := range w.hosts {
		s := dice.New(w.seed, uint64(n), forLinks)
		want := 2 + s.IntN(10)
		switch h.kind.Name {
		case "directory":
			want = 30 + s.IntN(60)
		case "thin", "moved":
			want = 1 + s.IntN(2)
		}
		for range want {
			if o := w.someFamous(s); o != h {
				h.out = append(h.out, o)
			}
		}
		if len(h.out) == 0 { // it drew itself alone
			for _, o := range w.famous {
				if o != h {
					h.out = append(h.out, o)
					break
				}
			}
		}
		if h.overrunP > 0 || h.kind.Name == "directory" && s.IntN(3) == 0 {
			for range 1 + s.IntN(8) {
				if len(w.spam) > 0 {
					h.led = append(h.led, w.spam[s.IntN(len(w.spam))])
				}
			}
		}
	}
	for n, h := range w.hosts {
		w.befriend(h, dice.New(w.seed, uint64(n), forFriends))
	}
	w.reachNormal()
	w.reachSpam()
}

// befriend gives hosts what honest ones have in common with those that exist for a link: most have a link or two at the foot of
// every page, and some writers recommend one shop again and again.
func (w *World) befriend(h *host, s *dice.Stream) {
	for range s.IntN(3) {
		if o := w.someFamous(s); o != h {
			h.known = append(h.known, o)
		}
	}
	switch h.kind.Name {
	case "blog", "news", "adnews", "personal", "forum", "wiki":
		if s.IntN(3) == 0 && len(w.shops) > 0 {
			h.shop, h.shopP = w.shops[s.IntN(len(w.shops))], s.Float64()
		}
	}
}

// someFamous draws a normal host, the famous ones more often.
func (w *World) someFamous(s *dice.Stream) *host {
	u := math.Pow(s.Float64(), 2)
	return w.famous[int(u*float64(len(w.famous)))]
}

// reachNormal links each normal host from one that is more famous.
func (w *World) reachNormal() {
	for i, h := range w.famous {
		if i > 0 {
			s := dice.New(h.key, forLinks)
			from := w.famous[s.IntN(i)]
			from.out = append(from.out, h)
		}
	}
}

// reachSpam advertises one host of each plan, and each spam host without a plan, in comments. Expired domains are still
// linked from where they were known.
func (w *World) reachSpam() {
	var open []*host
	for _, h := range w.famous {
		if h.kind.Name == "blog" || h.kind.Name == "forum" {
			open = append(open, h)
		}
	}
	if len(open) == 0 {
		open = w.famous
	}
	for _, h := range w.spam {
		s := dice.New(h.key, forLinks)
		if linked := h.kind.Name == "dense" || h.kind.Name == "ring"; linked && h.place > 0 && s.IntN(4) > 0 {
			continue // its farm links it
		}
		from := open[s.IntN(len(open))]
		if h.kind.Name == "expired" || from.kind.Name != "blog" && from.kind.Name != "forum" {
			from = w.famous[s.IntN(len(w.famous))]
			from.out = append(from.out, h)
			continue
		}
		from.overrunP = max(from.overrunP, 0.15)
		from.led = append(from.led, h)
	}
}
