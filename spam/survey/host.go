package survey

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"varve/derive"
	"varve/spam/content"
	"varve/spam/terms"
)

// hostVisits is all that is known of one host.
type hostVisits struct {
	name   string
	visits []Visit // by page and time
}

// eachHost goes through spam_visits, one host at a time.
func eachHost(dir string, each func(*hostVisits) error) error {
	h := &hostVisits{}
	done := func() error {
		if len(h.visits) == 0 {
			return nil
		}
		err := each(h)
		h.visits = nil
		return err
	}
	err := derive.Rows(filepath.Join(dir, "spam_visits.parquet"), func(v *Visit) (bool, error) {
		if v.Host != h.name {
			if err := done(); err != nil {
				return false, err
			}
			h.name = strings.Clone(v.Host)
		}
		h.visits = append(h.visits, v.copied(h.name))
		return true, nil
	})
	if err != nil {
		return err
	}
	return done()
}

// copied gives a visit that does not share memory with the reader.
func (v *Visit) copied(host string) Visit {
	c := *v
	c.Host = host
	for _, s := range []*string{&c.URL, &c.Crawl, &c.Kind, &c.MIME, &c.Digest, &c.Address, &c.Agent, &c.Language, &c.Sample} {
		*s = strings.Clone(*s)
	}
	c.Features, c.Words = slices.Clone(v.Features), slices.Clone(v.Words)
	c.Hosts, c.Targets = slices.Clone(v.Hosts), slices.Clone(v.Targets)
	for i := range c.Hosts {
		c.Hosts[i] = strings.Clone(c.Hosts[i])
	}
	return c
}

// current are the pages of the host as they were seen last: those that still have text.
func (h *hostVisits) current() []*Visit {
	return h.lastOf(func(*Visit) bool { return true })
}

// lastOf gives the last visit of each page among those chosen, if it has text.
func (h *hostVisits) lastOf(chosen func(*Visit) bool) (out []*Visit) {
	var last *Visit
	end := func() {
		if last != nil && last.Kind == kindPage {
			out = append(out, last)
		}
		last = nil
	}
	for i := range h.visits {
		v := &h.visits[i]
		if last != nil && last.Key != v.Key {
			end()
		}
		if chosen(v) {
			last = v
		}
	}
	end()
	return out
}

// By is how visits are put into snapshots.
type By string

// The ways.
const (
	ByNothing By = ""      // one snapshot, no history
	ByCrawl   By = "crawl" // of each crawl; visits that name none, by month
	ByDay     By = "day"
	ByMonth   By = "month"
	ByYear    By = "year"
)

// ParseBy reads the name of a way.
func ParseBy(s string) (By, error) {
	if by := By(s); slices.Contains([]By{ByNothing, ByCrawl, ByDay, ByMonth, ByYear}, by) {
		return by, nil
	}
	return "", fmt.Errorf("snapshots by %q: crawl, day, month or year", s)
}

// of names the snapshot of a visit.
func (b By) of(v *Visit) string {
	switch {
	case b == ByNothing:
		return ""
	case b == ByDay:
		return v.Time.Format("2006-01-02")
	case b == ByYear:
		return v.Time.Format("2006")
	case b == ByMonth || v.Crawl == "":
		return v.Time.Format("2006-01")
	}
	return v.Crawl
}

// summed takes the pages of a host into one.
func (h *hostVisits) summed(pages []*Visit) (*content.Host, error) {
	out := &content.Host{}
	for _, p := range pages {
		f, err := p.features()
		if err != nil {
			return nil, err
		}
		out.Take(p.trace(), f)
	}
	for i := range h.visits {
		v := &h.visits[i]
		out.Answer(int(v.Status))
		switch v.Kind {
		case kindRobots:
			out.RobotsKnown(content.RobotsSum{File: true, Rules: int(v.Rules), Closed: v.Closed})
		case kindOther:
			if strings.HasSuffix(v.URL, "/robots.txt") && v.Status >= 400 {
				out.Robots(nil)
			} else if v.Status == 200 {
				out.Format(v.MIME)
			}
		}
	}
	return out, nil
}

// words adds up the bags of pages.
func words(pages []*Visit) (terms.Hashed, error) {
	var bag terms.Hashed
	for _, p := range pages {
		one, err := terms.ParseHashed(p.Words)
		if err != nil {
			return nil, err
		}
		bag = append(bag, one...)
	}
	return bag.Plus(nil), nil
}

// sample is some text of the host: the beginnings of its first pages.
func sample(pages []*Visit) string {
	const most = 16 << 10
	var b strings.Builder
	for _, p := range pages {
		if b.Len() > most {
			break
		}
		b.WriteString(p.Sample)
		b.WriteByte('\n')
	}
	return b.String()
}

// mainLanguage is that of most pages.
func mainLanguage(pages []*Visit) string {
	counts := map[string]int{}
	for _, p := range pages {
		counts[p.Language]++
	}
	best := ""
	for _, l := range sortedKeys(counts) {
		if cmp.Compare(counts[l], counts[best]) > 0 {
			best = l
		}
	}
	return best
}

// address is the last one that the host had.
func (h *hostVisits) address() string {
	var last *Visit
	for i := range h.visits {
		if v := &h.visits[i]; v.Address != "" && (last == nil || v.Time.After(last.Time)) {
			last = v
		}
	}
	if last == nil {
		return ""
	}
	return last.Address
}
