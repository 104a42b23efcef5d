package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/coherence/report"
	"varve/index/fulltext"
	"varve/serve/coherence"
	"varve/spam/label"
	"varve/web/canon"
)

// relabel brings the facets coherence and spam of the text index up to reports and labels.
func relabel(ctx context.Context, col *catalog.Collection) error {
	labels, err := labelsOf(col)
	if err != nil {
		return err
	}
	if err := fulltext.Relabel(ctx, col.IndexDir("fulltext"), labels); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "label the text index of " + col.Name, Err: err, Hint: "run it again"}
	}
	return nil
}

// labelsOf are what reports and labels say about the versions of a collection.
func labelsOf(col *catalog.Collection) (fulltext.Labels, error) {
	judge := verdicts{col: col, crawls: map[string]*crawlVerdicts{}}
	labels := fulltext.Labels{Coherence: judge.of}
	entries, err := label.Open(col.Dir()).All()
	if err != nil {
		return labels, &varve.Error{Kind: varve.Unavailable, Op: "read the spam labels of " + col.Name, Err: err}
	}
	if latest := label.Latest(entries); len(latest) > 0 {
		labels.Spam = func(host string) string { return string(latest[host].Label) }
	}
	return labels, nil
}

// verdicts tell what reports on crawls say about versions.
type verdicts struct {
	col    *catalog.Collection
	crawls map[string]*crawlVerdicts
}

// crawlVerdicts are those of one crawl.
type crawlVerdicts struct {
	report *report.Report // nil: it was not measured
	worst  map[string]report.State
}

// of gives the state of a version's page in the crawl that captured it first: what the report says of pages with defects; coherent
// if the crawl saw the version again, or if it revisited all pages and the report has room for all defects; else unknown.
func (v *verdicts) of(d fulltext.Labelled) string {
	k := v.crawls[d.Crawl]
	if k == nil {
		k = v.read(d.Crawl)
		v.crawls[d.Crawl] = k
	}
	if k.report == nil {
		return ""
	}
	if state, ok := k.worst[d.SURT]; ok {
		return string(state)
	}
	again := d.Captures > 1 && !d.Last.After(k.report.End.Add(time.Second))
	if again || k.report.Revisited == k.report.Pages && len(k.report.Worst) < 1000 {
		return string(report.Coherent)
	}
	return ""
}

// read reads the report of a crawl; one that is not there or cannot be read says nothing.
func (v *verdicts) read(crawl string) *crawlVerdicts {
	k := &crawlVerdicts{worst: map[string]report.State{}}
	dir, err := v.col.CrawlDir(crawl)
	if err != nil {
		return k
	}
	b, err := os.ReadFile(filepath.Join(dir, coherence.File))
	if err != nil {
		return k
	}
	var r report.Report
	if json.Unmarshal(b, &r) != nil {
		return k
	}
	k.report = &r
	for _, w := range r.Worst {
		k.worst[canon.SURT(w.URL)] = w.State
	}
	return k
}
