package cli

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Commands that are killed at any time and started again come to the same end as without. What each leaves behind is compared:
// files byte for byte, or what a question answers.
func TestDrillKilledCommands(t *testing.T) {
	g := newGround(t, "tiny")
	g.must(g.crawl("arc", "--no-index")...)
	g.must("derive", "--archive", "arc")
	g.must("index", "--archive", "arc")
	warcs, err := filepath.Glob(filepath.Join(g.dir, "arc/collections/default/warc/*.gz"))
	if err != nil || len(warcs) != 1 {
		t.Fatal(warcs, err)
	}
	kills := 4
	if os.Getenv("VARVE_DRILL") != "" {
		kills = 40
	}
	for _, d := range []struct {
		name  string
		args  []string // OUT is where it writes
		state func(out string) string
	}{
		{"import", []string{"import", warcs[0], "--archive", "OUT"}, g.captures},
		{"index", []string{"index", "--rebuild", "--archive", "arc"}, func(string) string { return g.captures("arc") }},
		{"derive", []string{"derive", "--archive", "arc"}, func(string) string { return g.tree("arc/collections/default/derived") }},
		{"wacz export", []string{"wacz", "export", "OUT.wacz", warcs[0], "--created", "2026-01-01T00:00:00Z"}, func(out string) string { return g.tree(out + ".wacz") }},
		{"warc recompress", []string{"warc", "recompress", warcs[0], "-o", "OUT.warc.zst"}, func(out string) string { return g.tree(out + ".warc.zst") }},
		{"bag export", []string{"bag", "export", "--archive", "arc", "OUT"}, func(out string) string { return g.tree(filepath.Join(out, "data", "warc")) }},
		{"audit", []string{"audit", "--archive", "arc"}, func(string) string { return g.tree("arc/collections/default/manifest-sha256.txt") }},
	} {
		t.Run(d.name, func(t *testing.T) {
			g := &ground{t: t, dir: g.dir, seed: g.seed, resolve: g.resolve}
			begun := time.Now()
			g.must(put(d.args, "whole-"+d.name[:3])...)
			took := time.Since(begun)
			want := d.state("whole-" + d.name[:3])
			out := "killed-" + d.name[:3]
			for i := range kills {
				g.try(took*time.Duration(i+1)/time.Duration(kills+1), put(d.args, out)...)
			}
			if o := g.try(0, put(d.args, out)...); o.code != 0 && !strings.Contains(o.err, "exist") {
				t.Fatalf("after %d kills: exit %d\n%s%s", kills, o.code, o.out, o.err)
			}
			if got := d.state(out); got != want {
				t.Errorf("after %d kills:\n%s\nwithout:\n%s", kills, got, want)
			}
		})
	}
}

// What killed exports and derivations leave is gone after the next run: in the archive, beside the output and in the temporary folder.
func TestDrillKilledLeaveNothing(t *testing.T) {
	g := newGround(t, "tiny")
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	g.must(g.crawl("arc")...)
	warcs, err := filepath.Glob(filepath.Join(g.dir, "arc/collections/default/warc/*.gz"))
	if err != nil || len(warcs) != 1 {
		t.Fatal(warcs, err)
	}
	kills := 6
	if os.Getenv("VARVE_DRILL") != "" {
		kills = 40
	}
	found := 0
	for _, args := range [][]string{
		{"wacz", "export", "OUT.wacz", warcs[0]},
		{"derive", "--archive", "arc"},
	} {
		begun := time.Now()
		g.must(put(args, fmt.Sprint("whole", len(args)))...)
		took := time.Since(begun)
		for i := range kills {
			if args[0] == "derive" {
				if err := os.RemoveAll(filepath.Join(g.dir, "arc/collections/default/derived")); err != nil {
					t.Fatal(err)
				}
			}
			g.try(took*time.Duration(i+1)/time.Duration(kills+1), put(args, fmt.Sprint("killed", len(args)))...)
			found += len(temporary(t, g.dir, tmp))
		}
		if o := g.try(0, put(args, fmt.Sprint("last", len(args)))...); o.code != 0 {
			t.Fatalf("%q: exit %d\n%s%s", args, o.code, o.out, o.err)
		}
		for _, name := range temporary(t, g.dir, tmp) {
			t.Errorf("%q: left after the next run: %s", args[:2], name)
		}
	}
	t.Logf("%d kills; %d temporary files were seen after them, none after the next run", 2*kills, found)
}

// temporary lists what is in the temporary folder, and what is called like a temporary file below dir.
func temporary(t *testing.T, dir, tmp string) (out []string) {
	t.Helper()
	for _, top := range []string{dir, tmp} {
		err := filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
			name := filepath.Base(path)
			if err == nil && path != top && !strings.HasPrefix(name, "varve-polite-") &&
				(top == tmp && !strings.Contains(path, "varve-polite-") || strings.HasPrefix(name, ".varve-") || strings.Contains(name, ".new") || strings.HasPrefix(name, "tmp-") || strings.HasSuffix(name, ".tmp")) {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// put replaces OUT in arguments.
func put(args []string, out string) []string {
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = strings.Replace(a, "OUT", out, 1)
	}
	return list
}

// tree gives the digests of a file, or of all files in a folder; the dates in receipts of jobs are left out.
func (g *ground) tree(name string) string {
	var out strings.Builder
	for _, file := range files(g.t, filepath.Join(g.dir, name)) {
		if strings.HasSuffix(file, ".json") || strings.HasSuffix(file, ".jsonl") {
			continue // receipts and logs have times in them
		}
		b, err := os.ReadFile(file)
		if err != nil {
			g.t.Fatal(err)
		}
		rel, _ := filepath.Rel(filepath.Join(g.dir, name), file)
		fmt.Fprintf(&out, "%x %s\n", sha256.Sum256(b), rel)
	}
	return out.String()
}
