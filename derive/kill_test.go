package derive_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/entity/base"
	"varve/language"
)

// The environment that makes this test binary a process that derives and is killed.
const (
	killFilesEnv = "VARVE_TEST_DERIVE_FILES" // folder of the WARC files
	killDirEnv   = "VARVE_TEST_DERIVE_DIR"
)

func TestMain(m *testing.M) {
	if os.Getenv(mapperWorkerEnv) != "" {
		os.Exit(mapperWorker())
	}
	if dir := os.Getenv(killDirEnv); dir != "" {
		os.Exit(deriveUntilKilled(dir, os.Getenv(killFilesEnv)))
	}
	os.Exit(m.Run())
}

// deriveUntilKilled does what `varve derive` does to the files of a collection.
func deriveUntilKilled(dir, from string) int {
	paths, err := filepath.Glob(filepath.Join(from, "*.warc.gz"))
	if err != nil || len(paths) == 0 {
		fmt.Println("no files", err)
		return 2
	}
	var files []catalog.File
	for _, p := range paths {
		files = append(files, catalog.File{Name: filepath.Base(p), Path: p, Kind: catalog.KindWARC})
	}
	var o derive.Options
	o.More, o.Facets = annotate.Jobs(language.Units())
	o.More = append(o.More, annotate.PictureJobs()...)
	linker, err := annotate.OpenLinker(filepath.Join(from, base.FileName))
	if err != nil {
		fmt.Println(err)
		return 2
	}
	j, facets := linker.Job()
	o.More, o.Facets = append(o.More, j), append(o.Facets, facets)
	j, facets = annotate.TypesJob()
	o.More, o.Facets = append(o.More, j), append(o.Facets, facets)
	if j, facets, err = annotate.FactsJob(from); err != nil {
		fmt.Println(err)
		return 2
	}
	o.More, o.Facets = append(o.More, j), append(o.Facets, facets)
	if _, err := derive.Run(context.Background(), job.Config{Dir: dir, Memory: 64 << 10}, files, o); err != nil {
		fmt.Println(err)
		return 2
	}
	return 0
}

// deriver starts the process.
func deriver(t *testing.T, dir, from string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), killDirEnv+"="+dir, killFilesEnv+"="+from)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// Killed at any moment and started again, until it is through: the tables are the same to the byte. Each
// process gets a little more time than the one before, so that the kills fall into all of the work.
func TestKilled(t *testing.T) {
	rounds := 2
	if os.Getenv("VARVE_DRILL") != "" {
		rounds = 25
	}
	files := collection(t, 3, 12)
	from := filepath.Dir(files[0].Path)
	known := func(yield func([]byte, error) bool) {
		_ = yield([]byte("Q567\t2\tAngela Merkel\t1"), nil) && yield([]byte("Q64\t2\tBerlin\t1"), nil)
	}
	if _, err := base.Build(t.Context(), filepath.Join(from, base.FileName), known, base.Options{}); err != nil {
		t.Fatal(err)
	}
	relations := "relation reads_in\nsubject PER\nobject LOC\npattern during S read in O @?\n"
	if err := os.WriteFile(filepath.Join(from, annotate.RelationsFile), []byte(relations), 0o644); err != nil {
		t.Fatal(err)
	}
	whole := t.TempDir()
	start := time.Now()
	if err := deriver(t, whole, from).Wait(); err != nil {
		t.Fatal(err)
	}
	long := time.Since(start)
	want := tables(t, whole)
	if names := all[annotate.MentionRow](t, filepath.Join(whole, "mentions", files[0].Name+".parquet")); len(names) == 0 {
		t.Error("nothing was found in the texts")
	}
	if found := all[annotate.EntityRow](t, filepath.Join(whole, "entities", files[0].Name+".parquet")); len(found) == 0 || found[0].Entity != "Q567" {
		t.Errorf("entities: %+v", found)
	}
	if found := all[annotate.FactRow](t, filepath.Join(whole, "facts", files[0].Name+".parquet")); len(found) != 12 || found[0].Subject != "Angela Merkel" || found[0].Sentence != "Angela Merkel read it in Berlin." {
		t.Errorf("facts: %+v", found)
	}
	if found := all[annotate.PictureRow](t, filepath.Join(whole, "pictures", files[0].Name+".parquet")); len(found) != 1 || found[0].Print() == nil {
		t.Errorf("pictures: %+v", found)
	}
	if found := all[annotate.CaptionRow](t, filepath.Join(whole, "captions", files[0].Name+".parquet")); len(found) != 12 {
		t.Errorf("%d pictures on pages", len(found))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	killed := 0
	for r := range rounds {
		dir := t.TempDir()
		killed += killUntilDone(t, dir, from, long, rng)
		if bad, err := job.ReadFailures(dir); err != nil || len(bad) > 0 {
			t.Logf("round %d: the machine is so slow that %d items are suspected of the kills (%v)", r, len(bad), err)
			continue
		}
		got := tables(t, dir)
		if !maps.Equal(got, want) {
			t.Fatalf("round %d: tables %v, want %v; or their bytes differ", r, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
	}
	t.Logf("%d kills", killed)
	if killed == 0 {
		t.Error("no process was killed at work")
	}
}

// killUntilDone kills processes at random moments until one gets through; it tells how many were killed.
func killUntilDone(t *testing.T, dir, from string, long time.Duration, rng *rand.Rand) (killed int) {
	t.Helper()
	for try := 1; ; try++ {
		c := deriver(t, dir, from)
		done := make(chan error, 1)
		go func() { done <- c.Wait() }()
		patience := time.Duration(rng.Float64() * float64(long) * float64(1+try) / 4)
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return killed
		case <-time.After(patience):
			_ = c.Process.Kill()
			if err := <-done; err == nil {
				return killed // it was through
			}
			killed++
		}
	}
}
