package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/eval/spamfilter"
	"varve/lab/rehearsal"
	"varve/lab/websim/spam"
	"varve/spam/desk"
	"varve/spam/label"
)

// A crawl with the filter says at its start which labels do not count; sound ones are no reason to say anything.
func TestSpamFilterTellsOfBadLabels(t *testing.T) {
	col, err := catalog.Open(t.TempDir()).Collection("news")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(col.Dir(), "labels"), 0o755); err != nil {
		t.Fatal(err)
	}
	const sound = `{"format":"varve-spam-labels","version":1}
{"host":"a.example","label":"spam","who":"eva","when":"2026-11-15T09:00:00Z"}
`
	for text, want := range map[string]string{sound: "", sound + "damaged\n": "line 3"} {
		if err := os.WriteFile(filepath.Join(col.Dir(), "labels", "spam.jsonl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var told bytes.Buffer
		if _, err := spamFilter(col, crawl.SpamRules{SpamModel: "/none"}, slog.New(slog.NewTextHandler(&told, nil))); err == nil {
			t.Fatal("there is no such model")
		}
		if got := told.String(); !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("said %q, want %q", got, want)
		}
	}
}

// What curators say reaches the next crawl: the labels themselves, and the model that was learnt from them last, by its date and not by
// its name. The table has more than a crawl can compute, so a model for crawls is made beside the other.
func TestTeachingReachesTheCrawl(t *testing.T) {
	col, err := catalog.Open(t.TempDir()).Collection("web")
	if err != nil {
		t.Fatal(err)
	}
	world, err := spam.New(spam.Config{Hosts: 60, Scale: 0.3, Kinds: []string{"news", "blog", "university", "personal", "stuffed", "parked", "dense"}}, 7)
	if err != nil {
		t.Fatal(err)
	}
	web, err := world.Web()
	if err != nil {
		t.Fatal(err)
	}
	at := world.Epoch().AddDate(1, 6, 0)
	known := spamfilter.Tabulate(world, web, at, 10)
	writeTable(t, filepath.Join(desk.ModelDir(col.Dir()), "hosts.csv"), known)
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	learnt := crawl.SpamRules{SpamModel: crawl.LearntModel}
	if _, err := spamFilter(col, learnt, quiet); err == nil || !strings.Contains(err.Error(), "no model comes with Varve") {
		t.Fatalf("without labels and model: %v", err)
	}
	var judged []label.Entry
	var kept, left string // labelled otherwise than the model would
	seeds := strings.Join(world.Seeds(4), " ")
	for i, host := range known.Hosts {
		e := label.Entry{Host: host, Label: label.Normal, Who: "eva", When: at}
		if known.Spam[i] {
			e.Label = label.Spam
		}
		switch {
		case known.Spam[i] && kept == "" && known.Pages[i] > 5:
			kept, e.Label = host, label.Normal
		case !known.Spam[i] && left == "" && !strings.Contains(seeds, host):
			left, e.Label = host, label.Spam
		case i%2 == 0:
			continue // nobody looked at it
		}
		judged = append(judged, e)
	}
	if err := label.Open(col.Dir()).Append(judged...); err != nil {
		t.Fatal(err)
	}
	only, err := spamFilter(col, learnt, quiet)
	if err != nil || only.Assessor != nil || only.Rulings == nil {
		t.Fatalf("with labels alone: %+v, %v", only, err)
	}
	for _, when := range []time.Time{at, at.AddDate(0, 0, 1)} {
		if _, err := desk.Open(col.Dir()).Retrain(t.Context(), desk.TargetSpam, func() time.Time { return when }); err != nil {
			t.Fatal(err)
		}
	}
	old, err := filepath.Glob(filepath.Join(desk.ModelDir(col.Dir()), "crawl-*.model"))
	if err != nil || len(old) != 2 {
		t.Fatal(old, err)
	}
	if err := os.Rename(old[0], filepath.Join(desk.ModelDir(col.Dir()), "crawl-zz.model")); err != nil { // the last by name is not the last learnt
		t.Fatal(err)
	}
	o, err := spamFilter(col, learnt, quiet)
	if err != nil || o.Model != old[1] || o.Assessor == nil || o.Verdicts == nil {
		t.Fatalf("%+v, %v; want the model %s", o, err, old[1])
	}
	stage, err := rehearsal.New(web, rehearsal.Config{Start: at, Pace: time.Second, Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Close()
	def := crawl.Definition{Seeds: world.Seeds(4), Scope: scope.Definition{Mode: scope.Rules, Rules: []scope.Rule{{Name: "all", Do: scope.Accept, Scheme: []string{"http"}}}}, Workers: 4, MinDisk: -1}
	def.SpamRules, def.SpamThreshold = learnt, 0.6
	res, err := stage.Crawl(t.Context(), t.TempDir(), def, crawl.Options{Stages: stages.Set{Spam: o}.Of})
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]int{}
	for _, e := range res.Looks {
		asked[e.Host]++
	}
	if asked[left] > 0 || asked[kept] == 0 {
		t.Errorf("%s, labelled spam: %d requests; %s, labelled normal: %d", left, asked[left], kept, asked[kept])
	}
	byModel := 0
	for _, h := range res.Report.Spam.Rejected {
		if h.Spamicity != nil {
			byModel++
		}
		if h.Host == kept {
			t.Errorf("%s was rejected: %s", kept, h.Why)
		}
	}
	if byModel == 0 || res.Report.Spam.Model != old[1] {
		t.Errorf("%d hosts rejected by the model %s", byModel, res.Report.Spam.Model)
	}
	again, err := spamFilter(col, learnt, quiet)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range res.Report.Spam.Rejected {
		if v, firm, _ := again.Verdicts.Of(h.Host, at.AddDate(0, 0, 2)); h.Spamicity != nil && (!firm || !v.Spam) {
			t.Errorf("%s: the next crawl does not know of it: %+v", h.Host, v)
		}
	}
}

// writeTable writes a table of hosts with one column more than a crawl can compute.
func writeTable(t *testing.T, path string, known *spamfilter.Table) {
	t.Helper()
	var b bytes.Buffer
	if err := known.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	for i := range lines {
		more := fmt.Sprint(i % 7)
		if i == 0 {
			more = "graph.indegree"
		}
		lines[i] += "," + more
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
}
