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

	"varve/lab/chance"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/warc"
	"varve/archive/warc/crashfs"
	"varve/coherence"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/stages"
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
	rng := chance.Rand(t, 17)
	for left, crawls := powerCuts(), 0; left > 0; crawls++ {
		c := cutCrawl{def: hostScope(s.Seeds()...), rng: rng}
		c.run(t, newEngine(t, s, noDelay()), left)
		if c.cuts == 0 {
			t.Fatal("no cut came")
		}
		checkSurvivors(t, c.files, want, c.report)
		left -= c.cuts
		t.Logf("crawl %d: %d cuts", crawls, c.cuts)
	}
}

// The same for crawls that visit their pages again: each page is visited once and revisited once, whenever the
// power fails, and the revisit says of which visit it is.
func TestPowerCutsInRevisits(t *testing.T) {
	t.Parallel()
	const pages = 60
	s := simulateSpec(t, flatSite(t, pages), 9)
	rng := chance.Rand(t, 18)
	kinds := []coherence.RevisitKind{coherence.Plan, coherence.LIFO, coherence.FIFO}
	late := 0
	for left, crawls := powerCuts()/2, 0; left > 0; crawls++ {
		c := cutCrawl{def: hostScope(s.Seeds()...), rng: rng}
		c.def.Revisit = kinds[crawls%len(kinds)]
		c.run(t, newEngine(t, s, noDelay()), left)
		checkLooks(t, c.files, pages)
		if g := c.report.Groups; len(g) != 1 || g[0].Visited != pages || g[0].Revisited != pages || g[0].Unchanged["bytes"] != pages {
			t.Errorf("groups %+v", g)
		}
		left -= max(1, c.cuts)
		late += c.late
		t.Logf("crawl %d (%s): %d cuts, %d after revisits had begun", crawls, c.def.Revisit, c.cuts, c.late)
	}
	if late == 0 {
		t.Error("no cut came in the revisits: the test tests nothing")
	}
}

// checkLooks tells whether each page was looked at twice, by records that the crash left.
func checkLooks(t *testing.T, files *crashfs.FS, pages int) {
	t.Helper()
	l := lookList{byID: map[string]int{}}
	eachSurvivor(t, files, func(rec *warc.Record) { l.add(t, rec) })
	var first, second []string
	visits := map[string]string{} // URL by the id of its visit
	for _, v := range l.looks {
		switch {
		case v.broken:
		case v.pass == "visit":
			first = append(first, v.url)
			visits[v.id] = v.url
		case v.pass == "revisit" && v.status != "":
			second = append(second, v.url)
			if visits[v.visit] != v.url {
				t.Errorf("the revisit of %s is of the visit %q", v.url, v.visit)
			}
		}
	}
	checkOnce(t, "visited", first)
	checkOnce(t, "revisited", second)
	if len(first) != pages || len(second) != pages {
		t.Errorf("%d visits, %d revisits of %d pages", len(first), len(second), pages)
	}
}

// cutCrawl is a crawl that is resumed after each power cut until it is complete.
type cutCrawl struct {
	def crawl.Definition
	rng *rand.Rand

	files  *crashfs.FS
	report *crawl.Report
	cuts   int // how often the power failed
	late   int // of these, when there were revisits already
}

// run crawls through at most that many cuts.
func (c *cutCrawl) run(t *testing.T, e *crawl.Engine, most int) {
	t.Helper()
	c.def.Workers, c.def.MaxWARC = 3, 30<<10
	dir := t.TempDir()
	store := vfs.NewCrashableMem()
	for c.files = crashfs.New(); ; c.cuts++ {
		g := &grid{FS: c.files, store: store, rng: c.rng}
		if c.cuts < most {
			c.files.CutAfter(1 + c.rng.IntN(120))
		}
		place := crawl.Place{Dir: path.Join(dir, "crawl"), WarcDir: "/warc", Store: store, Files: g}
		if c.report = crawlUntilCut(t, e, place, c.def); c.report != nil {
			c.files.CutAfter(1 << 40) // it came too late
			return
		}
		g.cut()
		store, c.files = g.saved, c.files.Crash(c.rng)
		if c.def.Revisit != "" && hasRevisits(t, c.files) {
			c.late++
		}
	}
}

// hasRevisits tells whether a crash left the records of a second look, in files that may be torn.
func hasRevisits(t *testing.T, files *crashfs.FS) (yes bool) {
	t.Helper()
	names, err := files.List("/warc")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		f, err := files.Open(path.Join("/warc", name))
		if err != nil {
			t.Fatal(err)
		}
		size, err := f.Size()
		if err != nil {
			t.Fatal(err)
		}
		r, err := warc.NewReader(io.NewSectionReader(f, 0, size), warc.Options{Policy: warc.Silent()})
		for err == nil {
			var rec *warc.Record
			if rec, err = r.Next(); err == nil && rec.Type() == warc.TypeMetadata {
				var l look
				l.read(rec)
				yes = yes || l.pass == "revisit"
			}
		}
		f.Close()
	}
	return yes
}

// crawlUntilCut gives the report of a crawl that came to its end, or nil.
func crawlUntilCut(t *testing.T, e *crawl.Engine, place crawl.Place, def crawl.Definition) *crawl.Report {
	t.Helper()
	run, err := e.StartIn(context.Background(), "cut", place, def, crawl.Options{Stages: stages.Set{}.Of})
	if errors.Is(err, crawl.ErrComplete) { // the cut came after the end
		rep, err := crawl.ReadReport(place.Dir)
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	if err == nil {
		var rep *crawl.Report
		if rep, err = run.Wait(); err == nil && rep.Finished {
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

// eachSurvivor reads all WARC files that a crash left, strictly.
func eachSurvivor(t *testing.T, files *crashfs.FS, do func(*warc.Record)) (names []string) {
	t.Helper()
	names, err := files.List("/warc")
	if err != nil {
		t.Fatal(err)
	}
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
		readRecords(t, name, io.NewSectionReader(f, 0, size), do)
		f.Close()
	}
	return names
}

// brokenOff reports whether a record is of an answer that broke off: the page is asked for again, and recorded again.
func brokenOff(rec *warc.Record) bool {
	return rec.Header.Get(warc.FieldTruncated) == string(fetch.TruncatedBroken)
}

// checkSurvivors reports pages that are not there once as a whole, and a report that says other than what is there.
func checkSurvivors(t *testing.T, files *crashfs.FS, want map[string]int, rep *crawl.Report) {
	t.Helper()
	got, answers, bytes := map[string]int{}, int64(0), int64(0)
	names := eachSurvivor(t, files, func(rec *warc.Record) {
		if rec.Type() != warc.TypeResponse {
			return
		}
		answers++
		bytes += rec.Length()
		if !strings.HasSuffix(rec.TargetURI(), "/robots.txt") && !brokenOff(rec) {
			if got[rec.TargetURI()]++; got[rec.TargetURI()] > 1 {
				t.Logf("there again: %s", rec.Header)
			}
		}
	})
	if !maps.Equal(got, want) {
		checkNothingLost(t, want, got)
	}
	if rep.URLs != answers || rep.Bytes != bytes || len(rep.Files) != len(names) {
		t.Errorf("the report says %d answers, %d bytes, %d files; there are %d, %d, %d",
			rep.URLs, rep.Bytes, len(rep.Files), answers, bytes, len(names))
	}
}
