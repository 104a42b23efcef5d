package frontier

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// model is a frontier as simple as can be: a map and a sort. The random test compares the real
// one with it. It holds what is durable; flights are the caller's.
type model struct {
	cfg     Config
	seq     int
	urls    map[string]*modelURL
	retired map[string]bool
}

type modelURL struct {
	item    Item
	band    uint8 // of its place: that of the item, unless it was raised in flight and given back
	state   State
	seq     int
	count   int
	micro   int64 // score in millionths
	outcome Outcome
	reason  string
}

func newModel(c Config) *model {
	return &model{cfg: c, urls: map[string]*modelURL{}, retired: map[string]bool{}}
}

func (m *model) clone() *model {
	c := &model{cfg: m.cfg, seq: m.seq, urls: map[string]*modelURL{}, retired: map[string]bool{}}
	for k, u := range m.urls {
		v := *u
		c.urls[k] = &v
	}
	for k, v := range m.retired {
		c.retired[k] = v
	}
	return c
}

func micro(f float64) int64 { return int64(math.Round(f * 1e6)) }

func (m *model) add(it Item, how Combine, flying map[string]bool) {
	u := m.urls[it.Key]
	if u == nil {
		m.seq++
		if it.URL == "" {
			it.URL = it.Key
		}
		m.urls[it.Key] = &modelURL{item: it, band: it.Band, state: Queued, seq: m.seq, count: 1, micro: micro(it.Score)}
		return
	}
	if u.state == Dropped && it.Band < u.item.Band {
		m.seq++
		if it.URL == "" {
			it.URL = it.Key
		}
		*u = modelURL{item: it, band: it.Band, state: Queued, seq: m.seq, count: 1, micro: micro(it.Score)}
		return
	}
	if u.state == Queued && flying[it.Key] && it.Band < u.item.Band {
		u.item.Band, u.item.Via, u.item.HopPath, u.item.Depth = it.Band, it.Via, it.HopPath, it.Depth
	}
	if u.state != Queued || flying[it.Key] {
		return
	}
	old, was := u.micro, m.bucket(u)
	s := micro(it.Score)
	switch how {
	case Last:
		u.micro, u.count = s, 1
	case Max:
		u.micro, u.count = max(old, s), 1
	case Sum:
		u.micro, u.count = min(old+s, 1e6), 1
	case Avg:
		u.micro = int64(math.Floor((float64(old)*float64(u.count)+float64(s))/float64(u.count+1) + 0.5))
		u.count++
	}
	if it.Band < u.band || m.bucket(u) != was {
		if it.Band < u.item.Band {
			u.item.Band, u.item.Via, u.item.HopPath, u.item.Depth = it.Band, it.Via, it.HopPath, it.Depth
		}
		u.band = u.item.Band
	}
}

func (m *model) bucket(u *modelURL) int64 { return u.micro * int64(m.cfg.Buckets) / 1e6 }

func (m *model) finish(r Result) {
	u := m.urls[r.Item.Key]
	if u == nil {
		it := r.Item
		if it.URL == "" {
			it.URL = it.Key
		}
		u = &modelURL{item: it, count: 1, micro: micro(it.Score)}
		m.urls[r.Item.Key] = u
	}
	switch r.Verdict {
	case Later:
		m.seq++
		u.state, u.seq = Queued, m.seq
		u.item.Attempts++
		u.item.Meta, u.item.NotBefore, u.band = r.Item.Meta, r.NotBefore, u.item.Band
	case Refused:
		if u.state == Queued && u.item.Band < r.Item.Band {
			m.seq++
			u.seq, u.item.NotBefore, u.band = m.seq, time.Time{}, u.item.Band
			return
		}
		u.state, u.reason, u.item.Band = Dropped, r.Reason, r.Item.Band
	default:
		u.state, u.outcome = Done, r.Outcome
	}
}

// next is the key that a host gives out at now.
func (m *model) next(host string, now time.Time, flying map[string]bool) string {
	var ready []*modelURL
	if m.retired[host] {
		return ""
	}
	for k, u := range m.urls {
		if u.item.Host == host && u.state == Queued && !flying[k] && !u.item.NotBefore.After(now) {
			ready = append(ready, u)
		}
	}
	if len(ready) == 0 {
		return ""
	}
	return slices.MinFunc(ready, m.compare).item.Key
}

