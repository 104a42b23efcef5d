package websim

import (
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"

	"varve/lab/websim/prose"
	"varve/lab/websim/truth"
)

// loopback is the address n after the given one; both must be loopback addresses.
func loopback(addr string, n int) (string, error) {
	a, err := netip.ParseAddr(addr)
	if err != nil {
		return "", fmt.Errorf("addr %q: %w", addr, err)
	}
	if n < 0 || n > 250 {
		return "", fmt.Errorf("addrs: at most 250")
	}
	for range n {
		a = a.Next()
	}
	if !a.IsLoopback() {
		return "", fmt.Errorf("addr %q: only loopback addresses are served", a)
	}
	return a.String(), nil
}

func (s *Spec) validate() error {
	if s.Span < Duration(1e9) {
		return fmt.Errorf("span %v: want at least 1s", s.Span)
	}
	total := 0
	hosts := map[string]bool{}
	for i := range s.Sites {
		t := &s.Sites[i]
		if err := t.validate(s.Span); err != nil {
			return fmt.Errorf("site %s: %w", t.Host, err)
		}
		if hosts[t.Host] {
			return fmt.Errorf("site %s: described twice", t.Host)
		}
		hosts[t.Host] = true
		if total += t.Pages + t.Assets + len(t.Page); total > maxPages {
			return fmt.Errorf("more than %d pages", maxPages)
		}
	}
	return nil
}

// check is one rule about a field: what it is called, whether it holds, and what is wanted.
type check struct {
	field string
	ok    bool
	want  string
}

func checks(list ...check) error {
	for _, c := range list {
		if !c.ok {
			return fmt.Errorf("%s: want %s", c.field, c.want)
		}
	}
	return nil
}

func within[T int | int64 | float64](x, low, high T) bool { return x >= low && x <= high } // false for NaN

func oneOf(s string, list ...string) bool { return slices.Contains(list, s) }

func (t *Site) validate(span Duration) error {
	err := checks(
		check{"host", validHost(t.Host), "letters, digits, hyphens and dots, at most 200 of them"},
		check{"scheme", oneOf(t.Scheme, "http", "https", "both", "upgrade"), "http, https, both or upgrade"},
		check{"lang", slices.Contains(prose.Languages(), t.Lang), strings.Join(prose.Languages(), ", ")},
		check{"pages", within(t.Pages, 0, maxPages), "1 to 2,000,000"},
		check{"assets", within(t.Assets, 0, maxPages), "0 to 2,000,000"},
		check{"fanout", within(t.Fanout, 1, maxPages), "1 to 2,000,000"},
		check{"depth", within(t.Depth, 0, 1000), "0 to 1,000"},
		check{"paths", oneOf(t.Paths, "tree", "flat", "query"), "tree, flat or query"},
		check{"links", within(t.Links, 0, 1000), "0 to 1,000"},
		check{"external", within(t.External, 0, 1), "0 to 1"},
		check{"topics", within(t.Topics, 0, prose.MaxTopics), fmt.Sprintf("0 to %d", prose.MaxTopics)},
		check{"affinity", within(t.Affinity, 0, 1), "0 to 1"},
		check{"robots.status", within(t.Robots.Status, 200, 599), "200 to 599"},
		check{"robots.text", len(t.Robots.Text) < 1<<20, "less than 1 MB"},
		check{"sitemap.split", within(t.Sitemap.Split, 1, 50_000), "1 to 50,000"},
		check{"sitemap.lastmod", oneOf(t.Sitemap.Lastmod, "true", "off", "now", "constant"), "true, off, now or constant"},
		check{"sitemap.changefreq", oneOf(t.Sitemap.Changefreq, "true", "off", "lie"), "true, off or lie"},
		check{"feed.path", t.Feed.Path == "" || validPath(t.Feed.Path), "a path"},
		check{"feed.items", within(t.Feed.Items, 0, 1000), "0 to 1,000"},
		check{"limit.burst", within(t.Limit.Burst, 1, 1_000_000), "1 to 1,000,000"},
		check{"rules", max(len(t.Change), len(t.Life), len(t.Serve), len(t.Trap), len(t.Fault)) <= maxRules, fmt.Sprintf("at most %d of each sort", maxRules)},
		check{"page", len(t.Page) <= maxPages, "fewer pages"},
		check{"redirect", len(t.Redirect) <= maxTOMLBytes, "fewer redirects"},
	)
	if err != nil {
		return err
	}
	return t.validateRules(span)
}

