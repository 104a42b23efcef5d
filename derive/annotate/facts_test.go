package annotate_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varve/archive/catalog"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/fact"
)

// Texts with facts; the second contradicts the first.
const (
	biography = "Diego Lopez is a player of football. Diego Lopez signed for Real Madrid in 2003. Diego Lopez married Victoria Adams in July 1999. They have three children and live in the house of her parents."
	gossip    = "Much was said about the player in those years, and not all of it is true. Diego Lopez married Paula Stone in 2001. The family never spoke about it in public, as far as we know."
)

// withFacts returns what derive makes for facts, with the relations of a folder.
func withFacts(t *testing.T, dir string) (o derive.Options) {
	t.Helper()
	o.More, o.Facets = annotate.Jobs(fact.Units())
	j, facets, err := annotate.FactsJob(dir)
	if err != nil {
		t.Fatal(err)
	}
	o.More, o.Facets = append(o.More, j), append(o.Facets, facets)
	return o
}

func factFiles(t *testing.T) []catalog.File {
	return files(t, []capture{
		{path: "/bio", body: page("home", biography)},
		{path: "/bio", body: page("start", biography)}, // the same version
		{path: "/gossip", body: page("home", gossip)},
		{path: "/german", body: page("home", german)},
	}, []capture{{path: "/copy", body: page("home", biography)}})
}

