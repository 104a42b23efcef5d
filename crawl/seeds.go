package crawl

import (
	"bufio"
	"fmt"
	"io"
	"net/netip"
	"strings"

	"varve"
	"varve/crawl/frontier"
	"varve/web/canon"
)

// Seed is what became of a seed.
type Seed struct {
	Outcome string `json:"outcome"` // ok, redirected, dead, blocked, unreachable, refused
	Status  int    `json:"status,omitempty"`
	To      string `json:"to,omitempty"`  // where it redirects
	Why     string `json:"why,omitempty"` // of a failure
	Links   int    `json:"links"`         // found on it, in scope
}

// ParseSeed reads a seed; a missing scheme means https, or http on loopback.
func ParseSeed(s string) (canon.URL, error) {
	s = SeedLine(s)
	raw := s
	if !strings.Contains(s, "://") {
		raw = "https://" + s
		if u, err := canon.Parse("http://" + s); err == nil && isLoopbackHost(u.Host()) {
			raw = "http://" + s
		}
	}
	u, err := canon.Parse(raw)
	if err == nil && !u.IsHTTP() {
		err = fmt.Errorf("only http and https can be crawled")
	}
	if err != nil {
		return u, &varve.Error{Kind: varve.Invalid, Op: fmt.Sprintf("seed %q", s), Err: err, Hint: "give a URL such as https://example.org/"}
	}
	return u.WithoutFragment(), nil
}

// SeedLine is what a line of a seed list says: without blanks, the mark of byte order that some editors write, and a
// comment. A # with a blank before it begins one; without, it is a fragment, which is never sent.
func SeedLine(s string) string {
	s = strings.TrimSpace(strings.TrimPrefix(s, "\ufeff"))
	if strings.HasPrefix(s, "#") {
		return ""
	}
	for i := 1; i < len(s); i++ {
		if s[i] == '#' && (s[i-1] == ' ' || s[i-1] == '\t') {
			return strings.TrimSpace(s[:i])
		}
	}
	return s
}

// ReadSeeds reads a seed list: one URL a line, with comments after a #.
func ReadSeeds(r io.Reader) ([]string, error) {
	var out []string
	err := eachSeedLine(r, func(text string, _ canon.URL) error {
		out = append(out, text)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// eachSeedLine passes the seeds of a list one after the other.
func eachSeedLine(r io.Reader, do func(text string, u canon.URL) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), 1<<20)
	n := 1
	for ; lines.Scan(); n++ {
		text := SeedLine(lines.Text())
		if text == "" {
			continue
		}
		u, err := ParseSeed(text)
		if err == nil {
			err = do(text, u)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n, err)
	}
	return nil
}

// seedStep is how many seeds are put into the frontier at a time.
const seedStep = 4096

// queueSeeds puts the seeds into the frontier; those that are there already stay as they are.
func (r *Run) queueSeeds() error {
	items := make([]frontier.Item, 0, min(seedStep, r.seeds.Len()))
	band := uint8(bandSeed)
	if r.coh != nil {
		band = bandPlanned
	}
	queued, told := 0, 0
	flush := func() error {
		_, err := r.frontier.Add(items...)
		queued += len(items)
		items = items[:0]
		if queued-told >= tellSeeds {
			told = queued
			r.events.add("seeds", "queued", queued)
			r.log.Info("seeds queued", "so far", queued)
		}
		return err
	}
	err := r.EachSeed(func(_ string, u canon.URL) error {
		items = append(items, frontier.Item{
			Key: u.FrontierKey(), URL: u.String(), Host: u.HostPort(), Domain: canon.PayLevelDomain(u.Host()),
			Band: band, Score: 1,
		})
		if a := (Admission{URL: u, Item: &items[len(items)-1]}); !r.stages.admits(&a) {
			items = items[:len(items)-1]
		}
		if len(items) < seedStep {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

// seedOf says what became of a seed.
func seedOf(v *Visit) Seed {
	s := Seed{Status: v.status, Links: v.ahead + len(v.links)}
	switch {
	case v.verdict == frontier.Refused && strings.HasPrefix(v.reason, "robots"):
		s.Outcome, s.Why = "blocked", v.reason
	case v.verdict == frontier.Refused:
		s.Outcome, s.Why = "refused", v.reason
	case !v.answered():
		s.Outcome, s.Why = "unreachable", string(v.class)
	case v.status >= 300 && v.status < 400 && v.status != 304:
		s.Outcome, s.To = "redirected", v.redirect
	case v.status >= 400:
		s.Outcome = "dead"
	case v.isPage() && s.Links == 0:
		s.Outcome = "zero pages"
	default:
		s.Outcome = "ok"
	}
	return s
}

// isLoopbackHost tells hosts that can only be this machine.
func isLoopbackHost(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && addr.IsLoopback()
}

// hostName cuts the port off a host queue's name.
func hostName(hostPort string) string {
	if i := strings.LastIndexByte(hostPort, ':'); i > 0 && !strings.HasSuffix(hostPort, "]") {
		return hostPort[:i]
	}
	return hostPort
}
