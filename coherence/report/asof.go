package report

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"varve/coherence"
	"varve/coherence/evidence"
	"varve/text/layer"
)

// Held is a page that stood at an instant, or through a stretch of time, with its proof.
type Held struct {
	URL     string          `json:"url"`
	From    time.Time       `json:"from"` // the content is known to have stood from here
	To      time.Time       `json:"to"`   // to here
	Level   coherence.Level `json:"level"`
	Capture time.Time       `json:"capture"` // the capture that has the content, the nearest to the instant
	Record  string          `json:"record"`
	Status  int             `json:"status"`
}

// Holding counts what a collection holds as of an instant, or through a stretch of time.
type Holding struct {
	Time  time.Time                 `json:"time"`
	Until time.Time                 `json:"until,omitzero"` // the end of a stretch; zero of an instant
	Layer layer.Name                `json:"layer"`
	Pages int64                     `json:"pages"` // with any capture
	Held  int64                     `json:"held"`  // of Pages: stood then
	By    map[coherence.Level]int64 `json:"by"`    // of Held
}

// AsOf tells which pages have a version that stood from x to y, proven at the given level or
// better, over all captures of the set; x = y asks for an instant. Pages come in order of index key; memory does not grow.
func AsOf(ctx context.Context, set *evidence.Set, x, y time.Time, on layer.Name, least coherence.Level, o Options, give func(Held) error) (*Holding, error) {
	h := &Holding{Time: x, Layer: on, By: map[coherence.Level]int64{}}
	if y.After(x) {
		h.Until = y
	}
	each := func(p *evidence.History) ([]Held, error) {
		known, sightings, err := holdingsOf(set, p, on, &o)
		if err != nil || len(sightings) == 0 {
			return nil, err
		}
		if c, ok := coherence.Throughout(known, x, y, least); ok {
			return []Held{heldAt(p.URL, c, sightings, x)}, nil
		}
		return []Held{{}}, nil
	}
	err := evidence.Map(ctx, set.Pages(), o.Workers, each, func(got []Held) error {
		if len(got) == 0 {
			return nil
		}
		h.Pages++
		if got[0].URL == "" {
			return nil
		}
		h.Held++
		h.By[got[0].Level]++
		return give(got[0])
	})
	return h, err
}

// Best finds the instants at which the most pages stood at once, up to k stretches of time, and how many
// pages there are. It holds all intervals: about 100 bytes each.
func Best(ctx context.Context, set *evidence.Set, on layer.Name, least coherence.Level, k int, o Options) ([]coherence.Peak, int64, error) {
	var all []coherence.Claim[int32]
	var pages int32
	each := func(p *evidence.History) ([]coherence.Held, error) {
		known, _, err := holdingsOf(set, p, on, &o)
		return known, err
	}
	err := evidence.Map(ctx, set.Pages(), o.Workers, each, func(known []coherence.Held) error {
		for _, h := range known {
			all = append(all, coherence.Claim[int32]{Page: pages, Interval: h.Interval})
		}
		if len(known) > 0 {
			pages++
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return coherence.Best(all, least, k), int64(pages), nil
}

// sighting is a capture with the digest that stands for its content.
type sighting struct {
	coherence.Sighting
	capture *evidence.Observation
}

// holdingsOf gives the intervals in which the contents of a page are known to have stood.
func holdingsOf(set *evidence.Set, page *evidence.History, on layer.Name, o *Options) ([]coherence.Held, []sighting, error) {
	var seen []sighting
	var plain []coherence.Sighting
	var last *evidence.Observation
	for i := range page.Captures {
		c := &page.Captures[i]
		if !isWhole(c) {
			continue
		}
		s, ok, err := sightingOf(set, c, last, o.Dates, on)
		if err != nil {
			return nil, nil, fmt.Errorf("page %s: %w", page.URL, err)
		}
		if last = c; ok {
			seen, plain = append(seen, sighting{s, c}), append(plain, s)
		}
	}
	return coherence.Holdings(plain), seen, nil
}

// isWhole reports whether a capture has all of the page.
func isWhole(c *evidence.Observation) bool {
	return c.Plain() && c.OK() && c.Layers != nil && c.Truncated == "" && !c.IsProbe()
}

// sightingOf returns what a whole capture says of its content, told apart by one or more layers; last is the whole capture before it. It is false for a 304 that says
// nothing about these layers.
func sightingOf(set *evidence.Set, c, last *evidence.Observation, dates *Dates, on ...layer.Name) (s coherence.Sighting, ok bool, err error) {
	for _, n := range on {
		content, err := contentOf(set, c, n)
		if err != nil {
			return s, false, err
		}
		s.Content += content
	}
	date := dates.Of(c, last)
	s.Time, s.Crawl, s.Confirmed, s.Modified = c.Time, c.Crawl, c.NotModified, date.Trusted(on[0])
	return s, !c.NotModified || vouched(c, on[0], date), nil
}

// contentOf gives the digest of a content on a layer. Nearly the same is no equality that can be
// chained, so there is none for near.
func contentOf(set *evidence.Set, c *evidence.Observation, on layer.Name) (string, error) {
	d, err := set.Digests(c, on)
	if err != nil {
		return "", err
	}
	sum, ok := d.Sum(on)
	if !ok || on == layer.Near {
		return "", fmt.Errorf("layer %s has no digest that could be equal", on)
	}
	return hex.EncodeToString(sum), nil
}

// heldAt names the capture nearest to x that has the content of the interval.
func heldAt(url string, c coherence.Held, seen []sighting, x time.Time) Held {
	h := Held{URL: url, From: c.From, To: c.To, Level: c.Level}
	var best *sighting
	for i := range seen {
		s := &seen[i]
		if s.Content != c.Content || !c.Contains(s.Time) {
			continue
		}
		if best == nil || s.Time.Sub(x).Abs() < best.Time.Sub(x).Abs() {
			best = s
		}
	}
	if best != nil {
		h.Capture, h.Record, h.Status = best.Time, best.capture.Place.Record, best.capture.Status
	}
	return h
}
