package pulse_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve"
	"varve/crawl"
	"varve/derive"
	"varve/lab/attack"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/pulse"
	"varve/serve/review"
)

var now = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

// archive is what tests say that there is.
type archive struct {
	list  []*holdings.Collection
	asked int
}

func (a *archive) Collections(context.Context) ([]*holdings.Collection, error) {
	a.asked++
	return a.list, nil
}

// Crawls answers as the real ones do: newest first.
func (a *archive) Crawls(_ context.Context, q holdings.CrawlQuery) (*holdings.CrawlPage, error) {
	page := &holdings.CrawlPage{}
	for _, c := range a.list {
		for _, k := range c.Crawls {
			in := (q.From.IsZero() || !k.Started.Before(q.From)) && (q.To.IsZero() || k.Started.Before(q.To))
			if in && (q.Collection == "" || q.Collection == c.Name) && (q.State == "" || q.State == k.State) {
				copied := *k
				page.Items = append(page.Items, &copied)
			}
		}
	}
	slices.SortStableFunc(page.Items, func(a, b *holdings.Crawl) int { return b.Started.Compare(a.Started) })
	page.Items = page.Items[:min(q.Limit, len(page.Items))]
	return page, nil
}

// index has the same captures in all collections, and may withhold some.
type index struct {
	captures []holdings.IndexedCapture
	size     int64
	read     int
	may      func(v access.Visitor, c holdings.IndexedCapture) bool
}

func (x *index) Size(string) (int64, uint64, error) { return x.size, 1, nil }

