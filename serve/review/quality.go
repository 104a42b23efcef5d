package review

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve/web/canon"
)

// Limits of a review. What is over them is left out and the review says so.
const (
	maxDefects  = 100_000
	maxLog      = 512 << 20
	maxLogLine  = 1 << 20
	mostGroups  = 200
	mostOfGroup = 10
	mostPages   = 50
)

// Quality is what one crawl lacks, worst first.
type Quality struct {
	Visits   int64        `json:"visits"`   // lines of the log
	Defects  int          `json:"defects"`  // addresses that lack something
	Healed   int          `json:"healed"`   // of these, got by a later crawl that was to get them
	Groups   []Group      `json:"groups"`   // at most 200
	Pages    []Incomplete `json:"pages"`    // that lack parts; at most 50
	Partial  bool         `json:"partial"`  // there is more than was looked at
	BadLines int64        `json:"badLines"` // of the log and the events, that cannot be read

	all map[string]Defect
}

// Group is defects of one kind, for one reason, on one host.
type Group struct {
	Kind     DefectKind `json:"kind"`
	Host     string     `json:"host"`
	Embed    bool       `json:"embed"` // parts of pages
	Why      string     `json:"why,omitempty"`
	Count    int        `json:"count"`
	Healed   int        `json:"healed"`   // of these
	Weight   int        `json:"weight"`   // of those that are not healed
	Examples []Defect   `json:"examples"` // at most 10
}

// Incomplete is a page that lacks parts.
type Incomplete struct {
	URL   string `json:"url"`
	Parts int    `json:"parts"` // that are missing
}

// Judge reads the log and the events of a crawl; events may be nil. An address counts by its last visit, so
// one that came at the third attempt lacks nothing.
func Judge(ctx context.Context, log, events io.Reader) (*Quality, error) {
	q := &Quality{all: map[string]Defect{}, Groups: []Group{}, Pages: []Incomplete{}}
	err := eachLine(ctx, log, q, func(text []byte) {
		l, err := ParseLine(string(text))
		if err != nil {
			q.BadLines++
			return
		}
		q.Visits++
		q.visit(l)
	})
	if err == nil && events != nil {
		err = eachLine(ctx, events, q, q.event)
	}
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	q.arrange()
	return q, nil
}

// eachLine gives the lines of a reader, up to the limits.
func eachLine(ctx context.Context, r io.Reader, q *Quality, do func([]byte)) error {
	limited := &io.LimitedReader{R: r, N: maxLog}
	lines := bufio.NewScanner(limited)
	lines.Buffer(make([]byte, 64<<10), maxLogLine)
	for n := 0; lines.Scan(); n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		do(lines.Bytes())
	}
	if err := lines.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return err
	}
	q.Partial = q.Partial || lines.Err() != nil || limited.N == 0
	return nil
}

func (q *Quality) visit(l Line) {
	d, bad := defectOf(l)
	old, known := q.all[l.URL]
	switch {
	case !bad:
		delete(q.all, l.URL)
	case !known && len(q.all) >= maxDefects:
		q.Partial = true
	default:
		d.Tries += old.Tries
		q.all[l.URL] = d
	}
}

// event takes what only the events tell: pages that came and are worth nothing, or are one of too many.
func (q *Quality) event(text []byte) {
	if !json.Valid(text) {
		q.BadLines++
		return
	}
	if !bytes.Contains(text, []byte(`"soft-404"`)) && !bytes.Contains(text, []byte(`"suspicion"`)) {
		return
	}
	var e struct {
		Event, URL, Kind, Why string
		Time                  time.Time
	}
	if json.Unmarshal(text, &e) != nil {
		q.BadLines++
		return
	}
	d := Defect{URL: e.URL, Why: e.Why, Tries: 1, Time: e.Time}
	switch e.Event {
	case "soft-404":
		d.Kind, d.Why = SoftGone, ""
	case "suspicion":
		d.Kind, d.Why = Trap, e.Kind
	default:
		return
	}
	switch _, known := q.all[e.URL]; {
	case known: // what the log says of it is worse
	case len(q.all) >= maxDefects:
		q.Partial = true
	default:
		q.all[e.URL] = d
	}
}

// arrange groups the defects, worst first.
func (q *Quality) arrange() {
	q.Defects = len(q.all)
	type key struct {
		kind      DefectKind
		host, why string
		embed     bool
	}
	groups, pages := map[key]*Group{}, map[string]int{}
	for _, url := range slices.Sorted(maps.Keys(q.all)) {
		d := q.all[url]
		k := key{d.Kind, hostOf(url), reason(d), d.Embed}
		g := groups[k]
		if g == nil {
			g = &Group{Kind: d.Kind, Host: k.host, Embed: d.Embed, Why: k.why}
			groups[k] = g
		}
		g.Count++
		if d.Healed != nil {
			g.Healed++
		} else {
			g.Weight += d.Kind.weight(d.Embed)
		}
		if len(g.Examples) < mostOfGroup {
			g.Examples = append(g.Examples, d)
		}
		if d.Embed && d.Via != "" && d.Healed == nil {
			pages[d.Via]++
		}
	}
	for _, g := range groups {
		byHealing(g.Examples)
		q.Groups = append(q.Groups, *g)
	}
	slices.SortFunc(q.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Host, b.Host), cmp.Compare(a.Why, b.Why), cmp.Compare(b.Examples[0].URL, a.Examples[0].URL))
	})
	for url, n := range pages {
		q.Pages = append(q.Pages, Incomplete{url, n})
	}
	slices.SortFunc(q.Pages, func(a, b Incomplete) int { return cmp.Or(cmp.Compare(b.Parts, a.Parts), cmp.Compare(a.URL, b.URL)) })
	q.Partial = q.Partial || len(q.Groups) > mostGroups
	q.Groups, q.Pages = q.Groups[:min(len(q.Groups), mostGroups)], q.Pages[:min(len(q.Pages), mostPages)]
}

// reason is the part of a reason that many addresses share.
func reason(d Defect) string {
	switch {
	case d.Why == "" && d.Status > 0:
		return "status " + strconv.Itoa(d.Status)
	case d.Kind == ByRobots: // the rule that refuses
		return strings.TrimPrefix(d.Why, "robots.txt: ")
	}
	short, _, _ := strings.Cut(d.Why, ":")
	return short
}

func hostOf(url string) string {
	u, err := canon.Parse(url)
	if err != nil {
		return ""
	}
	return u.HostPort()
}

// Recrawl lists the addresses that another attempt may bring, as seeds of a crawl.
func (q *Quality) Recrawl() []string {
	var out []string
	for _, url := range slices.Sorted(maps.Keys(q.all)) {
		if d := q.all[url]; d.Healed == nil && d.Kind.Again() && (strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")) {
			out = append(out, url)
		}
	}
	return out
}
