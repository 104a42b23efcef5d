package warc_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/lab/chance"

	"varve"
	"varve/archive/warc"
	"varve/archive/warc/crashfs"
)

// 500 power cuts on a file system that drops what was not synced: nothing acknowledged is lost,
// and after recovery the files are sound.
func TestPowerCuts(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	for trial := range 500 {
		disk := crashfs.New()
		disk.CutAfter(1 + rng.IntN(120))
		acknowledged := writeUntilCut(t, disk, trial)
		after := disk.Crash(rng)
		if trial%3 == 0 { // the power fails again while recovering
			after.CutAfter(1 + rng.IntN(12))
			_, _ = warc.Recover(after, "w", nil, nil)
			after = after.Crash(rng)
		}
		if _, err := warc.Recover(after, "w", nil, nil); err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		got := readCrashed(t, after)
		for id, at := range acknowledged {
			if got[id] != at {
				t.Fatalf("trial %d: %s was acknowledged at %v and is now at %v", trial, id, at, got[id])
			}
		}
	}
}

// writeUntilCut writes from three goroutines until the power goes and gives what was acknowledged.
func writeUntilCut(t *testing.T, disk *crashfs.FS, trial int) map[string]varve.Location {
	t.Helper()
	acknowledged := map[string]varve.Location{}
	w, err := warc.NewWriter(warc.WriterConfig{Dir: "w", FS: disk, Name: numbered, Info: info, MaxSize: 6000})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for worker := range 3 {
		wg.Go(func() {
			for i := worker; ; i += 3 {
				at, err := w.Write(group(trial*1000 + i)...)
				if err != nil {
					return
				}
				mu.Lock()
				acknowledged[fmt.Sprintf("<urn:res:%d>", trial*1000+i)] = at[0]
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return acknowledged
}

func readCrashed(t *testing.T, disk *crashfs.FS) map[string]varve.Location {
	t.Helper()
	out := map[string]varve.Location{}
	names, err := disk.List("w")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, warc.OpenSuffix) {
			t.Fatalf("%s is still open after recovery", name)
		}
		f, err := disk.Open(path.Join("w", name))
		if err != nil {
			t.Fatal(err)
		}
		size, _ := f.Size()
		addIDs(t, out, io.NewSectionReader(f, 0, size), name)
	}
	return out
}

// killsEnv makes this test binary a writer that another process kills.
const killDirEnv = "VARVE_TEST_KILL_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killDirEnv); dir != "" {
		writeForEver(dir)
		return
	}
	os.Exit(m.Run())
}

// writeForEver writes from four goroutines and prints each acknowledged record.
func writeForEver(dir string) {
	start, _ := strconv.Atoi(os.Getenv("VARVE_TEST_KILL_START"))
	w, err := warc.NewWriter(warc.WriterConfig{
		Dir: dir, Info: info, MaxSize: 40_000,
		Name: func(n int) string { return fmt.Sprintf("kill-%d-%05d", start, n) },
	})
	if err != nil {
		fmt.Println("error", err)
		return
	}
	var mu sync.Mutex
	for worker := range 4 {
		go func() {
			for i := start + worker; ; i += 4 {
				at, err := w.Write(group(i)...)
				if err != nil {
					fmt.Println("error", err)
					os.Exit(2)
				}
				mu.Lock()
				fmt.Printf("ack <urn:res:%d> %s %d %d\n", i, at[0].File, at[0].Offset, at[0].Length)
				mu.Unlock()
			}
		}()
	}
	time.Sleep(time.Minute) // the parent kills this process long before
}

// kills tells how often the writer is killed: 20 times in a test run, more in `make drill`.
func kills(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("VARVE_KILLS"))
	if err != nil {
		return 20
	}
	return n
}

// SIGKILL at random moments, again and again in one directory: every acknowledged record is
// readable where it was said to be, and nothing is found but the cut tail.
func TestKilledWriter(t *testing.T) {
	dir := t.TempDir()
	rng := chance.Rand(t, 53)
	acknowledged := map[string]varve.Location{}
	torn := 0
	for k := range kills(t) {
		killOnce(t, dir, k*100_000, rng, acknowledged)
		cuts, err := warc.Recover(warc.Disk{}, dir, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cuts {
			if c.Lost > 0 {
				torn++
			}
		}
	}
	got := readIDs(t, dir)
	for id, at := range acknowledged {
		if got[id] != at {
			t.Fatalf("%s was acknowledged at %v and is at %v", id, at, got[id])
		}
	}
	t.Logf("%d records acknowledged, %d torn tails cut", len(acknowledged), torn)
	if len(acknowledged) == 0 {
		t.Error("nothing was acknowledged")
	}
}

// killOnce starts a writer, reads its acknowledgements up to a random number, and kills it.
func killOnce(t *testing.T, dir string, start int, rng *rand.Rand, acknowledged map[string]varve.Location) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), killDirEnv+"="+dir, fmt.Sprintf("VARVE_TEST_KILL_START=%d", start))
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for left := rng.IntN(150); lines.Scan(); left-- {
		if strings.HasPrefix(lines.Text(), "error") {
			t.Fatal(lines.Text())
		}
		note(t, lines.Text(), acknowledged)
		if left == 0 {
			_ = c.Process.Kill()
		}
	}
	var exit *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
}

// note takes an acknowledgement; a line that the kill cut is none.
func note(t *testing.T, line string, acknowledged map[string]varve.Location) {
	t.Helper()
	var id, file string
	var offset, length int64
	if n, err := fmt.Sscanf(line+"$", "ack %s %s %d %d$", &id, &file, &offset, &length); err == nil && n == 4 {
		acknowledged[id] = varve.Location{File: file, Offset: offset, Length: length}
	}
}
