package crawls

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/serve/access"
)

type clerk struct {
	*Desk
	dir   string
	audit *access.Audit
	now   time.Time
}

func newClerk(t *testing.T) *clerk {
	t.Helper()
	dir := t.TempDir()
	c := &clerk{dir: dir, audit: access.OpenAudit(filepath.Join(dir, "access")), now: time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)}
	c.Desk = &Desk{Archive: catalog.Open(dir), Audit: c.audit, Now: func() time.Time { c.now = c.now.Add(time.Second); return c.now }}
	return c
}

func (c *clerk) did(t *testing.T) (out []string) {
	t.Helper()
	for e, err := range c.audit.Entries() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e.By+": "+e.Did+" "+e.Collection+" "+e.What)
	}
	return out
}

func planned(name string) crawl.Planned {
	return crawl.Planned{Definition: crawl.Definition{Name: name, Seeds: []string{"https://a.example/"}, Contact: "https://b.example/"}, Every: scope.Duration(time.Hour)}
}

// From nothing: a collection, a crawl, a change, a copy, its end, and who did it.
func TestDesk(t *testing.T) {
	c := newClerk(t)
	if err := c.Begin(NewCollection{Name: "news", Title: `The "News"`, Purpose: "day\nby day"}, "eva"); err != nil {
		t.Fatal(err)
	}
	if err := c.Begin(NewCollection{Name: "news"}, "eva"); varve.KindOf(err) != varve.Invalid {
		t.Errorf("twice: %v", err)
	}
	if err := c.Save("news", planned("daily"), time.Time{}, "eva", "first"); err != nil {
		t.Fatal(err)
	}
	col, err := c.Archive.Collection("news")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := crawl.ReadPlan(col)
	if err != nil || plan.Title != `The "News"` || plan.Purpose != "day\nby day" || !plan.Crawls["daily"].OnlyPublic {
		t.Fatalf("%+v, %v", plan, err)
	}
	if err := c.Save("news", planned("daily"), time.Time{}, "max", ""); varve.KindOf(err) != varve.Conflict {
		t.Errorf("one more of the name: %v", err)
	}
	e, err := c.Entry("news", "daily")
	if err != nil || e.Source != FromScreen || e.By != "eva" || e.Note != "first" {
		t.Fatalf("%+v, %v", e, err)
	}
	p := *e.Definition
	p.MaxPages = 7
	if err := c.Save("news", p, e.At, "max", "smaller"); err != nil {
		t.Fatal(err)
	}
	if err := c.Save("news", p, e.At, "eva", ""); varve.KindOf(err) != varve.Conflict || !strings.Contains(err.Error(), "max changed it") {
		t.Errorf("somebody was faster: %v", err)
	}
	if err := c.Retire("news", "daily", e.At, "eva", ""); varve.KindOf(err) != varve.Conflict {
		t.Errorf("retired what was changed: %v", err)
	}
	if err := c.Retire("news", "daily", time.Time{}, "eva", "over"); err != nil {
		t.Fatal(err)
	}
	if err := c.Retire("news", "daily", time.Time{}, "eva", "over"); varve.KindOf(err) != varve.NotFound {
		t.Errorf("retired twice: %v", err)
	}
	history, err := c.History("news", "daily")
	if err != nil || len(history) != 3 || !history[0].Retired || history[1].Crawl.MaxPages != 7 || history[2].By != "eva" {
		t.Errorf("%+v, %v", history, err)
	}
	if err := c.Save("news", planned("daily"), time.Time{}, "eva", "again"); err != nil {
		t.Errorf("planned again: %v", err)
	}
	want := []string{"eva: begin collection news ", "eva: define crawl news daily", "max: define crawl news daily", "eva: retire crawl news daily", "eva: define crawl news daily"}
	if got := c.did(t); !slices.Equal(got, want) {
		t.Errorf("audit log: %q", got)
	}
}

// collection.toml is never written, and goes before.
func TestTheFileGoesBefore(t *testing.T) {
	c := newClerk(t)
	if err := c.Begin(NewCollection{Name: "news"}, "eva"); err != nil {
		t.Fatal(err)
	}
	if err := c.Save("news", planned("daily"), time.Time{}, "eva", ""); err != nil {
		t.Fatal(err)
	}
	col, err := c.Archive.Collection("news")
	if err != nil {
		t.Fatal(err)
	}
	const text = "[crawl.daily]\nseeds = [\"https://file.example/\"]\n[crawl.other]\nseeds = [\"https://file.example/\"]\n"
	if err := os.WriteFile(col.DefinitionFile(), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := c.List("news")
	if err != nil || len(list) != 3 || list[0].Source != FromFile || list[1].Source != FromScreen || !list[1].Hidden || list[2].Name != "other" {
		t.Fatalf("%+v, %v", list, err)
	}
	if err := c.Save("news", planned("other"), time.Time{}, "eva", ""); varve.KindOf(err) != varve.Conflict {
		t.Errorf("over the file: %v", err)
	}
	if err := c.Retire("news", "other", time.Time{}, "eva", ""); varve.KindOf(err) != varve.Conflict {
		t.Errorf("out of the file: %v", err)
	}
	if err := c.Retire("news", "daily", time.Time{}, "eva", ""); err != nil {
		t.Errorf("the hidden one: %v", err)
	}
	if b, err := os.ReadFile(col.DefinitionFile()); err != nil || string(b) != text {
		t.Errorf("collection.toml was touched: %q, %v", b, err)
	}
}

func TestNamesOfCollections(t *testing.T) {
	c := newClerk(t)
	for _, n := range []NewCollection{{Name: ""}, {Name: "../x"}, {Name: "a/b"}, {Name: ".hidden"}, {Name: "a", Title: strings.Repeat("x", 5000)}, {Name: "a", Purpose: "\x00"}} {
		if err := c.Begin(n, "eva"); varve.KindOf(err) != varve.Invalid {
			t.Errorf("%.40q: %v", n, err)
		}
	}
	if list, err := c.Archive.Collections(); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	for _, name := range []string{"none", "../x"} {
		if err := c.Save(name, planned("a"), time.Time{}, "eva", ""); err == nil {
			t.Errorf("saved in %q", name)
		}
	}
}

type deaf struct{}

func (deaf) Append(access.Entry) error { return os.ErrPermission }

// What cannot be told to the audit log is not done.
func TestNothingUntold(t *testing.T) {
	c := newClerk(t)
	if err := c.Begin(NewCollection{Name: "news"}, "eva"); err != nil {
		t.Fatal(err)
	}
	c.Audit = deaf{}
	if err := c.Save("news", planned("daily"), time.Time{}, "eva", ""); varve.KindOf(err) != varve.Unavailable {
		t.Error(err)
	}
	if err := c.Begin(NewCollection{Name: "more"}, "eva"); varve.KindOf(err) != varve.Unavailable {
		t.Error(err)
	}
	if list, err := c.List("news"); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := c.Archive.Collections(); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}
