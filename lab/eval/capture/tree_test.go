package capture

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// fakeProc is a folder in the form of /proc.
type fakeProc struct {
	t   *testing.T
	dir string
}

func (f fakeProc) set(pid, parent, start, ticks int, name string) {
	f.t.Helper()
	dir := filepath.Join(f.dir, strconv.Itoa(pid))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		f.t.Fatal(err)
	}
	line := strconv.Itoa(pid) + " (" + name + ") S " + strconv.Itoa(parent) + strings.Repeat(" 0", 9) + " " + strconv.Itoa(ticks) + " 5 0 0 20 0 1 0 " + strconv.Itoa(start) + " 0 0\n"
	if err := os.WriteFile(filepath.Join(dir, "stat"), []byte(line), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// Children are counted, also of names that look like fields, after their parents have ended; strangers are not, and a
// number that is used again is another process.
func TestTree(t *testing.T) {
	f := fakeProc{t, t.TempDir()}
	f.set(10, 1, 100, 20, "crawler")
	tr, err := newTree(f.dir, 10)
	if err != nil {
		t.Fatal(err)
	}
	f.set(11, 10, 101, 30, "chromium) S 1 (x")
	f.set(12, 11, 102, 40, "zygote")
	f.set(90, 1, 50, 1000, "stranger")
	scan := func() {
		t.Helper()
		if err := tr.scan(); err != nil {
			t.Fatal(err)
		}
	}
	want := func(ticks int) {
		t.Helper()
		if got := tr.total(); got != time.Duration(ticks)*10*time.Millisecond {
			t.Errorf("%v, want %d ticks", got, ticks)
		}
	}
	scan()
	want(20 + 30 + 40 + 15)
	if err := os.RemoveAll(filepath.Join(f.dir, "11")); err != nil {
		t.Fatal(err)
	}
	f.set(12, 1, 102, 60, "zygote") // its parent has ended
	f.set(13, 12, 103, 7, "renderer")
	scan()
	want(20 + 30 + 60 + 7 + 20)
	f.set(13, 1, 900, 500, "somebody else")
	scan()
	want(20 + 30 + 60 + 7 + 20)
}

// What /proc says of a real program and its children is what the system charges for them, but for the last ticks.
func TestRunWatched(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh on this machine")
	}
	c := exec.CommandContext(t.Context(), sh, "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; sleep 0.2'; sleep 0.1")
	cost, err := runWatched(c)
	if err != nil {
		t.Fatal(err)
	}
	charged := c.ProcessState.UserTime() + c.ProcessState.SystemTime() // children that were waited for are in it
	if diff := (charged - cost.CPU).Abs(); diff > charged/4+40*time.Millisecond {
		t.Errorf("%v by /proc, %v by the system", cost.CPU, charged)
	}
}
