package annotate_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"varve/crawl/webapp"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
)

// thread is a page of phpBB with posts, each by its own author; lines are numbers and texts.
func thread(posts ...string) string {
	var b strings.Builder
	b.WriteString(`<html><body id="phpbb" class="section-viewtopic">`)
	for _, p := range posts {
		id, text, _ := strings.Cut(p, " ")
		fmt.Fprintf(&b, `<div class="post" id="p%s"><p class="author">by <span class="username">user %s</span> <time datetime="2024-01-0%sT10:00:00+00:00"></time></p><div class="content">%s</div></div>`, id, id, id, text)
	}
	return b.String() + `<p class="copyright"><a href="https://www.phpbb.com/">phpBB</a></p></body></html>`
}

// restyled is the same in another template.
func restyled(posts ...string) string {
	s := strings.NewReplacer(`class="post" id="p`, `class="message" id="m-`, `class="author"`, `class="line"`, `class="username"`, `class="name"`, `class="content"`, `class="words"`)
	return s.Replace(thread(posts...))
}

// Posts become rows, those of every capture that is no revisit: one was edited, and one deleted. Pages of no application have none. In
// workers all is the same, to the byte.
func TestObjects(t *testing.T) {
	in := files(t, []capture{
		{path: "/viewtopic.php?t=1", body: thread("1 First words.", "2 Second words.")},
		{path: "/", body: page("home", english)},
		{path: "/viewtopic.php?t=1", body: thread("1 First words, edited.")},
		{path: "/viewtopic.php?t=1", revisit: true},
	})
	dir, there, col := t.TempDir(), t.TempDir(), t.TempDir()
	options := func() derive.Options {
		j, facets, err := annotate.ObjectsJob(col)
		if err != nil {
			t.Fatal(err)
		}
		return derive.Options{More: []job.Job{j}, Facets: []derive.FacetTable{facets}}
	}
	o := options()
	run(t, job.Config{Dir: dir, Cores: 1}, in, o)
	var got []string
	for _, r := range all[annotate.ObjectRow](t, filepath.Join(dir, "objects", in[0].Name+".parquet")) {
		got = append(got, fmt.Sprintf("%s %s %s %s %d %s: %s at %s: %s", r.Time.Format("15:04"), r.Application, r.Level, r.Type, r.Number, r.ID, r.Author, r.Written.Format("2006-01-02"), r.Text))
	}
	want := []string{
		"00:00 phpBB thread post 0 1: user 1 at 2024-01-01: First words.",
		"00:00 phpBB thread post 1 2: user 2 at 2024-01-02: Second words.",
		"00:02 phpBB thread post 0 1: user 1 at 2024-01-01: First words, edited.",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	parts, err := derive.Parts(in)
	if err != nil {
		t.Fatal(err)
	}
	if seen, err := annotate.CountObjects(dir, parts, o.More); err != nil || seen.Objects != 3 || seen.Applications["phpBB"] != 3 {
		t.Errorf("%+v, %v", seen, err)
	}
	run(t, job.Config{Dir: there, Worker: func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), workerEnv+"=1")
		return c
	}}, in, o)
	if a, b := tables(t, dir), tables(t, there); fmt.Sprint(a) != fmt.Sprint(b) {
		t.Error("other tables in workers")
	}

	// A file of the collection that cannot be read is told with its line.
	if err := os.Mkdir(filepath.Join(col, annotate.WebappFolder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(col, annotate.WebappFolder, "bad.toml"), []byte("version = 1\nname = 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := annotate.ObjectsJob(col); err == nil || !strings.Contains(err.Error(), "webapp/bad.toml, line 2") {
		t.Errorf("%v", err)
	}
}

// After a template change, what was known is found again, and the learned file reads old and new captures.
func TestObjectsAfterTemplateChange(t *testing.T) {
	var old, now []capture
	for i := range 4 {
		posts := []string{fmt.Sprintf("%d The words of topic %d begin.", 2*i+1, i), fmt.Sprintf("%d And topic %d goes on with more of them.", 2*i+2, i)}
		path := fmt.Sprintf("/viewtopic.php?t=%d", i)
		old, now = append(old, capture{path: path, body: thread(posts...)}), append(now, capture{path: path, body: restyled(posts...)})
	}
	in := files(t, old, now)
	dir, col := t.TempDir(), t.TempDir()
	derived := func() int {
		j, facets, err := annotate.ObjectsJob(col)
		if err != nil {
			t.Fatal(err)
		}
		run(t, job.Config{Dir: dir}, in, derive.Options{More: []job.Job{j}, Facets: []derive.FacetTable{facets}})
		return len(all[annotate.ObjectRow](t, filepath.Join(dir, "objects", in[1].Name+".parquet")))
	}
	if n := derived(); n != 0 {
		t.Fatalf("%d objects in the new template already", n)
	}
	parts, err := derive.Parts(in)
	if err != nil {
		t.Fatal(err)
	}
	k, err := annotate.ReadKnowledge(col)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := annotate.FindChanged(t.Context(), col, dir, parts, k)
	if err != nil || changed.Changed != 4 || len(changed.Samples["phpBB"]) != 4 {
		t.Fatalf("%+v, %v", changed, err)
	}
	var learned []*webapp.Extraction
	for _, l := range webapp.Relearn(changed.Samples["phpBB"]) {
		if l.Learned != nil {
			learned = append(learned, l.Learned)
		}
	}
	variant, err := k.Named("phpBB").Variant(learned, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(col, annotate.WebappFolder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(col, annotate.WebappFolder, "phpbb.toml"), variant.Source(), 0o644); err != nil {
		t.Fatal(err)
	}
	if n := derived(); n != 8 {
		t.Errorf("%d objects after learning, want 8; learned:\n%s", n, webapp.AppendExtractions(nil, learned))
	}
	if rows := all[annotate.ObjectRow](t, filepath.Join(dir, "objects", in[0].Name+".parquet")); len(rows) != 8 || rows[0].ID != "1" {
		t.Errorf("%d objects in the old template: %+v", len(rows), rows)
	}
}

// Pages of a known application of which nothing is read are found, but not those that are read, that have nothing to read, or whose application
// is learned otherwise.
func TestUnread(t *testing.T) {
	var list []capture
	for i := range 4 {
		list = append(list, capture{path: fmt.Sprintf("/viewtopic.php?t=%d", i), body: restyled("1 Words of a topic.", "2 More of them.")})
	}
	list = append(list,
		capture{path: "/viewtopic.php?t=0", body: restyled("1 The same page once more.")},
		capture{path: "/viewtopic.php?t=9", body: thread("7 A topic in the template that is known.")},
		capture{path: "/viewforum.php?f=1", body: strings.ReplaceAll(restyled("8 A list."), "section-viewtopic", "section-viewforum")},
		capture{path: "/about", body: "<p>A page of nobody."})
	in := files(t, list)
	dir := t.TempDir()
	run(t, job.Config{Dir: dir}, in, derive.Options{})
	parts, err := derive.Parts(in)
	if err != nil {
		t.Fatal(err)
	}
	for without, want := range map[string]int{"": 4, "WordPress": 4, "phpBB": 0} {
		got, err := annotate.FindUnread(t.Context(), dir, parts, webapp.Default(), map[string][]webapp.Sample{without: {{}}})
		if err != nil || len(got.Samples["phpBB"]) != want || len(got.Samples) > 1 || got.Looked != 7 {
			t.Errorf("without %q: %d pages looked at, %d unread, %d kinds (%v)", without, got.Looked, len(got.Samples["phpBB"]), len(got.Samples), err)
		}
	}
}