func (t *Site) validateRules(span Duration) error {
	for name, m := range t.Mix {
		ty, ok := parseType(name)
		if !ok || ty == HTML || !within(m, 0, 1e9) {
			return fmt.Errorf("mix.%s: want a type other than html, and a weight from 0 on", name)
		}
	}
	for name, z := range t.Size {
		if _, ok := parseType(name); !ok || !within(z.Mean, 0, maxBody) || !within(z.Sigma, 0, 3) {
			return fmt.Errorf("size.%s: want a type, a mean of at most %d and a sigma from 0 to 3", name, maxBody)
		}
	}
	for i := range t.Change {
		if err := t.Change[i].validate(span); err != nil {
			return fmt.Errorf("change %d: %w", i+1, err)
		}
	}
	for i := range t.Life {
		if err := t.Life[i].validate(span); err != nil {
			return fmt.Errorf("life %d: %w", i+1, err)
		}
	}
	for i := range t.Serve {
		if err := t.Serve[i].validate(); err != nil {
			return fmt.Errorf("serve %d: %w", i+1, err)
		}
	}
	for i := range t.Fault {
		if err := t.Fault[i].validate(span); err != nil {
			return fmt.Errorf("fault %d: %w", i+1, err)
		}
	}
	return t.validatePlaces()
}

func (t *Site) validatePlaces() error {
	for i, p := range t.Page {
		_, ok := parseType(p.Type)
		if !ok || !validPath(p.Path) || !within(p.Size, 0, maxBody) {
			return fmt.Errorf("page %d: want a path, a known type and a size of at most %d", i+1, maxBody)
		}
	}
	for i, r := range t.Redirect {
		if !validPath(r.From) || !validTarget(r.To) || !within(r.Status, 300, 399) {
			return fmt.Errorf("redirect %d: want a path, a path or URL to go to, and a status from 300 to 399", i+1)
		}
	}
	for i, p := range t.Trap {
		if !validPath(p.At) || !oneOf(p.Kind, "calendar", "path", "session", "params") {
			return fmt.Errorf("trap %d: want a path and a kind: calendar, path, session or params", i+1)
		}
	}
	return nil
}

func (m *Match) validate() error {
	for _, name := range m.Type {
		if _, ok := parseType(name); !ok {
			return fmt.Errorf("type %q: want %s", name, strings.Join(typeNames[:], ", "))
		}
	}
	return checks(
		check{"path", len(m.Path) <= 200 && strings.Count(m.Path, "*") <= 6, "a glob of at most 200 characters and 6 stars"},
		check{"depth", len(m.Depth) <= 2, "one or two numbers"},
		check{"share", within(m.Share, 0, 1), "0 to 1"},
	)
}

func (c *Change) validate(span Duration) error {
	if err := c.Match.validate(); err != nil {
		return err
	}
	for name, w := range c.Kinds {
		var k truth.Kind
		if k.UnmarshalText([]byte(name)) != nil || k > truth.Ad || !within(w, 0, 1e9) {
			return fmt.Errorf("kinds.%s: want content, minor, links, token or ad, and a weight from 0 on", name)
		}
	}
	p := c.process(1, nil)
	expected := p.Rate() * float64(span.ms()) * max(1, c.Burst.Factor)
	return checks(
		check{"process", oneOf(c.Process, "poisson", "bernoulli"), "poisson or bernoulli"},
		check{"every", c.Process != "poisson" || c.Every >= Duration(1e9), "at least 1s"},
		check{"slot", c.Process != "bernoulli" || c.Slot >= Duration(1e9), "at least 1s"},
		check{"p", within(c.P, 0, 1), "0 to 1"},
		check{"spread", oneOf(c.Spread, "none", "exponential", "lognormal"), "none, exponential or lognormal"},
		check{"burst.factor", within(c.Burst.Factor, 0, 1e6), "0 to 1,000,000"},
		check{"burst.lasts", c.Burst.Every == 0 || c.Burst.Lasts > 0 && c.Burst.Every >= Duration(60e9), "a length, and at least 1m between bursts"},
		check{"rate", !math.IsNaN(expected) && expected <= maxChanges, fmt.Sprintf("at most %d changes per page over the span", maxChanges)},
	)
}

