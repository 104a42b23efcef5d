package realsites

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
//	    soft PATH        a page that is gone, for which the software answers with status 200: the crawl must note that, and the comparison name it
//	crawl again, and compare                                a change that was not seen is missed, one that was not made is false
//	visit and revisit once more; when every page was visited, edit.sh edits and deletes others (ROUND is 2 then)
//	                                                        what was edited between the visit and the revisit of a page must be in the report
//	                                                        on coherence, and what was edited before or behind them must not
type Change struct {
	Pages   int64    `json:"pages"`             // revisited while nobody wrote
	Still   int64    `json:"still"`             // of them unchanged on the layer text
	Edited  int      `json:"edited"`            // pages of the site that read otherwise after the edits
	Deleted int      `json:"deleted"`           // pages that are gone
	Seen    int      `json:"seen"`              // of both, those that the comparison names
	False   []string `json:"false,omitempty"`   // changes that were not made
	Missed  []string `json:"missed,omitempty"`  // changes that were not seen
	Unasked []string `json:"unasked,omitempty"` // pages that the second crawl did not ask for
	During  int      `json:"during"`            // pages that were edited or deleted between visit and revisit of one crawl
	Proven  int      `json:"proven"`            // of them those that the report on coherence says so of
	Between string   `json:"between"`           // when these edits were made
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
	if _, err := h.crawl(ctx, cfg, s, archive, "--revisit", "fifo"); err != nil {
		return nil, err
	}
	rep, err := h.coherence(ctx, cfg, archive)
	if err != nil {
		return nil, err
	}
	c := &Change{Pages: rep.Revisited, Still: rep.Layers[layer.Text].Coherent}
	for _, w := range slices.Concat(rep.Worst, rep.WorstData) {
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
	gone, soft, err := h.edit(ctx, s, edit, env, 1)
	if err != nil {
		return nil, err
	}
	if live[2], err = read(ctx, rules, "", truth.Pages); err != nil {
		return nil, err
	}
	if _, err := h.crawl(ctx, cfg, s, archive); err != nil {
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
	asked, err := timesOf(archive)
	if err != nil {
		return nil, err
	}
	noted, err := softNoted(archive)
	if err != nil {
		return nil, err
	}
	c.judge(truth.Pages, live, gone, soft, &found, asked, noted)
	return c, h.during(ctx, cfg, s, c, slices.DeleteFunc(slices.Clone(truth.Pages), func(p Page) bool { return gone[p.URL] || soft[p.URL] }), edit, env)
}

// coherence returns what the product says of how well the crawl of an archive hangs together.
func (h *server) coherence(ctx context.Context, cfg *Config, archive string) (*report.Report, error) {
	var rep report.Report
	return &rep, h.ask(ctx, cfg, &rep, "coherence", "report", "--archive", archive, "--collection", capture.Collection, "--json")
}

// edit has the site edited, and returns the pages that were deleted, and those of them for which the software answers with status 200.
func (h *server) edit(ctx context.Context, s Site, script string, env []string, round int) (gone, soft map[string]bool, err error) {
	do := exec.CommandContext(ctx, "bash", "-e", "-u", "-o", "pipefail", script)
	do.Dir, do.Env = filepath.Dir(script), slices.Concat(os.Environ(), env, []string{fmt.Sprintf("ROUND=%d", round)})
	said, err := output(do)
	if err != nil {
		return nil, nil, fmt.Errorf("edit: %w", err)
	}
	return named(s, said, "delete "), named(s, said, "soft "), nil
}

// during crawls a site that is edited after all of its pages were visited and before they are revisited, or some of them.
func (h *server) during(ctx context.Context, cfg *Config, s Site, c *Change, pages []Page, edit string, env []string) error {
	rules := "MAP *." + domain + " " + h.addr + ", MAP * ~NOTFOUND"
	var live [3][]look
	var err error
	for i := range 2 {
		if live[i], err = read(ctx, rules, "", pages); err != nil {
			return err
		}
	}
	before, _, err := h.requests(0)
	if err != nil {
		return err
	}
	var gone map[string]bool
	var begin, end time.Time
	edited := make(chan error, 1)
	watched, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		edited <- func() (err error) {
			if err := h.awaitPages(watched, before, pages); err != nil {
				return err
			}
			h.hold(true) // on a busy machine all pages would be revisited before the edits are done
			defer h.hold(false)
			begin = time.Now()
			gone, _, err = h.edit(ctx, s, edit, env, 2)
			end = time.Now()
			return err
		}()
	}()
	archive := filepath.Join(h.dir, "during")
	_, err = h.crawl(ctx, cfg, s, archive, "--revisit", "fifo")
	stop()
	if err := errors.Join(err, <-edited); err != nil {
		return fmt.Errorf("edits during a crawl: %w", err)
	}
	if live[2], err = read(ctx, rules, "", pages); err != nil {
		return err
	}
	rep, err := h.coherence(ctx, cfg, archive)
	if err != nil {
		return err
	}
	times, err := timesOf(archive)
	if err != nil {
		return err
	}
	c.Between = begin.UTC().Format(time.TimeOnly) + " to " + end.UTC().Format(time.TimeOnly)
	c.judgeDuring(pages, live, gone, rep, times, begin, end)
	return nil
}

// awaitPages waits until the server was asked for each page, since the first so many requests.
func (h *server) awaitPages(ctx context.Context, before int, pages []Page) error {
	for {
		left := map[string]bool{}
		for _, p := range pages {
			left[keyOf(p.Needs)] = true
		}
		base, _, _ := strings.Cut(strings.TrimPrefix(pages[0].URL, "http://"), "/")
		if err := h.eachRequest(before, func(_, path string) { delete(left, keyOf("http://"+base+path)) }); err != nil {
			return err
		}
		if len(left) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d pages were not visited, such as %s", len(left), slices.Sorted(maps.Keys(left))[0])
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// judgeDuring holds the report on coherence against edits of which begin and end are known. Nothing is asked of a page that was visited or
// revisited between these two: it may have been read before or after.
func (c *Change) judgeDuring(pages []Page, live [3][]look, gone map[string]bool, rep *report.Report, times map[string][]span, begin, end time.Time) {
	named := map[string]report.State{}
	for _, w := range rep.WorstData {
		named[keyOf(w.URL)] = w.State
		if w.Page != "" {
			named[keyOf(w.Page)] = w.State
		}
	}
	for _, w := range rep.Worst {
		named[keyOf(w.URL)] = w.State
	}
	for i, p := range pages {
		at := times[keyOf(p.Needs)]
		made := gone[p.URL] || settle(live[0][i].words, live[1][i].words, live[2][i].words) != live[0][i].words
		state, seen := named[keyOf(p.URL)]
		if !seen {
			state, seen = named[keyOf(p.Needs)]
		}
		switch {
		case len(at) < 2:
			c.Unasked = append(c.Unasked, p.URL+" is not revisited")
		case made && at[0].to.Before(begin) && at[len(at)-1].from.After(end):
			c.During++
			if gone[p.URL] && state != report.Lost || !seen {
				c.Missed = append(c.Missed, fmt.Sprintf("%s, edited between visit and revisit, is %q", p.URL, state))
				continue
			}
			c.Proven++
		case seen && (!made || at[len(at)-1].to.Before(begin)):
			c.False = append(c.False, fmt.Sprintf("%s is %s, and was not edited between visit and revisit", p.URL, state))
		}
	}
}

// lastCrawl returns the folder of the last crawl of an archive.
func lastCrawl(archive string) (string, error) {
	col, err := catalog.Open(archive).Collection(capture.Collection)
	if err != nil {
		return "", err
	}
	ids, err := col.Crawls()
	if err != nil || len(ids) == 0 {
		return "", errors.Join(errors.New("no crawl was made"), err)
	}
	return col.CrawlDir(ids[len(ids)-1])
}

// timesOf returns when the last crawl of an archive asked for each address.
func timesOf(archive string) (map[string][]span, error) {
	dir, err := lastCrawl(archive)
	if err != nil {
		return nil, err
	}
	times := map[string][]span{}
	err = eachAsked(filepath.Join(dir, "crawl.log"), func(address, _ string, at span) { times[keyOf(address)] = append(times[keyOf(address)], at) })
	return times, err
}

// comparison is what 'varve coherence compare --json' prints, as far as it is judged here.
type comparison struct {
	Changed []struct {
		URL    string `json:"url"`
		Page   string `json:"page"`
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

// softNoted returns the pages of which the last crawl of an archive noted that they are error pages with status 200.
func softNoted(archive string) (map[string]bool, error) {
	dir, err := lastCrawl(archive)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(dir, "events.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	set := map[string]bool{}
	for d := json.NewDecoder(f); ; {
		var e struct{ Event, URL string }
		if err := d.Decode(&e); errors.Is(err, io.EOF) {
			return set, nil
		} else if err != nil {
			return nil, err
		}
		if e.Event == "soft-404" {
			set[keyOf(e.URL)] = true
		}
	}
}

// named are the pages that a script prints behind a word.
func named(s Site, said, word string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(said) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), word); ok {
			set[strings.TrimSuffix(s.URL(), "/")+path] = true
		}
	}
	return set
}

// judge holds the pages that a comparison names against those that read otherwise. Words that differed while nobody wrote are no change.
func (c *Change) judge(pages []Page, live [3][]look, gone, soft map[string]bool, found *comparison, asked map[string][]span, noted map[string]bool) {
	named := map[string]string{}
	for _, f := range found.Changed {
		if f.Defect != "missing" && f.Layer != "text" && f.Layer != "main" {
			continue
		}
		named[keyOf(f.URL)] = f.Defect
		if f.Page != "" && named[keyOf(f.Page)] == "" {
			named[keyOf(f.Page)] = "shows what changed"
		}
	}
	for i, p := range pages {
		defect, seen := named[keyOf(p.Needs)]
		if other, too := named[keyOf(p.URL)]; too && (!seen || other == "missing") {
			defect, seen = other, true
		}
		edited := settle(live[0][i].words, live[1][i].words, live[2][i].words) != live[0][i].words
		switch {
		case gone[p.URL]:
			c.Deleted++
			seen = defect == "missing"
		case soft[p.URL]:
			c.Deleted++
			seen = seen && noted[keyOf(p.Needs)]
		case edited:
			c.Edited++
		}
		switch made := gone[p.URL] || soft[p.URL] || edited; {
		case made && len(asked[keyOf(p.Needs)])+len(asked[keyOf(p.URL)]) == 0:
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
