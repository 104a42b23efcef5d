package crawl_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"varve/crawl"
	"varve/web/links"
)

// census is a stage in three verbs: it keeps some pages out, adds a link to every page, and counts what was settled. It needs
// nothing of the core but the interface.
type census struct {
	refused, settled, pages atomic.Int64
}

func (c *census) Admit(a *crawl.Admission) {
	if strings.HasSuffix(a.URL.Path(), "7.html") {
		a.Refuse("census: these are not counted")
		c.refused.Add(1)
	}
}

func (c *census) Examine(v *crawl.Visit, a *crawl.Answer) {
	if v.IsPage() {
		a.Field("census", "counted")
		a.AddLink(links.Link{URL: v.URL().Origin() + "/census", Kind: links.DOMRequest, Hop: links.HopLink})
	}
}

func (c *census) Settle(visits []*crawl.Visit, notes *crawl.Notes) error {
	for _, v := range visits {
		if v.Settles() {
			c.settled.Add(1)
		}
		if v.Settles() && v.IsPage() {
			c.pages.Add(1)
		}
	}
	notes.Put("census", []byte("counted"))
	return nil
}

// A stage attaches to a crawl without the core knowing of it: what it refuses is not asked for, what it adds is, and it is
// told of every visit that is done.
func TestStage(t *testing.T) {
	t.Parallel()
	s := simulateSpec(t, flatSite(t, 40), 5)
	c := &census{}
	place := placeIn(t.TempDir())
	run, err := newEngine(t, s, noDelay()).StartIn(context.Background(), "test", place, hostScope(s.Seeds()...), crawl.Options{
		Stages: func(crawl.Definition) []crawl.Stage { return []crawl.Stage{c} },
	})
	if err != nil {
		t.Fatal(err)
	}
	rep := wait(t, run)
	if !rep.Finished || c.refused.Load() == 0 || c.pages.Load() != rep.Pages {
		t.Errorf("%d URLs were kept out; %d pages settled, the report has %d", c.refused.Load(), c.pages.Load(), rep.Pages)
	}
	added := 0
	log, err := os.ReadFile(filepath.Join(place.Dir, "crawl.log"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(log)) {
		f := strings.Fields(line)
		if url := f[3]; strings.HasSuffix(url, "/census") {
			added++
		} else if strings.HasSuffix(url, "7.html") {
			t.Errorf("asked for: %s", line)
		}
	}
	if added != 1 {
		t.Errorf("the link that was added was visited %d times", added)
	}
}