func (l *Life) validate(span Duration) error {
	if err := l.Match.validate(); err != nil {
		return err
	}
	least := span / 10_000
	return checks(
		check{"appear", within(l.Appear, 0, 1), "0 to 1"},
		check{"gone", within(l.Gone, 0, 1), "0 to 1"},
		check{"dead_links", within(l.DeadLinks, 0, 1), "0 to 1"},
		check{"vanish", l.Vanish == 0 || l.Vanish >= least, "at least a ten-thousandth of the span"},
		check{"move", l.Move == 0 || l.Move >= least, "at least a ten-thousandth of the span"},
	)
}

func (r *Serve) validate() error {
	if err := r.Match.validate(); err != nil {
		return err
	}
	for _, d := range r.Dates {
		if !oneOf(d, "meta", "jsonld", "time", "footer") {
			return fmt.Errorf("dates: %q: want meta, jsonld, time or footer", d)
		}
	}
	return checks(
		check{"etag", oneOf(r.ETag, "", "strong", "weak", "off"), "strong, weak or off"},
		check{"last_modified", oneOf(r.LastModified, "", "true", "off", "now", "constant", "future"), "true, off, now, constant or future"},
		check{"encoding", oneOf(r.Encoding, "", "identity", "gzip", "deflate", "br"), "identity, gzip, deflate or br"},
		check{"charset", oneOf(r.Charset, "", "utf-8", "iso-8859-1"), "utf-8 or iso-8859-1"},
		check{"declared", oneOf(r.Declared, "", "right", "none", "wrong"), "right, none or wrong"},
		check{"dates_say", oneOf(r.DatesSay, "", "true", "constant", "now", "published"), "true, constant, now or published"},
		check{"content_type", validValue(r.ContentType), "one line of at most 200 characters"},
		check{"cache", validValue(r.Cache), "one line of at most 200 characters"},
	)
}

func (f *Fault) validate(span Duration) error {
	if err := f.Match.validate(); err != nil {
		return err
	}
	return checks(
		check{"kind", oneOf(f.Kind, Faults()...), strings.Join(Faults(), ", ")},
		check{"at", f.At == "" || validPath(f.At), "a path"},
		check{"bytes", within(f.Bytes, 0, 4<<30), "0 to 4 GiB"},
		check{"status", f.Status == 0 || within(f.Status, 400, 599), "400 to 599"},
		check{"retry_after", validValue(f.RetryAfter), "seconds or date"},
		check{"times", within(f.Times, 0, 1000), "0 to 1,000"},
		check{"every", f.Every == 0 || f.Lasts > 0 && f.Every >= span/100_000, "lasts, and at most 100,000 windows"},
	)
}

func validHost(h string) bool {
	if h == "" || len(h) > 200 || strings.HasPrefix(h, ".") || strings.HasPrefix(h, "www.") {
		return false
	}
	return strings.IndexFunc(h, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.'
	}) < 0
}

// validPath accepts an absolute path with query that can stand in a request line.
func validPath(p string) bool {
	return strings.HasPrefix(p, "/") && validTarget(p) && !strings.Contains(p, "#")
}

func validTarget(p string) bool {
	return p != "" && len(p) <= 2000 && strings.IndexFunc(p, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '"' || r == '<' || r == '>' }) < 0
}

func validValue(v string) bool {
	return len(v) <= 200 && strings.IndexFunc(v, func(r rune) bool { return r < ' ' || r >= 0x7f }) < 0
}
