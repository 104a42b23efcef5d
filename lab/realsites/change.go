package realsites

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"varve/archive/catalog"
	"varve/coherence/report"
	"varve/lab/eval/capture"
	"varve/text/layer"
)

// Change is how what the product says of changes agrees with what was done to a site.
//
//	visit and revisit every page, while nobody writes       what counts as changed then is false
//	sites/NAME/edit.sh edits and deletes pages, in the software's own words, and prints what it did:
//	    delete PATH      a page that is gone; all others are looked at in Chromium before and after, and differ or do not
//	crawl again, and compare                                a change that was not seen is missed, one that was not made is false
type Change struct {
	Pages   int64    `json:"pages"`             // revisited while nobody wrote
	Still   int64    `json:"still"`             // of them unchanged on the layer text
	Edited  int      `json:"edited"`            // pages of the site that read otherwise after the edits
	Deleted int      `json:"deleted"`           // pages that are gone
	Seen    int      `json:"seen"`              // of both, those that the comparison names
	False   []string `json:"false,omitempty"`   // changes that were not made
	Missed  []string `json:"missed,omitempty"`  // changes that were not seen
	Unasked []string `json:"unasked,omitempty"` // pages that the second crawl did not ask for
}

// whole reports whether nothing was missed or made up.
func (c *Change) whole() bool { return c == nil || len(c.False)+len(c.Missed)+len(c.Unasked) == 0 }

// change measures what is said of changes; nil where the site has no script that edits it.
func (h *server) change(ctx context.Context, cfg *Config, s Site, truth *Truth, env []string) (*Change, error) {
	edit := filepath.Join(h.dir, "fill", "edit.sh")
	if _, err := os.Stat(edit); err != nil {
		return nil, nil
	}
	rules := "MAP *." + domain + " " + h.addr + ", MAP * ~NOTFOUND"
	var live [3][]look
	var err error
	for i := range 2 {
		if live[i], err = read(ctx, rules, "", truth.Pages); err != nil {
			return nil, err
		}
	}
	archive := filepath.Join(h.dir, "change")
	if err := h.crawl(ctx, cfg, s, archive, "--revisit", "fifo"); err != nil {
		return nil, err
	}
	var rep report.Report
	if err := h.ask(ctx, cfg, &rep, "coherence", "report", "--archive", archive, "--collection", capture.Collection, "--json"); err != nil {
		return nil, err
	}
	c := &Change{Pages: rep.Revisited, Still: rep.Layers[layer.Text].Coherent}
	for _, w := range rep.Worst {
		c.False = append(c.False, fmt.Sprintf("nobody wrote: %s is %s", w.URL, w.State))
	}
	col, err := catalog.Open(archive).Collection(capture.Collection)
	if err != nil {
		return nil, err
	}
	first, err := filepath.Glob(filepath.Join(col.WarcDir(), "*.warc.gz"))
	if err != nil {
		return nil, err
	}
	do := exec.CommandContext(ctx, "bash", "-e", "-u", "-o", "pipefail", edit)
	do.Dir, do.Env = filepath.Dir(edit), append(os.Environ(), env...)
	said, err := output(do)
	if err != nil {
		return nil, fmt.Errorf("edit: %w", err)
	}
	if live[2], err = read(ctx, rules, "", truth.Pages); err != nil {
		return nil, err
	}
	if err := h.crawl(ctx, cfg, s, archive); err != nil {
		return nil, err
	}
	all, err := filepath.Glob(filepath.Join(col.WarcDir(), "*.warc.gz"))
	if err != nil {
		return nil, err
	}
	second := slices.DeleteFunc(all, func(f string) bool { return slices.Contains(first, f) })
	if err := link(filepath.Join(h.dir, "before"), first); err != nil {
		return nil, err
	}
	if err := link(filepath.Join(h.dir, "after"), second); err != nil {
		return nil, err
	}
	var found comparison
	if err := h.ask(ctx, cfg, &found, "coherence", "compare", filepath.Join(h.dir, "before"), filepath.Join(h.dir, "after"), "--json"); err != nil {
		return nil, err
	}
	ids, err := col.Crawls()
	if err != nil {
		return nil, err
	}
	dir, err := col.CrawlDir(ids[len(ids)-1])
	if err != nil {
		return nil, err
	}
	asked := map[string]bool{}
	if err := eachAsked(filepath.Join(dir, "crawl.log"), func(address, _ string) { asked[keyOf(address)] = true }); err != nil {
		return nil, err
	}
	c.judge(truth.Pages, live, deleted(s, said), &found, asked)
	return c, nil
}

// comparison is what 'varve coherence compare --json' prints, as far as it is judged here.
type comparison struct {
	Changed []struct {
		URL    string `json:"url"`
		Layer  string `json:"layer"`
		Defect string `json:"defect"`
	} `json:"changed"`
}

// ask runs the product and reads the JSON object that it prints.
func (h *server) ask(ctx context.Context, cfg *Config, into any, args ...string) error {
	said, err := output(exec.CommandContext(ctx, cfg.Varve, args...))
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(said), into)
}

// link makes a folder of files that lie elsewhere.
func link(dir string, files []string) error {
	errs := []error{os.Mkdir(dir, 0o755)}
	for _, f := range files {
		errs = append(errs, os.Link(f, filepath.Join(dir, filepath.Base(f))))
	}
	return errors.Join(errs...)
}

// deleted are the pages that a script says it deleted.
func deleted(s Site, said string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(said) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "delete "); ok {
			set[strings.TrimSuffix(s.URL(), "/")+path] = true
		}
	}
	return set
}

// judge holds the pages that a comparison names against those that read otherwise. Words that differed while nobody wrote are no change.
func (c *Change) judge(pages []Page, live [3][]look, gone map[string]bool, found *comparison, asked map[string]bool) {
	named := map[string]string{}
	for _, f := range found.Changed {
		if f.Defect == "missing" || f.Layer == "text" || f.Layer == "main" {
			named[keyOf(f.URL)] = f.Defect
		}
	}
	for i, p := range pages {
		defect, seen := named[keyOf(p.Needs)]
		edited := settle(live[0][i].words, live[1][i].words, live[2][i].words) != live[0][i].words
		switch {
		case gone[p.URL]:
			c.Deleted++
			seen = defect == "missing"
		case edited:
			c.Edited++
		}
		switch made := gone[p.URL] || edited; {
		case made && !asked[keyOf(p.Needs)]:
			c.Unasked = append(c.Unasked, p.URL)
		case made && !seen:
			c.Missed = append(c.Missed, p.URL)
		case made:
			c.Seen++
		case seen:
			c.False = append(c.False, p.URL+" is named, and reads as before")
		}
	}
}
