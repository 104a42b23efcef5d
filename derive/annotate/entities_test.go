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

	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/entity/base"
	"varve/language"
)

// people is what a base knows, as lines of statements. There are two of the name Merkel, and one of the two is dead.
const people = `Q567	2	Angela Merkel	1
Q567	c	Merkel	9
Q567	5	1954-07-17	1
Q64	2	Berlin	1
Q76	2	Barack Obama	1
x:max	2	Max Merkel	1
x:max	c	Merkel	1
x:max	5	1918	1
x:max	6	2006	1
`

// linker makes a base of lines.
func linker(t *testing.T, path, lines string) *annotate.Linker {
	t.Helper()
	say := func(yield func([]byte, error) bool) {
		for line := range strings.Lines(lines) {
			if !yield([]byte(strings.TrimSpace(line)), nil) {
				return
			}
		}
	}
	if _, err := base.Build(t.Context(), path, say, base.Options{}); err != nil {
		t.Fatal(err)
	}
	l, err := annotate.OpenLinker(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func withEntities(l *annotate.Linker) (o derive.Options) {
	o.More, o.Facets = annotate.Jobs([]language.Unit{language.Mentions})
	j, facets := l.Job()
	o.More, o.Facets = append(o.More, j), append(o.Facets, facets)
	return o
}

// Each name stands in the table with what it means, the next best, or that the base has none; versions are found by the entity and by what it is called.
func TestEntities(t *testing.T) {
	in := files(t, []capture{
		{path: "/a", body: page("home", english)},
		{path: "/a", body: page("start", english)}, // the same version
		{path: "/b", body: page("home", german)},
	})
	l := linker(t, filepath.Join(t.TempDir(), base.FileName), people)
	dir := t.TempDir()
	run(t, job.Config{Dir: dir}, in, withEntities(l))
	mentions := all[annotate.MentionRow](t, filepath.Join(dir, "mentions", in[0].Name+".parquet"))
	rows := all[annotate.EntityRow](t, filepath.Join(dir, "entities", in[0].Name+".parquet"))
	if len(rows) != len(mentions) || len(rows) == 0 {
		t.Fatalf("%d rows of %d mentions", len(rows), len(mentions))
	}
	var got []string
	for i, r := range rows {
		if m := mentions[i]; r.Version != m.Version || r.Start != m.Start || r.End != m.End || r.Text != m.Text || r.Type != m.Type || !(r.Confidence > 0 && r.Confidence <= 1) {
			t.Errorf("%+v is not %+v", r, m)
		}
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s=%s %s, %s", r.Text, r.Entity, r.Label, r.RunnerUp)))
	}
	want := []string{"Angela Merkel=Q567 Angela Merkel,", "Barack Obama=Q76 Barack Obama,", "Berlin=Q64 Berlin,", "Merkel=Q567 Angela Merkel,", "Germany= ,", "European Union= ,"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	var values []string
	for _, v := range all[derive.VersionFacetRow](t, filepath.Join(dir, "facets.parquet")) {
		if v.Version == 0 && (v.Facet == annotate.EntityFacet || v.Facet == annotate.CalledFacet) {
			values = append(values, fmt.Sprintf("%s: %s %d", v.Facet, v.Value, v.Count))
		}
	}
	if want := []string{
		"entity: Angela Merkel [Q567] 2", "entity: Barack Obama [Q76] 1", "entity: Berlin [Q64] 1",
		"called: [Q567] Angela Merkel 1", "called: [Q567] Merkel 1", "called: [Q64] Berlin 1", "called: [Q76] Barack Obama 1",
	}; !slices.Equal(values, want) {
		t.Errorf("%q, want %q", values, want)
	}
}

// The same files and the same base give the same bytes, in this process or in workers; another base makes the tables anew.
func TestEntitiesAreTheSame(t *testing.T) {
	in := many(t)
	path := filepath.Join(t.TempDir(), base.FileName)
	l := linker(t, path, people)
	here, there := t.TempDir(), t.TempDir()
	run(t, job.Config{Dir: here, Cores: 1}, in, withEntities(l))
	o := withEntities(l)
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
	done := func(l *annotate.Linker) int {
		for _, j := range run(t, job.Config{Dir: here}, in, withEntities(l)).Jobs {
			if j.Job == annotate.Entities {
				return j.Done
			}
		}
		return -1
	}
	if n := done(l); n != 0 {
		t.Errorf("%d files again", n)
	}
	if n := done(linker(t, filepath.Join(t.TempDir(), base.FileName), people+"Q183	2	Germany	1\n")); n != len(in) {
		t.Errorf("%d files with another base", n)
	}
}

// A worker that finds another base than the process that started it says so.
func TestEntitiesReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), base.FileName)
	l := linker(t, path, people)
	config := fmt.Sprintf(`{"path":%q,"sum":%q}`, path, l.Base().Sum())
	if m, err := annotate.EntitiesMapper([]byte(config)); err != nil || m.Name != annotate.Entities {
		t.Fatal(err)
	}
	linker(t, path, people+"Q183	2	Germany	1\n")
	if _, err := annotate.EntitiesMapper([]byte(config)); err == nil || !strings.Contains(err.Error(), "replaced meanwhile") {
		t.Errorf("%v", err)
	}
}

func TestEntityValues(t *testing.T) {
	long := strings.Repeat("ä", 200)
	for _, c := range []struct{ id, label, want string }{
		{"Q567", "Angela Merkel", "Angela Merkel [Q567]"},
		{"enwiki:Mercury [x] (planet)", " Mercury  [x] ", "Mercury [x] [enwiki:Mercury [x] (planet)]"},
		{"Q1", long, strings.Repeat("ä", 46) + "… [Q1]"},
	} {
		value := annotate.EntityValue(c.id, c.label)
		if value != c.want || len(value) > 200 {
			t.Errorf("%q, want %q", value, c.want)
		}
	}
	for value, want := range map[string]string{"Angela Merkel [Q567]": "Q567 Angela Merkel true", "x": "  false", "A [b] [c d]": "c d A [b] true"} {
		id, label, ok := annotate.ParseEntityValue(value)
		if got := fmt.Sprint(id, " ", label, " ", ok); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
	if got := annotate.CalledValue("Q567", ""); got != "[Q567]" {
		t.Errorf("%q", got)
	}
}
