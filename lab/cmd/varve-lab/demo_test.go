package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// shownPage is an address that the demonstration tells to look at.
var shownPage = regexp.MustCompile(`(?m)^(?:  |Varve: )(http://\S+)$`)

// visitor looks at all pages when the last line is written, as a person would, and then presses Ctrl-C.
type visitor struct {
	t     *testing.T
	stop  context.CancelFunc
	text  bytes.Buffer
	pages int
}

func (v *visitor) Write(p []byte) (int, error) {
	v.text.Write(p)
	if strings.HasPrefix(string(p), "Varve: ") {
		go v.look(v.text.String())
	}
	return len(p), nil
}

func (v *visitor) look(text string) {
	defer v.stop()
	for _, m := range shownPage.FindAllStringSubmatch(text, -1) {
		r, err := http.Get(m[1])
		if err != nil {
			v.t.Error(err)
			return
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != http.StatusOK || len(body) == 0 {
			v.t.Errorf("%s: %s, %d bytes, %v", m[1], r.Status, len(body), err)
		}
		v.pages++
	}
}

// The demonstration goes through all its steps, serves what it says and ends cleanly; the archive that it leaves on demand
// answers the questions of the walk-throughs.
func TestDemo(t *testing.T) {
	guide := readWalkthroughs(t)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Chdir(t.TempDir())
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	v := &visitor{t: t, stop: stop}
	root := newCommand()
	root.SetArgs([]string{"demo", "--fast", "--keep", "demo-archive"})
	root.SetOut(v)
	root.SetErr(io.Discard)
	if err := root.ExecuteContext(ctx); err != nil {
		t.Fatalf("%v\n%s", err, v.text.String())
	}
	text := v.text.String()
	for _, want := range []string{
		"7 hosts", "2023-01-09: crawl what is due", "2024-09-23  in the newspaper: Wren wins the election", "2025-10-13  crawled public", ": valid", " revisited",
		"the statement holds", "  http://ministry.sim.test/law/tenancy-act.html\n", " versions\n", "seed-failed", "Made: ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %q", want)
		}
	}
	if lines := strings.Split(strings.TrimSpace(text), "\n"); !strings.HasPrefix(lines[len(lines)-1], "Varve: http://127.0.0.1:") {
		t.Errorf("the last line is %q", lines[len(lines)-1])
	}
	if v.pages != 10 {
		t.Errorf("%d pages were shown", v.pages)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if t.Failed() {
		t.Log(text)
	}
	t.Run("versions", func(t *testing.T) { sameAtEveryDoor(t, "demo-archive") })
	t.Run("walkthroughs", func(t *testing.T) { walkThrough(t, guide) })
}

// An interrupt in the middle ends it early, and leaves nothing behind either.
func TestDemoInterrupted(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	ctx, stop := context.WithCancel(context.Background())
	root := newCommand()
	root.SetArgs([]string{"demo", "--fast"})
	root.SetOut(writerFunc(func(p []byte) (int, error) {
		if bytes.Contains(p, []byte("crawled forum")) || bytes.HasPrefix(p, []byte("Varve: ")) {
			stop()
		}
		return len(p), nil
	}))
	root.SetErr(io.Discard)
	if err := root.ExecuteContext(ctx); err == nil {
		t.Error("it was not told that it ended early")
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