func (m *model) compare(a, b *modelURL) int {
	bucket := func(u *modelURL) int64 {
		if !m.cfg.Order.byScore() {
			return 0
		}
		return m.bucket(u)
	}
	late := func(u *modelURL) int {
		if u.item.NotBefore.IsZero() {
			return 1
		}
		return 0
	}
	seq := cmp.Compare(a.seq, b.seq)
	if m.cfg.Order.newest() {
		seq = -seq
	}
	c := cmp.Or(cmp.Compare(a.band, b.band), cmp.Compare(late(a), late(b)))
	if c != 0 {
		return c
	}
	if late(a) == 0 {
		return cmp.Or(a.item.NotBefore.Compare(b.item.NotBefore), seq)
	}
	return cmp.Or(cmp.Compare(bucket(b), bucket(a)), seq)
}

// stats counts everything anew.
func (m *model) stats(host string) (s HostStats) {
	for _, u := range m.urls {
		if host != "" && u.item.Host != host {
			continue
		}
		switch u.state {
		case Queued:
			s.Queued++
			if !u.item.NotBefore.IsZero() {
				s.Late++
			}
		case Done:
			s.Done++
			s.Bytes += u.outcome.Size
			if u.outcome.Failed {
				s.Failed++
			}
		case Dropped:
			s.Dropped++
		}
	}
	return s
}

// diff compares all that can be asked of a frontier; flying are the keys in flight.
func (m *model) diff(f *Frontier, keys, hosts []string, flying map[string]bool) error {
	for _, k := range keys {
		got, err := f.Lookup(k)
		if err != nil {
			return err
		}
		if err := m.diffEntry(k, got, flying[k]); err != nil {
			return err
		}
	}
	for _, h := range hosts {
		got, err := f.HostStats(h)
		if err != nil {
			return err
		}
		want := m.stats(h)
		got.Queued += got.InFlight
		got.Host, got.Domain, got.InFlight, got.Retries, got.Claimed = "", "", 0, 0, false
		want.Retired = m.retired[h]
		if got != want {
			return fmt.Errorf("host %s: %+v, want %+v", h, got, want)
		}
	}
	got, want := f.Stats(), m.stats("")
	if got.Queued+got.InFlight != want.Queued || got.Late != want.Late || got.Done != want.Done ||
		got.Failed != want.Failed || got.Dropped != want.Dropped || got.Bytes != want.Bytes || got.InFlight != int64(len(flying)) {
		return fmt.Errorf("crawl: %+v, want %+v with %d in flight", got, want, len(flying))
	}
	return nil
}

func (m *model) diffEntry(k string, got Entry, flying bool) error {
	u := m.urls[k]
	if u == nil {
		if got.State != Unseen {
			return fmt.Errorf("%s: %v, want unseen", k, got.State)
		}
		return nil
	}
	want := u.state
	if flying {
		want = InFlight
	}
	switch {
	case got.State != want:
		return fmt.Errorf("%s: %v, want %v", k, got.State, want)
	case u.state == Queued && (micro(got.Item.Score) != u.micro || got.Item.Band != u.item.Band || got.Item.Attempts != u.item.Attempts):
		return fmt.Errorf("%s: %+v, want %+v score %d", k, got.Item, u.item, u.micro)
	case u.state == Queued && (got.Item.Via != u.item.Via || got.Item.URL != u.item.URL || string(got.Item.Meta) != string(u.item.Meta) || got.Item.Host != u.item.Host || got.Item.Domain != u.item.Domain || !got.Item.NotBefore.Equal(u.item.NotBefore)):
		return fmt.Errorf("%s: %+v, want %+v", k, got.Item, u.item)
	case u.state == Done && (got.Outcome.Status != u.outcome.Status || string(got.Outcome.Digest) != string(u.outcome.Digest) || !got.Outcome.At.Equal(u.outcome.At)):
		return fmt.Errorf("%s: %+v, want %+v", k, got.Outcome, u.outcome)
	case u.state == Dropped && got.Reason != u.reason:
		return fmt.Errorf("%s: reason %q, want %q", k, got.Reason, u.reason)
	}
	return nil
}