// What infoboxes, tables and lists say stands in the table, too, with its words and the place of the name; of two pages with one text and other rows, each has its own.
func TestFactsOfRows(t *testing.T) {
	box := func(year string) string {
		return `<!doctype html><html lang="en"><title>Diego Lopez - Lives</title><body><h1>Diego Lopez</h1><p>` + biography + `</p><p>` + biography + `</p><aside><table><tr><th>Spouse</th><td>Carla Weber (m. ` + year + `)</td></tr></table></aside>`
	}
	in, dir := files(t, []capture{{path: "/a", body: box("2012")}, {path: "/b", body: box("2013")}}), t.TempDir()
	run(t, job.Config{Dir: dir}, in, withFacts(t, t.TempDir()))
	var got []string
	for _, r := range all[annotate.FactRow](t, filepath.Join(dir, "facts", in[0].Name+".parquet")) {
		o, err := r.Observation()
		if err != nil {
			t.Fatal(err)
		}
		if r.Pattern == "infobox" {
			got = append(got, fmt.Sprintf("%s: %s %s %s %s %s | %s | %s", strings.TrimPrefix(r.URL, "http://news.test"), r.Subject, r.Relation, r.Object, r.Aspect, o.Time, r.Sentence, o.Evidence[0].Said))
		} else if o.Evidence[0].Said != "" {
			t.Errorf("a sentence is no row: %+v", r)
		}
	}
	want := []string{
		"/a: Carla Weber spouse Diego Lopez begin 2012 | Spouse: Carla Weber (m. 2012) | Spouse: Carla Weber (m. 2012)",
		"/b: Carla Weber spouse Diego Lopez begin 2013 | Spouse: Carla Weber (m. 2013) | Spouse: Carla Weber (m. 2013)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Each sentence that tells a fact stands in the table with its place, its time and its words, once for a version; versions are found by both names.
func TestFacts(t *testing.T) {
	in, dir := factFiles(t), t.TempDir()
	run(t, job.Config{Dir: dir}, in, withFacts(t, t.TempDir()))
	var got []string
	for _, r := range all[annotate.FactRow](t, filepath.Join(dir, "facts", in[0].Name+".parquet")) {
		o, err := r.Observation()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s: %s %s %s %s %s | %s", strings.TrimPrefix(r.URL, "http://news.example"), r.Subject, r.Relation, r.Object, r.Aspect, o.Time, r.Sentence))
		if r.Confidence < 0.5 || r.Confidence > 1 || int(r.End-r.Start) != len(r.Sentence) || r.Pattern == "" || r.State == "" {
			t.Errorf("%+v", r)
		}
	}
	want := []string{
		"/bio: Diego Lopez works_for_club Real Madrid begin 2003 | Diego Lopez signed for Real Madrid in 2003.",
		"/bio: Diego Lopez spouse Victoria Adams begin 1999-07 | Diego Lopez married Victoria Adams in July 1999.",
		"/gossip: Diego Lopez spouse Paula Stone begin 2001 | Diego Lopez married Paula Stone in 2001.",
	}
	for _, w := range want {
		if n := strings.Count(strings.Join(got, "\n"), w); n != 1 {
			t.Errorf("%d times %q in\n%s", n, w, strings.Join(got, "\n"))
		}
	}
	versions := map[string]int{}
	for _, v := range all[derive.VersionFacetRow](t, filepath.Join(dir, "facets.parquet")) {
		if f, ok := annotate.ParseFactValue(v.Value); v.Facet == annotate.FactFacet && ok && f.Relation == "spouse" {
			versions[fmt.Sprintf("%s %s %s %s", strings.SplitN(v.Value, " ", 3)[0], f.Object, f.Time, f.Aspect)]++
		}
	}
	if want := map[string]int{"Diego Victoria Adams 1999-07 begin": 2, "Victoria Victoria Adams 1999-07 begin": 2, "Diego Paula Stone 2001 begin": 1, "Paula Paula Stone 2001 begin": 1}; !maps.Equal(versions, want) {
		t.Errorf("%v, want %v", versions, want)
	}
}

// What several pages say weighs more than what one says, and what contradicts it stays as an alternative.
func TestToldFacts(t *testing.T) {
	in, dir, of := factFiles(t), t.TempDir(), t.TempDir()
	o := withFacts(t, of)
	run(t, job.Config{Dir: dir}, in, o)
	parts, err := derive.Parts(in)
	if err != nil {
		t.Fatal(err)
	}
	relations, err := annotate.RelationsOf(of)
	if err != nil {
		t.Fatal(err)
	}
	told := annotate.ToldFacts{Dir: dir, Parts: parts, Job: o.More[len(o.More)-1], Name: "Diego Lopez", Most: 1000}
	facts, report, err := told.Clean(t.Context(), relations)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(facts, func(f fact.Fact) bool { return f.Relation == "spouse" })
	if at < 0 || facts[at].Object != "Victoria Adams" || len(facts[at].Observations[0].Evidence) != 2 || facts[at].Confidence <= 0.75 {
		t.Errorf("%+v", facts)
	}
	// Nobody says that the first marriage ended, so the second can have come after it.
	if report.Rejected != 0 || told.Absent != 0 || told.Left != 0 {
		t.Errorf("%+v, %+v", report, told)
	}
	told = annotate.ToldFacts{Dir: dir, Parts: parts, Job: o.More[len(o.More)-1], Most: 1}
	if _, _, err := told.Clean(t.Context(), relations); err != nil || told.Left == 0 || told.Left >= told.Rows {
		t.Errorf("%+v: %v", told, err)
	}
}

// The same files give the same bytes, in this process or in workers; other relations make the table anew, and a worker has those of the process that started it.
func TestFactsAreTheSame(t *testing.T) {
	in, here, there, of := factFiles(t), t.TempDir(), t.TempDir(), t.TempDir()
	run(t, job.Config{Dir: here, Cores: 1}, in, withFacts(t, of))
	o := withFacts(t, of)
	for _, j := range o.More {
		j.Scan.Mapper.Trusted = nil
	}
	sum := run(t, job.Config{Dir: there, Cores: 2, Worker: func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), workerEnv+"=1")
		return c
	}}, in, o)
	if sum.Scan.Workers == 0 {
		t.Error("no worker was started")
	}
	if a, b := tables(t, here), tables(t, there); !maps.Equal(a, b) {
		t.Errorf("tables of this process %v, of workers %v; or their bytes differ", slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)))
	}
	if err := os.WriteFile(filepath.Join(of, annotate.RelationsFile), []byte("relation wed\npattern begin S marry O @in\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, job.Config{Dir: here}, in, withFacts(t, of))
	for _, r := range all[annotate.FactRow](t, filepath.Join(here, "facts", in[0].Name+".parquet")) {
		if r.Relation != "wed" {
			t.Errorf("%+v", r)
		}
	}
	if err := os.WriteFile(filepath.Join(of, annotate.RelationsFile), []byte("pattern begin S marry O @in\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := annotate.FactsJob(of); err == nil || !strings.Contains(err.Error(), "relations.txt, line 1") {
		t.Errorf("%v", err)
	}
}

func TestFactValues(t *testing.T) {
	when, err := fact.ParseTime("2003-07-02..2004-01-01")
	if err != nil {
		t.Fatal(err)
	}
	o := fact.Observation{Relation: "spouse", Subject: "Ann  Lee", Object: "Ben", Aspect: fact.End, Time: when, Confidence: 0.82}
	for inverse, want := range map[bool]string{false: "Ann Lee > spouse > Ben > end > 2003-07-02..2004-01-01 > 0.8", true: "Ben < spouse < Ann Lee < end < 2003-07-02..2004-01-01 < 0.8"} {
		got, ok := annotate.FactValue{Observation: o, Inverse: inverse}.Value()
		back, read := annotate.ParseFactValue(got)
		if got != want || !ok || !read || back.Subject != "Ann Lee" || back.Object != "Ben" || back.Time != when || back.Aspect != fact.End || back.Inverse != inverse || !strings.HasPrefix(got, annotate.FactPrefix(strings.SplitN(want, " >", 2)[0][:3], inverse)[:3]) {
			t.Errorf("%q, %+v", got, back)
		}
	}
	for _, o := range []fact.Observation{{Subject: "a > b", Object: "c"}, {Subject: "a", Object: strings.Repeat("c", 200)}, {Subject: "", Object: "c"}} {
		if got, ok := (annotate.FactValue{Observation: o}).Value(); ok {
			t.Errorf("%q", got)
		}
	}
	for _, bad := range []string{"", "a", "a > b > c", "a > b > c > never > 2003 > 0.8", "a > b > c > begin > x > 0.8", "a > b > c > begin > 2003 > y"} {
		if f, ok := annotate.ParseFactValue(bad); ok {
			t.Errorf("%q: %+v", bad, f)
		}
	}
}