func (x *index) Captures(ctx context.Context, _ holdings.Query) iter.Seq2[holdings.IndexedCapture, error] {
	return func(yield func(holdings.IndexedCapture, error) bool) {
		for _, c := range x.captures {
			x.read++
			if x.may != nil && !x.may(access.From(ctx), c) {
				continue
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

type rules struct{ set *access.RuleSet }

func (r rules) InForce() (*access.RuleSet, error) { return r.set, nil }

func ruled(t testing.TB, list ...access.Rule) rules {
	t.Helper()
	for i := range list {
		list[i].Reason = "x"
		if err := list[i].Check(); err != nil {
			t.Fatal(err)
		}
	}
	return rules{access.NewRuleSet(list)}
}

type tray struct {
	open []review.Alert
	err  error
}

func (t tray) Tray(context.Context) (*review.Tray, error) {
	return &review.Tray{Open: t.open}, t.err
}

func made(collection string, at time.Time, pages int64, coherent, changed int64) *holdings.Crawl {
	k := &holdings.Crawl{
		ID: at.Format("20060102T150405Z"), Collection: collection, State: holdings.Complete, Started: at, Ended: at.Add(time.Hour), Pages: pages, URLs: 3 * pages, Name: "daily",
	}
	if coherent+changed > 0 {
		k.Coherence = &holdings.Tally{Coherent: coherent, Content: changed}
	}
	return k
}

func month(y, m int) time.Time { return time.Date(y, time.Month(m), 1, 0, 0, 0, 0, time.UTC) }

func town() *holdings.Collection {
	return &holdings.Collection{
		Name: "town", Title: "The town", Bytes: 5000, Crawls: []*holdings.Crawl{
			made("town", month(2026, 1).AddDate(0, 0, 3), 10, 9, 1), made("town", month(2026, 1).AddDate(0, 0, 17), 20, 0, 0), made("town", month(2026, 3), 30, 20, 10),
		},
		Plans: []holdings.Planned{{Name: "daily", Every: 24 * time.Hour, Next: now.Add(2 * time.Hour)}, {Name: "once"}},
	}
}

func visitor(role access.Role) context.Context {
	return access.With(context.Background(), access.Visitor{Name: "eva", Role: role})
}

func write(t testing.TB, dir, collection string, rows ...derive.CrawlDay) {
	t.Helper()
	path := filepath.Join(dir, "collections", collection, "derived", "crawls.parquet")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := parquet.WriteFile(path, rows); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, now, now); err != nil {
		t.Fatal(err)
	}
}

func TestPulse(t *testing.T) {
	a := &archive{list: []*holdings.Collection{town(), {Name: "copies", Title: "Copies", Bytes: 70, Files: 1}}}
	alerts := tray{open: []review.Alert{
		{Kind: review.AuditFinding, Collection: "town"}, {Kind: review.SeedFailed, Collection: "copies"}, {Kind: review.AuditFinding, Collection: "town"},
	}}
	d := pulse.New(pulse.Config{
		Archive: t.TempDir(), Holdings: a, Index: &index{size: 7}, Tray: alerts, Now: func() time.Time { return now },
		Disk: func(string) (review.Disk, error) { return review.Disk{Free: 1, Size: 2}, nil },
	})
	p, err := d.Of(visitor(access.Curator), pulse.Ask{})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Totals; got.Captures != 187 || got.Pages != 60 || got.Bytes != 5070 || got.Crawls != 3 || got.Collections != 2 || got.Measured != 1 || got.Tally != (holdings.Tally{Coherent: 20, Content: 10}) || got.Partial {
		t.Errorf("totals: %+v", got)
	}
	c := p.Collections[0]
	want := []pulse.Month{
		{At: month(2026, 1), Captures: 90, Pages: 30, Crawls: 2, Tally: &holdings.Tally{Coherent: 9, Content: 1}},
		{At: month(2026, 3), Captures: 90, Pages: 30, Crawls: 1, Tally: &holdings.Tally{Coherent: 20, Content: 10}},
	}
	if !reflect.DeepEqual(c.Months, want) || c.Source != pulse.FromReports || c.Measured != "20260301T000000Z" || c.Every != 24*time.Hour {
		t.Errorf("the town: %+v", c)
	}
	if c := p.Collections[1]; c.Source != pulse.FromIndex || c.Captures != 7 || len(c.Months) != 0 {
		t.Errorf("copies: %+v", c)
	}
	if len(p.Last) != 3 || p.Last[0].ID != "20260301T000000Z" || len(p.Due) != 1 || p.Tray.Open != 3 || p.Tray.Kinds[0].Count != 2 || p.Disk == nil {
		t.Errorf("crawls %d, due %+v, tray %+v, disk %v", len(p.Last), p.Due, p.Tray, p.Disk)
	}
	p, err = d.Of(visitor(access.Viewer), pulse.Ask{Collection: "town", From: month(2026, 1), To: month(2026, 2)})
	if err != nil || len(p.Collections) != 1 || len(p.Last) != 2 || p.Tray != nil || p.Disk != nil {
		t.Errorf("a month of the town for a viewer: %+v, %v", p, err)
	}
	if p, err := d.Of(visitor(access.Curator), pulse.Ask{Collection: "copies"}); err != nil || p.Tray.Open != 1 {
		t.Errorf("alerts of one collection: %+v, %v", p.Tray, err)
	}
	for _, ask := range []pulse.Ask{{Collection: "nowhere"}, {To: now}, {From: now, To: now.Add(-1)}} {
		if _, err := d.Of(visitor(access.Viewer), ask); err == nil || varve.KindOf(err) == varve.Internal {
			t.Errorf("%+v: %v", ask, err)
		}
	}
}

// The table of days goes before reports, but not before those of crawls that went on after it was made.
func TestMonthsOfTheTable(t *testing.T) {
	dir, c := t.TempDir(), town()
	c.Crawls[2].Ended = now.Add(time.Hour)
	jan, feb := month(2026, 1).AddDate(0, 0, 30), month(2026, 2)
	write(t, dir, "town",
		derive.CrawlDay{Crawl: c.Crawls[1].ID, Day: jan, Captures: 100, Pages: 50}, derive.CrawlDay{Crawl: c.Crawls[1].ID, Day: feb, Captures: 7, Pages: 3},
		derive.CrawlDay{Crawl: c.Crawls[2].ID, Day: month(2026, 3), Captures: 1, Pages: 1}, derive.CrawlDay{Day: month(2024, 12), Captures: 40, Pages: 4})
	d := pulse.New(pulse.Config{Archive: dir, Holdings: &archive{list: []*holdings.Collection{c}}, Now: func() time.Time { return now }})
	p, err := d.Of(visitor(access.Viewer), pulse.Ask{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range p.Collections[0].Months {
		got = append(got, fmt.Sprintf("%s %d/%d in %d", m.At.Format("2006-01"), m.Captures, m.Pages, m.Crawls))
	}
	if want := "2024-12 40/4 in 0, 2026-01 130/60 in 2, 2026-02 7/3 in 0, 2026-03 90/30 in 1"; strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
	if p.Collections[0].Source != pulse.FromTable {
		t.Errorf("source %s", p.Collections[0].Source)
	}
	path := filepath.Join(dir, "collections", "town", "derived", "crawls.parquet")
	if err := os.WriteFile(path, []byte("no table"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err = d.Of(visitor(access.Viewer), pulse.Ask{})
	if err != nil || len(p.Trouble) != 1 || p.Collections[0].Captures != 180 {
		t.Errorf("a broken table: %+v, %v", p, err)
	}
}

// What rules withhold is neither counted nor named, by nothing that a pulse tells.
func TestWithheld(t *testing.T) {
	tally := attack.Count(t)
	capture := func(url string, at time.Time) holdings.IndexedCapture {
		c := holdings.IndexedCapture{Key: url}
		c.URL, c.Time, c.MIME, c.Status, c.Length = url, at, "text/html", 200, 100
		return c
	}
	x := &index{
		captures: []holdings.IndexedCapture{capture("open", month(2026, 1)), capture("secret", month(2026, 1)), capture("open", month(2026, 3)), capture("secret", month(2026, 4))}, size: 4,
		may: func(v access.Visitor, c holdings.IndexedCapture) bool {
			return v.Can(access.Curator) || c.Key != "secret"
		},
	}
	c := town()
	c.Crawls = append(c.Crawls, made("town", month(2026, 4), 4711, 4711, 0))
	c.Crawls[3].Report, c.Crawls[3].Why = &crawl.Report{Why: "secret"}, "secret"
	for name, tt := range map[string]struct {
		rule     access.Rule
		role     access.Role
		withheld bool
	}{
		"nothing about it": {access.Rule{Collection: "other", Level: access.Blocked}, access.Viewer, false},
		"for curators":     {access.Rule{Prefix: "secret.example", Level: access.Curators}, access.Viewer, true},
		"to a curator":     {access.Rule{Prefix: "secret.example", Level: access.Curators}, access.Curator, false},
		"blocked":          {access.Rule{Prefix: "secret.example", Level: access.Blocked}, access.Admin, true},
		"embargo":          {access.Rule{Embargo: 30}, access.Viewer, true},
	} {
		tally.Try(1)
		d := pulse.New(pulse.Config{
			Archive: t.TempDir(), Holdings: &archive{list: []*holdings.Collection{c}}, Index: x, Rules: ruled(t, tt.rule), Background: t.Context(), Now: func() time.Time { return now },
		})
		p, err := d.Of(visitor(tt.role), pulse.Ask{})
		for i := 0; err == nil && p.Collections[0].Source == pulse.Counting && i < 500; i++ { // a busy machine may not be done in time
			time.Sleep(5 * time.Millisecond)
			p, err = d.Of(visitor(tt.role), pulse.Ask{})
		}
		if err != nil {
			t.Fatal(err)
		}
		got := p.Collections[0]
		if !tt.withheld {
			if got.Withheld || got.Captures == 0 || p.Last[0].Pages != 4711 || got.Source != pulse.FromReports {
				t.Errorf("%s: %+v", name, got)
			}
			continue
		}
		seen := 2
		if tt.role != access.Viewer {
			seen = 4 // the index here lets admins see all
		}
		if got.Source != pulse.FromVisible || got.Captures != int64(seen) || got.Bytes != int64(100*seen) || got.Tally != nil || got.Measured != "" || p.Totals.Measured != 0 {
			t.Errorf("%s: %+v", name, got)
		}
		for _, k := range p.Last {
			if !k.Withheld || k.Pages != 0 || k.URLs != 0 || k.Coherence != nil || k.Report != nil || k.Why != "" {
				t.Errorf("%s: crawl %+v", name, k.Crawl)
			}
		}
	}
}

// A failing part is told of and hides nothing else.
func TestTroubleHidesNothing(t *testing.T) {
	d := pulse.New(pulse.Config{
		Archive: t.TempDir(), Holdings: &archive{list: []*holdings.Collection{town()}}, Tray: tray{err: errors.New("no tray")}, Now: func() time.Time { return now },
		Disk: func(string) (review.Disk, error) { return review.Disk{}, errors.New("no disk") },
	})
	p, err := d.Of(visitor(access.Curator), pulse.Ask{})
	if err != nil || len(p.Trouble) != 1 || p.Totals.Captures != 180 {
		t.Errorf("%+v, %v", p, err)
	}
}
