package crawl

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"varve"
	"varve/archive/whole"
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
			Band: BandSeed, Score: 1,
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

// HostName cuts the port off a host queue's name.
func HostName(hostPort string) string {
	if i := strings.LastIndexByte(hostPort, ':'); i > 0 && !strings.HasSuffix(hostPort, "]") {
		return hostPort[:i]
	}
	return hostPort
}

// SeedList is seeds that are too many for the definition of a crawl: they lie in a file beside it, one a line.
type SeedList struct {
	From   string `json:"from,omitempty"` // the file that was given; empty: they were given otherwise
	Count  int    `json:"count,omitempty"`
	SHA256 string `json:"sha256,omitempty"` // of the file beside the definition
}

// Limits of seeds.
const (
	seedsInline   = 10_000  // that a definition may have itself
	seedFileBytes = 1 << 20 // of a file that is read into a definition; a larger one is referred to
	tellSeeds     = 100_000 // are queued between two words about it
)

// SeedsFile is the name of the file with the seeds of a crawl that has many.
const SeedsFile = "seeds.txt"

// TakeSeedFile makes the seeds of a file seeds of the definition: the seeds themselves, or where there are very many, the
// name of the file, which is read when the crawl starts.
func (d *Definition) TakeSeedFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() && info.Size() > seedFileBytes {
		abs, err := filepath.Abs(name)
		d.SeedList = &SeedList{From: abs}
		return err
	}
	more, err := ReadSeeds(f)
	d.Seeds = append(d.Seeds, more...)
	return err
}

// SeedCount is the number of seeds, as far as it is known.
func (d *Definition) SeedCount() int {
	if d.SeedList != nil {
		return len(d.Seeds) + d.SeedList.Count
	}
	return len(d.Seeds)
}

// EachSeed passes all seeds of the run one after the other. What is read from the file of the crawl is checked.
func (r *Run) EachSeed(do func(text string, u canon.URL) error) error {
	for _, s := range r.Def.Seeds {
		u, err := ParseSeed(s)
		if err == nil {
			err = do(s, u)
		}
		if err != nil {
			return err
		}
	}
	list := r.Def.SeedList
	if list == nil {
		return nil
	}
	path, own := filepath.Join(r.place.Dir, SeedsFile), list.SHA256 != ""
	if !own {
		path = list.From
	}
	f, err := os.Open(path)
	if err != nil {
		return &varve.Error{Kind: varve.NotFound, Op: "read the seeds", Err: err, Hint: "bring the file back, or start a new crawl"}
	}
	defer f.Close()
	sum := sha256.New()
	if err := eachSeedLine(io.TeeReader(f, sum), do); err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "seed list " + path, Err: err, Hint: "correct the line"}
	}
	if own && hex.EncodeToString(sum.Sum(nil)) != list.SHA256 {
		return &varve.Error{Kind: varve.Invalid, Op: "read " + path, Msg: "it is not as it was written: its SHA-256 differs from that in definition.json", Hint: "bring it back from another copy, or start a new crawl"}
	}
	return nil
}

// keepSeeds writes the seeds of a crawl that has many into a file of their own, once.
func (r *Run) keepSeeds() error {
	list := r.Def.SeedList
	if list != nil && list.SHA256 != "" || list == nil && len(r.Def.Seeds) <= seedsInline {
		return nil
	}
	kept := SeedList{}
	if list != nil {
		kept.From = list.From
	}
	sum := sha256.New()
	err := whole.File(filepath.Join(r.place.Dir, SeedsFile), 0o644, func(file io.Writer) error {
		w := bufio.NewWriterSize(io.MultiWriter(file, sum), 64<<10)
		err := r.EachSeed(func(text string, _ canon.URL) error {
			if kept.Count++; kept.Count%tellSeeds == 0 {
				r.log.Info("seeds read", "so far", kept.Count)
			}
			_, err := fmt.Fprintln(w, text)
			return err
		})
		return errors.Join(err, w.Flush())
	})
	if err != nil {
		return err
	}
	kept.SHA256 = hex.EncodeToString(sum.Sum(nil))
	r.Def.Seeds, r.Def.SeedList = nil, &kept
	return nil
}
