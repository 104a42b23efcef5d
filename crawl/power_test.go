package crawl_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/warc"
	"varve/archive/warc/crashfs"
	"varve/crawl"
	"varve/websim/server"
)

// powerCuts is how often the power fails: in a test run, and in `make drill`.
func powerCuts() int {
	if os.Getenv("VARVE_DRILL") != "" {
		return 400
	}
	return 40
}

// grid is a machine whose disks lose power together: the WARC files refuse everything from some
// operation on, and at that moment the store of the frontier is what a crash would leave of it.
type grid struct {
	*crashfs.FS
	store *vfs.MemFS
	rng   *rand.Rand

	once  sync.Once
	saved *vfs.MemFS // of the store, at the cut
}

// cut takes what a crash leaves of the store. Nothing can be written to the WARC files any more, so
// what the frontier commits from now on is as if it had come before.
func (g *grid) cut() {
	g.once.Do(func() {
		g.saved = g.store.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: g.rng.IntN(101), RNG: g.rng})
	})
}

func (g *grid) note(err error) error {
	if errors.Is(err, crashfs.ErrPower) {
		g.cut()
	}
	return err
}

func (g *grid) Create(name string) (warc.Handle, error) {
	h, err := g.FS.Create(name)
	return gridFile{h, g}, g.note(err)
}

func (g *grid) Open(name string) (warc.Handle, error) {
	h, err := g.FS.Open(name)
	return gridFile{h, g}, g.note(err)
}

func (g *grid) Rename(from, to string) error { return g.note(g.FS.Rename(from, to)) }
func (g *grid) Remove(name string) error     { return g.note(g.FS.Remove(name)) }
func (g *grid) SyncDir(dir string) error     { return g.note(g.FS.SyncDir(dir)) }

func (g *grid) List(dir string) ([]string, error) {
	names, err := g.FS.List(dir)
	return names, g.note(err)
}

type gridFile struct {
	warc.Handle
	g *grid
}

func (f gridFile) Write(b []byte) (int, error) {
	n, err := f.Handle.Write(b)
	return n, f.g.note(err)
}

func (f gridFile) Sync() error               { return f.g.note(f.Handle.Sync()) }
func (f gridFile) Truncate(size int64) error { return f.g.note(f.Handle.Truncate(size)) }

// Power cuts at random moments of a crawl, each time with resume on what the disks kept: nothing is
// lost, nothing is there twice, the WARC files are sound, and the report says what is in them.
func TestPowerCuts(t *testing.T) {
	t.Parallel()
	s := simulateSpec(t, flatSite(t, 150), 9)
	want := wholeSite(t, s)
	rng := rand.New(rand.NewPCG(uint64(os.Getpid()), 17))
	for left, crawls := powerCuts(), 0; left > 0; crawls++ {
		cuts := crawlThroughCuts(t, s, want, rng, left)
		if cuts == 0 {
			t.Fatal("no cut came")
		}
		left -= cuts
		t.Logf("crawl %d: %d cuts", crawls, cuts)
	}
}

// crawlThroughCuts crawls the site until it is complete, and tells how often the power failed.
func crawlThroughCuts(t *testing.T, s *server.Server, want map[string]int, rng *rand.Rand, most int) int {
	t.Helper()
	e := newEngine(t, s, noDelay())
	dir := t.TempDir()
	store, files := vfs.NewCrashableMem(), crashfs.New()
	for cuts := 0; ; cuts++ {
		g := &grid{FS: files, store: store, rng: rng}
		if cuts < most {
			files.CutAfter(1 + rng.IntN(120))
		}
		place := crawl.Place{Dir: path.Join(dir, "crawl"), WarcDir: "/warc", Store: store, Files: g}
		if rep := crawlUntilCut(t, e, place, s.Seeds()); rep != nil {
			files.CutAfter(1 << 40) // it came too late
			checkSurvivors(t, files, want, rep)
			return cuts
		}
		g.cut()
		store, files = g.saved, files.Crash(rng)
	}
}

// crawlUntilCut gives the report of a crawl that came to its end, or nil.
func crawlUntilCut(t *testing.T, e *crawl.Engine, place crawl.Place, seeds []string) *crawl.Report {
	t.Helper()
	def := hostScope(seeds...)
	def.Workers, def.MaxWARC = 3, 30<<10
	run, err := e.StartIn(context.Background(), "cut", place, def, crawl.Options{})
	if errors.Is(err, crawl.ErrComplete) { // the cut came after the end
		rep, err := crawl.ReadReport(place.Dir)
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	if err == nil {
		var rep *crawl.Report
		if rep, err = run.Wait(); err == nil && rep.Complete {
			return rep
		}
		if err == nil {
			t.Fatalf("stopped without an error: %s", rep.Why)
		}
	}
	if !errors.Is(err, crashfs.ErrPower) {
		t.Fatalf("not the power: %v", err)
	}
	return nil
}

func checkSurvivors(t *testing.T, files *crashfs.FS, want map[string]int, rep *crawl.Report) {
	t.Helper()
	names, err := files.List("/warc")
	if err != nil {
		t.Fatal(err)
	}
	got, answers, bytes := map[string]int{}, int64(0), int64(0)
	for _, name := range names {
		if strings.HasSuffix(name, warc.OpenSuffix) {
			t.Errorf("%s was left open", name)
		}
		f, err := files.Open(path.Join("/warc", name))
		if err != nil {
			t.Fatal(err)
		}
		size, err := f.Size()
		if err != nil {
			t.Fatal(err)
		}
		readRecords(t, name, io.NewSectionReader(f, 0, size), func(rec *warc.Record) {
			if rec.Type() != warc.TypeResponse {
				return
			}
			answers++
			bytes += rec.Length()
			if !strings.HasSuffix(rec.TargetURI(), "/robots.txt") {
				got[rec.TargetURI()]++
			}
		})
		f.Close()
	}
	if !maps.Equal(got, want) {
		checkNothingLost(t, want, got)
	}
	if rep.URLs != answers || rep.Bytes != bytes || len(rep.Files) != len(names) {
		t.Errorf("the report says %d answers, %d bytes, %d files; there are %d, %d, %d",
			rep.URLs, rep.Bytes, len(rep.Files), answers, bytes, len(names))
	}
}
