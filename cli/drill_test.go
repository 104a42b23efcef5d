package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"varve/clock"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// The drills run the real program against disks that are full, read-only or damaged, and kill it. Quick ones run with all
// tests; VARVE_DRILL=1 makes them long.

// ground is a simulated web and an archive for one drill.
type ground struct {
	t             *testing.T
	seed, resolve string
	dir           string
}

func newGround(t *testing.T, preset string) *ground {
	t.Helper()
	if testing.Short() {
		t.Skip("drills are not short")
	}
	spec, err := websim.Preset(preset)
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	// The web stands still, so that two crawls of it are the same.
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.NewVirtual(web.Epoch()), web.Epoch(), 0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return &ground{t: t, seed: s.Seeds()[0], resolve: s.Resolve()[0], dir: t.TempDir()}
}

// outcome is how a command ended.
type outcome struct {
	code     int
	out, err string
}

// try runs the program. A kill, if one is given, comes after that time.
func (g *ground) try(kill time.Duration, args ...string) outcome {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "varve", args...)
	cmd.Dir = g.dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		g.t.Fatal(err)
	}
	if kill > 0 {
		timer := time.AfterFunc(kill, func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
		defer timer.Stop()
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		g.t.Fatalf("varve %s: %v", strings.Join(args, " "), err)
	}
	return outcome{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// must runs the program and wants it to end well.
func (g *ground) must(args ...string) string {
	g.t.Helper()
	o := g.try(0, args...)
	if o.code != 0 {
		g.t.Fatalf("varve %s: exit %d\n%s%s", strings.Join(args, " "), o.code, o.out, o.err)
	}
	return o.out
}

func (g *ground) crawl(archive string, more ...string) []string {
	return append([]string{"crawl", g.seed, "--resolve", g.resolve, "--delay", "0", "--archive", archive, "--quiet"}, more...)
}

// captures lists what an archive holds: one line a capture, without where it lies.
func (g *ground) captures(archive string) string {
	g.t.Helper()
	return g.must("cdx", "sim.test", "--match", "domain", "--archive", archive, "--fl", "urlkey,statuscode,digest")
}

// mount makes a small file system of its own.
func mount(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no file system of our own can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// A disk that is full stops a crawl with a word about it; what was kept is sound, and with room the crawl goes on to the
// same end.
func TestDrillDiskFull(t *testing.T) {
	g := newGround(t, "tiny")
	disk := mount(t, "6m")
	archive := filepath.Join(disk, "arc")
	whole := filepath.Join(g.dir, "whole")
	g.must(g.crawl(whole)...)

	ballast := filepath.Join(disk, "ballast")
	fill(t, ballast, 100<<10)
	o := g.try(0, g.crawl(archive, "--min-disk", "0", "--no-index")...)
	if o.code == 0 || !strings.Contains(o.out+o.err, "no space left") {
		t.Fatalf("on a full disk: exit %d\n%s%s", o.code, o.out, o.err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	g.must("crawl", "--resume", "--resolve", g.resolve, "--delay", "0", "--archive", archive, "--quiet", "--min-disk", "0")
	g.must("index", "--archive", archive)
	if got, want := distinctLines(g.captures(archive)), distinctLines(g.captures(whole)); got != want {
		t.Errorf("after the disk was full:\n%s\nwithout:\n%s", got, want)
	}
	g.must("audit", "--archive", archive, "--deep")
}

// fill writes a file until so much room is left.
func fill(t *testing.T, path string, leave int64) {
	t.Helper()
	var s syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(path), &s); err != nil {
		t.Fatal(err)
	}
	room := int64(s.Bavail)*s.Bsize - leave
	if err := os.WriteFile(path, make([]byte, room), 0o644); err != nil {
		t.Fatal(err)
	}
}

// distinctLines gives the lines of a text once each, in their order.
func distinctLines(lines string) string {
	list := strings.Split(strings.TrimSpace(lines), "\n")
	seen := map[string]bool{}
	var out []string
	for _, l := range list {
		if !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

// On a disk that can only be read, everything that reads works, and what writes says why it cannot.
func TestDrillReadOnly(t *testing.T) {
	g := newGround(t, "tiny")
	disk := mount(t, "64m")
	archive := filepath.Join(disk, "arc")
	g.must(g.crawl(archive, "--min-disk", "0")...)
	g.must("derive", "--archive", archive)
	g.must("index", "--archive", archive)
	before := g.captures(archive)
	if err := syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("cannot be made read-only here: %v", err)
	}
	if g.captures(archive) != before {
		t.Error("other captures than before")
	}
	g.must("versions", g.seed, "--archive", archive)
	if o := g.try(0, "search", "the", "--archive", archive); o.code == 2 {
		t.Errorf("search: %s", o.err)
	}
	for _, args := range [][]string{
		g.crawl(archive), {"index", "--archive", archive}, {"derive", "--archive", archive}, {"audit", "--archive", archive},
	} {
		if o := g.try(0, args...); o.code != 2 || !strings.Contains(o.err, "read-only file system") {
			t.Errorf("%s: exit %d\n%s%s", args[0], o.code, o.out, o.err)
		}
	}
}

// Indexes that are damaged anywhere are noticed and built anew: the answers are what they were.
func TestDrillDamagedIndex(t *testing.T) {
	g := newGround(t, "tiny")
	g.must(g.crawl("arc")...)
	g.must("derive", "--archive", "arc")
	g.must("index", "--archive", "arc")
	captures, versions := g.captures("arc"), g.must("versions", g.seed, "--archive", "arc")
	words := g.must("search", "a", "--archive", "arc", "--json")
	seen := map[string]bool{}
	dir := filepath.Join(g.dir, "arc/collections/default/index")
	for file := nextKind(t, dir, seen); file != ""; file = nextKind(t, dir, seen) {
		damage(t, file)
		name, _ := filepath.Rel(g.dir, file)
		if o := g.try(0, "index", "--check", "--archive", "arc"); o.code == 2 {
			t.Errorf("%s: exit %d: %s", name, o.code, o.err)
			continue
		}
		if g.captures("arc") != captures || g.must("versions", g.seed, "--archive", "arc") != versions {
			t.Errorf("after damage in %s other answers than before", name)
		}
		if got := g.must("search", "a", "--archive", "arc", "--json"); withoutTimes(got) != withoutTimes(words) {
			t.Errorf("after damage in %s another search result:\n%s\n%s", name, got, words)
		}
	}
}

// nextKind gives a file of a kind that was not seen yet; files of one kind differ in the numbers of their names.
func nextKind(t *testing.T, dir string, seen map[string]bool) string {
	t.Helper()
	for _, file := range files(t, dir) {
		kind := strings.Map(func(r rune) rune {
			if strings.ContainsRune("0123456789abcdef", r) {
				return '#'
			}
			return r
		}, file)
		if !seen[kind] {
			seen[kind] = true
			return file
		}
	}
	return ""
}

// withoutTimes drops the lines of a result that tell how long it took.
func withoutTimes(s string) string {
	var out []string
	for l := range strings.Lines(s) {
		if !strings.Contains(l, `"took`) && !strings.Contains(l, `"seconds`) {
			out = append(out, l)
		}
	}
	return strings.Join(out, "")
}

func files(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// damage turns bytes in the middle of a file over.
func damage(t *testing.T, file string) {
	t.Helper()
	st, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	damageAt(t, file, int(st.Size()/2))
}

func damageAt(t *testing.T, file string, at int) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := at; i < min(len(b), at+16); i++ {
		b[i] ^= 0xff
	}
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// A damaged WARC file costs the damaged record; everything else is indexed, derived and told.
func TestDrillDamagedWARC(t *testing.T) {
	g := newGround(t, "tiny")
	g.must(g.crawl("arc")...)
	all := strings.Count(g.captures("arc"), "\n")
	warcs, err := filepath.Glob(filepath.Join(g.dir, "arc/collections/default/warc/*.gz"))
	if err != nil || len(warcs) != 1 {
		t.Fatal(warcs, err)
	}
	damage(t, warcs[0])
	if o := g.try(0, "audit", "--archive", "arc"); o.code != 1 || !strings.Contains(o.out, "changed") {
		t.Errorf("audit: exit %d: %s", o.code, o.out)
	}
	if o := g.try(0, "index", "--rebuild", "--archive", "arc"); o.code == 2 {
		t.Errorf("index: exit %d: %s", o.code, o.err)
	}
	if o := g.try(0, "derive", "--archive", "arc"); o.code == 2 {
		t.Errorf("derive: exit %d: %s", o.code, o.err)
	}
	if n := strings.Count(g.captures("arc"), "\n"); n < all-3 || n > all {
		t.Errorf("%d captures of %d are left", n, all)
	}
}
