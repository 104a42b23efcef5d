package review

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"varve/crawl"
	"varve/serve/holdings"
)

// Of reads the log and the events in the folder of a crawl. One without a log is an error, fs.ErrNotExist.
func Of(ctx context.Context, dir string) (*Quality, error) {
	log, err := os.Open(filepath.Join(dir, "crawl.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	var events io.Reader
	if f, err := os.Open(filepath.Join(dir, "events.jsonl")); err == nil {
		defer f.Close()
		events = f
	}
	return Judge(ctx, log, events)
}

// Healing tells that an address that a crawl lacks was got later.
type Healing struct {
	Crawl string    `json:"crawl"` // that got it
	By    string    `json:"by,omitempty"`
	Time  time.Time `json:"time"`
}

// Mender is a later crawl that was to get what another lacks.
type Mender struct {
	*holdings.Crawl
	By    string // who started it
	Asked int    // addresses that it was to get
	Got   int    // of those that the crawl lacks
}

// Menders gives those of some crawls that were to mend one, oldest first, with who planned each.
func Menders(crawls []*holdings.Crawl, mended string, lines []crawl.Defined) []*Mender {
	name := holdings.MendingName(mended)
	var out []*Mender
	for _, k := range crawls {
		if k.Name != name || k.ID <= mended {
			continue
		}
		m := &Mender{Crawl: k, Asked: k.Seeds()}
		for _, l := range lines {
			if l.Name == name && l.Crawl != nil && !l.At.After(k.Started.Add(time.Second)) { // ids have whole seconds
				m.By = l.By
			}
		}
		out = append(out, m)
	}
	return out
}

// Heal marks what menders got. Their logs are short: each had only these addresses to get.
func (q *Quality) Heal(ctx context.Context, menders []*Mender) error {
	for _, m := range menders {
		log, err := os.Open(filepath.Join(m.Dir(), "crawl.log"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = errors.Join(q.healBy(ctx, m, log), log.Close())
		}
		if err != nil {
			return err
		}
	}
	if len(menders) > 0 {
		q.Groups, q.Pages = []Group{}, []Incomplete{}
		q.arrange()
	}
	return nil
}

func (q *Quality) healBy(ctx context.Context, m *Mender, log io.Reader) error {
	got := map[string]time.Time{}
	err := eachLine(ctx, log, q, func(text []byte) {
		l, err := ParseLine(string(text))
		if _, lacking := q.all[l.URL]; err != nil || !lacking {
			return
		}
		if _, bad := defectOf(l); bad || l.Status < 200 || l.Status >= 400 {
			delete(got, l.URL) // the last visit counts
			return
		}
		got[l.URL] = l.Time
	})
	for url, at := range got {
		if d := q.all[url]; d.Healed == nil {
			d.Healed = &Healing{Crawl: m.ID, By: m.By, Time: at}
			q.all[url] = d
			q.Healed++
			m.Got++
		}
	}
	return err
}

// Lacking is the number of addresses that nobody has got yet.
func (q *Quality) Lacking() int { return q.Defects - q.Healed }

// byHealing orders examples: what is still lacking first.
func byHealing(list []Defect) {
	slices.SortStableFunc(list, func(a, b Defect) int {
		switch {
		case a.Healed == nil && b.Healed != nil:
			return -1
		case a.Healed != nil && b.Healed == nil:
			return 1
		}
		return 0
	})
}
