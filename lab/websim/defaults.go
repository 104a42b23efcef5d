package websim

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
)

// defaultEpoch is the instant at which a web begins when its description says nothing.
var defaultEpoch = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// finish fills in defaults, writes out numbered sites and checks everything.
func (s *Spec) finish() error {
	if s.Epoch.IsZero() {
		s.Epoch = defaultEpoch
	}
	s.Epoch = s.Epoch.UTC().Truncate(time.Millisecond)
	if y := s.Epoch.Year(); y < 1970 || y > 2200 {
		return fmt.Errorf("epoch %v: want a year from 1970 to 2200", s.Epoch)
	}
	s.Span = cmp.Or(s.Span, Duration(year))
	if err := s.expand(); err != nil {
		return err
	}
	if err := s.placeFiles(); err != nil {
		return err
	}
	if len(s.Sites) == 0 {
		return errors.New("no [[site]]")
	}
	return s.validate()
}

// expand writes out sites with a count.
func (s *Spec) expand() error {
	var out []Site
	for i, t := range s.Sites {
		n := max(t.Count, 1)
		if n > maxSites || len(out)+n > maxSites {
			return fmt.Errorf("site %d: more than %d sites", i+1, maxSites)
		}
		if n*(len(t.Page)+len(t.Redirect)) > maxPages {
			return fmt.Errorf("site %d: more than %d pages and redirects", i+1, maxPages)
		}
		t.defaults()
		if n > 1 && !strings.Contains(t.Host, "{n}") {
			return fmt.Errorf("site %d: host %q of %d sites needs {n} for the number", i+1, t.Host, n)
		}
		for k := range n {
			one := t // the copies share their rules, which nobody changes from here on
			one.Count = 0
			one.Host = strings.ToLower(strings.ReplaceAll(t.Host, "{n}", fmt.Sprintf("%02d", k+1)))
			addr, err := loopback(cmp.Or(t.Addr, "127.0.0.1"), k%max(t.Addrs, 1))
			if err != nil {
				return fmt.Errorf("site %d: %w", i+1, err)
			}
			one.Addr = addr
			out = append(out, one)
		}
	}
	s.Sites = out
	return nil
}

func (t *Site) defaults() {
	t.Scheme = cmp.Or(t.Scheme, "http")
	t.Lang = cmp.Or(t.Lang, "en")
	t.Paths = cmp.Or(t.Paths, "tree")
	t.Pages = max(t.Pages, 1)
	if t.Fanout == 0 {
		t.Fanout = fanout(t.Pages, cmp.Or(t.Depth, 3))
	}
	t.Robots.Agent = cmp.Or(t.Robots.Agent, "*")
	t.Robots.Status = cmp.Or(t.Robots.Status, 200)
	t.Sitemap.Split = cmp.Or(t.Sitemap.Split, 1000)
	t.Sitemap.Lastmod = cmp.Or(t.Sitemap.Lastmod, "true")
	t.Sitemap.Changefreq = cmp.Or(t.Sitemap.Changefreq, "true")
	t.Feed.Items = cmp.Or(t.Feed.Items, 20)
	t.Limit.Burst = cmp.Or(t.Limit.Burst, 1)
	t.Limit.RetryAfter = cmp.Or(t.Limit.RetryAfter, t.Limit.Every)
	if len(t.Mix) == 0 {
		t.Mix = map[string]float64{"css": 1, "js": 2, "png": 4, "jpeg": 8, "svg": 1, "pdf": 2, "json": 1, "xml": 0.5, "txt": 0.5}
	}
	for i := range t.Change {
		t.Change[i].defaults()
	}
	for i := range t.Redirect {
		t.Redirect[i].Status = cmp.Or(t.Redirect[i].Status, 301)
	}
	for i := range t.Page {
		t.Page[i].Type = cmp.Or(t.Page[i].Type, typeOf(t.Page[i].Path).String())
	}
}

func (c *Change) defaults() {
	if c.Process == "" {
		c.Process = "poisson"
		if c.Slot > 0 {
			c.Process = "bernoulli"
		}
	}
	c.Spread = cmp.Or(c.Spread, "none")
	if len(c.Kinds) == 0 {
		c.Kinds = map[string]float64{"content": 1}
	}
}

// fanout is the smallest number of children per page that holds n pages within the depth.
func fanout(n, depth int) int {
	if depth < 1 {
		return max(n, 1)
	}
	for f := 1; ; f++ {
		if room(f, depth, n) >= n {
			return f
		}
	}
}

// room counts the pages of a full tree, up to enough.
func room(fanout, depth, enough int) int {
	total, level := 1, 1
	for range depth {
		level *= fanout
		if total += level; total >= enough {
			return total
		}
	}
	return total
}
