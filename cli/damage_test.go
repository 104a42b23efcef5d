package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whoever asks an index that is damaged is told so and gets the right answer from one that was built anew: no command has to be
// run in between.
func TestDamagedIndexIsTold(t *testing.T) {
	g := newGround(t, "tiny")
	g.must(g.crawl("arc")...)
	g.must("derive", "--archive", "arc")
	g.must("index", "--archive", "arc")
	questions := map[string][][]string{
		"temporal": {
			{"versions", g.seed, "--archive", "arc"},
			{"versions", "*.sim.test", "--archive", "arc", "--relation", "intersects", "--from", "1990", "--to", "2090", "--validity", "proven"},
			{"versions", "*.sim.test", "--archive", "arc", "--relation", "intersects", "--from", "1990", "--to", "2090", "--validity", "inferred"},
		},
		"fulltext": {
			{"search", "a", "--archive", "arc", "--facets", "host,lang", "--trend", "year"},
			{"search", "a", "--archive", "arc", "--export", "csv"},
		},
	}
	for name, list := range questions {
		var want []string
		for _, args := range list {
			o := g.try(0, args...)
			if o.code == 2 || o.err != "" {
				t.Fatalf("%v: exit %d: %s", args, o.code, o.err)
			}
			want = append(want, o.out)
		}
		seen := map[string]bool{}
		dir := filepath.Join(g.dir, "arc/collections/default/index", name)
		for file := nextKind(t, dir, seen); file != ""; file = nextKind(t, dir, seen) {
			damage(t, file)
			told := ""
			for i, args := range list {
				o := g.try(0, args...)
				if o.code == 2 {
					t.Fatalf("%s: %v: exit %d: %s", file, args, o.code, o.err)
				}
				if o.out != want[i] {
					t.Errorf("%s: %v answers\n%s\nand before\n%s", file, args, o.out, want[i])
				}
				told += o.err
			}
			if !strings.Contains(told, "damaged") || !strings.Contains(told, "built anew") {
				t.Errorf("%s is damaged, and nobody says so: %q", file, told)
			}
			if o := g.try(0, "index", "--check", "--archive", "arc"); o.code != 0 || strings.Contains(o.out, "mended") {
				t.Errorf("%s: what was built anew is not sound: exit %d: %s%s", file, o.code, o.out, o.err)
			}
		}
	}
}

// A damaged table is an error that says how to make it anew, and what it says does.
func TestDamagedTableIsTold(t *testing.T) {
	g := newGround(t, "tiny")
	g.must(g.crawl("arc")...)
	g.must("derive", "--archive", "arc", "--wet")
	g.must("index", "--archive", "arc")
	derived := filepath.Join(g.dir, "arc/collections/default/derived")
	for table, reader := range map[string][]string{
		"versions.parquet": {"index", "--archive", "arc"},
		"media.parquet":    {"media", "list", "--archive", "arc"},
		"pages/*.parquet":  {"derive", "--wet", "--archive", "arc"},
		"inlinks.parquet":  nil,
		"links/*.parquet":  nil,
		"hosts.parquet":    nil,
		"crawls.parquet":   nil,
		".state/*/*.run":   nil,
	} {
		found, err := filepath.Glob(filepath.Join(derived, table))
		if err != nil || len(found) == 0 {
			t.Fatal(table, found, err)
		}
		file := found[0]
		sound, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		damageAt(t, file, 100) // what is behind the pages is not read by all
		if reader != nil {
			if reader[0] == "derive" { // the lines that were written stay as long as the table is as it was
				wet, err := filepath.Glob(filepath.Join(derived, "wet/*"))
				if err != nil || len(wet) == 0 {
					t.Fatal(wet, err)
				}
				for _, w := range wet {
					if err := os.RemoveAll(w); err != nil {
						t.Fatal(err)
					}
				}
			}
			o := g.try(0, reader...)
			if reader[0] == "derive" { // what reads it is a job as well: it makes the table anew at once
				if now, err := os.ReadFile(file); o.code != 0 || !strings.Contains(o.out, "made anew") || err != nil || string(now) != string(sound) {
					t.Errorf("%s: %v: exit %d: %s%s %v", table, reader, o.code, o.out, o.err, err)
				}
				continue
			}
			if o.code != 2 || !strings.Contains(o.err, "damaged") || !strings.Contains(o.err, "varve derive --check") {
				t.Errorf("%s: %v: exit %d: %s", table, reader, o.code, o.err)
			}
		}
		if out := g.must("derive", "--check", "--archive", "arc"); !strings.Contains(out, "made anew") {
			t.Errorf("%s: derive --check says only %q", table, out)
		}
		if now, err := os.ReadFile(file); err != nil || string(now) != string(sound) {
			t.Errorf("%s is not what it was: %v", table, err)
		}
	}

	// A job that reads what another one made does not stop over it.
	links, err := filepath.Glob(filepath.Join(derived, "links/*.parquet"))
	if err != nil || len(links) == 0 {
		t.Fatal(links, err)
	}
	damageAt(t, links[0], 100)
	if err := os.RemoveAll(filepath.Join(derived, ".state/inlinks")); err != nil {
		t.Fatal(err)
	}
	if out := g.must("derive", "--archive", "arc"); !strings.Contains(out, "made anew") {
		t.Errorf("derive says only %q", out)
	}
}
