package pulse_test

import (
	"fmt"
	"testing"
	"time"

	"varve/crawl"
	"varve/derive"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/pulse"
)

// country is an archive of so many collections, each crawled once a month for so many years; per is the captures of
// a crawl.
func country(t testing.TB, dir string, collections, years int, per int64) *archive {
	a := &archive{}
	for i := range collections {
		c := &holdings.Collection{Name: fmt.Sprintf("c%03d", i), Title: fmt.Sprintf("Collection %d", i), Bytes: 1000 * per, Plans: []holdings.Planned{{Name: "daily", Every: time.Hour, Next: now}}}
		var rows []derive.CrawlDay
		for m := range 12 * years {
			at := month(2010, 1).AddDate(0, m, 0)
			k := made(c.Name, at, per/3, per/4, per/12)
			k.Report = &crawl.Report{}
			c.Crawls = append(c.Crawls, k)
			rows = append(rows, derive.CrawlDay{Crawl: k.ID, Day: at, Captures: per, Pages: per / 3})
		}
		write(t, dir, c.Name, rows...)
		a.list = append(a.list, c)
	}
	return a
}

// A pulse is made of summaries: it looks at no capture, and costs the same for a thousand and for a billion of them.
func TestCostDoesNotGrowWithCaptures(t *testing.T) {
	cost := func(per int64) (allocs float64, captures int64) {
		dir := t.TempDir()
		x := &index{size: per}
		d := pulse.New(pulse.Config{Archive: dir, Holdings: country(t, dir, 20, 10, per), Index: x, Now: func() time.Time { return now }})
		var p *pulse.Pulse
		allocs = testing.AllocsPerRun(3, func() {
			var err error
			if p, err = d.Of(visitor(access.Viewer), pulse.Ask{}); err != nil {
				t.Fatal(err)
			}
		})
		if x.read != 0 {
			t.Errorf("%d captures were looked at", x.read)
		}
		return allocs, p.Totals.Captures
	}
	few, n := cost(100)
	many, m := cost(500_000_000)
	if n != 100*20*120 || m != 500_000_000*20*120 {
		t.Errorf("%d and %d captures", n, m)
	}
	if many > 1.05*few {
		t.Errorf("%.0f allocations for %d captures, %.0f for %d", many, m, few, n)
	}
}

func BenchmarkPulse(b *testing.B) {
	dir := b.TempDir()
	d := pulse.New(pulse.Config{Archive: dir, Holdings: country(b, dir, 50, 10, 1_000_000), Index: &index{}, Now: time.Now})
	for b.Loop() {
		if _, err := d.Of(visitor(access.Viewer), pulse.Ask{}); err != nil {
			b.Fatal(err)
		}
	}
}
