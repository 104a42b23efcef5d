package rehearsal_test

import (
	"bufio"
	"errors"
	"io"
	"path"
	"strings"
	"testing"
	"time"

	"varve/archive/warc"
	"varve/coherence"
	"varve/crawl"
	"varve/crawl/plan"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/rehearsal"
	"varve/lab/websim"
	"varve/lab/websim/truth"
)

// newsSite changes in every way that there is: words, links, tokens that nobody sees, advertisements; pages vanish, and
// some say nothing that a conditional request could use.
const newsSite = `
span = "30d"
[[site]]
host = "news.sim.test"
pages = 150
fanout = 12
links = 6
assets = 30
size.html = { mean = 5000, sigma = 0.2 }
[[site.change]]
type = ["html"]
every = "20m"
spread = "exponential"
kinds = { content = 2, minor = 1, links = 1, token = 4, ad = 1 }
[[site.change]]
type = ["jpeg", "css"]
every = "2h"
[[site.life]]
path = "/**"
vanish = "3h"
gone = 0.5
dead_links = 0.5
[[site.serve]]
share = 0.3
etag = "off"
last_modified = "off"
[[site.serve]]
share = 0.3
etag = "weak"
[[site.serve]]
share = 0.3
etag = "off"
`

func newStage(t testing.TB, text string, seed uint64, cfg rehearsal.Config) *rehearsal.Stage {
	t.Helper()
	spec, err := websim.Load("test.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, seed)
	if err != nil {
		t.Fatal(err)
	}
	s, err := rehearsal.New(web, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func defOf(s *rehearsal.Stage, c crawl.Coherence) crawl.Definition {
	return crawl.Definition{
		Seeds: []string{s.Web.Hosts()[0].Seed}, Scope: scope.Definition{Mode: scope.Host}, Workers: 4, Coherence: c,
		Retries: -1,
	}
}

// seen is what the records of one page say.
type seen struct {
	group, defect string
	unchanged     []string
	visit, again  int
}

// readWARC reads what the metadata records of a crawl say of its pages.
func readWARC(t testing.TB, place crawl.Place) map[string]*seen {
	t.Helper()
	names, err := place.Files.List(place.WarcDir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*seen{}
	for _, name := range names {
		readFile(t, place, name, out)
	}
	return out
}

func readFile(t testing.TB, place crawl.Place, name string, out map[string]*seen) {
	t.Helper()
	f, err := place.Files.Open(path.Join(place.WarcDir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		t.Fatal(err)
	}
	r, err := warc.NewReader(io.NewSectionReader(f, 0, size), warc.Options{Name: name, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type() == warc.TypeMetadata {
			readMetadata(out, rec)
		}
	}
}

func readMetadata(out map[string]*seen, rec *warc.Record) {
	fields := map[string]string{}
	for lines := bufio.NewScanner(rec.Block); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		fields[name] = value
	}
	s := out[rec.TargetURI()]
	if s == nil {
		s = &seen{}
		out[rec.TargetURI()] = s
	}
	switch fields["pass"] {
	case "visit":
		s.visit++
		s.group = fields["group"]
	case "revisit":
		s.again++
		s.defect, s.unchanged = fields["defect"], strings.Split(fields["unchanged"], ",")
	}
}

func has(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// For every page the verdict is the truth: the version that the web logged for each request. No page is called
// coherent at the byte layer that changed, noise that nobody sees is none at the text layer.
func TestVerdictsAreTrue(t *testing.T) {
	for seed := range uint64(2) {
		s := newStage(t, newsSite, seed+1, rehearsal.Config{Pace: 2 * time.Second, Memory: true})
		res, err := s.Crawl(t.Context(), t.TempDir(), defOf(s, crawl.Coherence{Revisit: coherence.Plan}), crawl.Options{Stages: stages.Set{Plan: plan.Options{Rates: rehearsal.Oracle{Web: s.Web, Layer: truth.Text}}}.Of})
		if err != nil {
			t.Fatal(err)
		}
		asked := map[string][]websim.Entry{}
		for _, e := range res.Looks {
			asked[e.URL()] = append(asked[e.URL()], e)
		}
		counts := map[string]int{}
		for url, p := range readWARC(t, res.Place) {
			if p.visit+p.again == 0 {
				continue // robots.txt and the like
			}
			looks := asked[url]
			if len(looks) == 2 && looks[0].Status < 400 && p.again != 1 || p.visit != 1 {
				t.Errorf("%s: %d visits and %d revisits in the records, %d requests", url, p.visit, p.again, len(looks))
				continue
			}
			if p.again == 0 {
				counts["not revisited"]++
				continue
			}
			counts[judge(t, s.Web, url, looks, p)]++
		}
		t.Logf("seed %d: %v; %+v", seed, counts, res.Report.Groups)
		for _, kind := range []string{"same", "changed", "missing", "noise"} {
			if counts[kind] == 0 {
				t.Errorf("no page was %s: the test tests nothing", kind)
			}
		}
		if g := res.Report.Groups[0]; g.Revisited != int64(counts["same"]+counts["changed"]+counts["missing"]+counts["noise"]+counts["vouched"]) || g.Vouched != int64(counts["vouched"]) || g.Missing != int64(counts["missing"]) {
			t.Errorf("the report says %+v, the truth is %v", g, counts)
		}
	}
}

// judge compares what the records say of a page with the truth, and gives the truth a name.
func judge(t *testing.T, web *websim.Web, url string, looks []websim.Entry, p *seen) string {
	t.Helper()
	first, second := looks[0], looks[1]
	missing := second.Status >= 400
	if missing != (p.defect == "missing") {
		t.Errorf("%s: status %d, but the record says %q", url, second.Status, p.defect)
	}
	if missing {
		return "missing"
	}
	same := first.Version == second.Version
	vouched := second.Status == 304 && !strings.HasPrefix(second.IfNoneMatch, `"`)
	if same != has(p.unchanged, "bytes") && !vouched || vouched && has(p.unchanged, "bytes") {
		t.Errorf("%s: %s, then %s, but unchanged are %v", url, first.Version, second.Version, p.unchanged)
	}
	if first.Page != websim.NoPage {
		for _, l := range []truth.Layer{truth.DOM, truth.Text, truth.LinkSet} {
			if vouched && l == truth.DOM {
				continue
			}
			if changed := web.Changed(first.Page, first.At, second.At, l); changed == has(p.unchanged, l.String()) {
				t.Errorf("%s: changed on layer %s is %v, but unchanged are %v", url, l, changed, p.unchanged)
			}
		}
	}
	switch {
	case vouched:
		return "vouched"
	case same:
		return "same"
	case has(p.unchanged, "text"):
		return "noise"
	}
	return "changed"
}
