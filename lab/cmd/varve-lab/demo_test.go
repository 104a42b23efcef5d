package main

import (
	"bytes"
	"context"
	"errors"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"varve"
	"varve/clock"
	"varve/lab/websim/country"
)

// shownPage is an address that the demonstration tells to look at.
var shownPage = regexp.MustCompile(`(?m)^(?:  |Varve: )(http://\S+)$`)

// visitor looks at all pages when the last line is written, as a person would, and then presses Ctrl-C.
type visitor struct {
	t     *testing.T
	stop  context.CancelFunc
	text  bytes.Buffer
	pages int
	stops int // of the guided tour
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
	v.walk(strings.TrimSpace(text[strings.LastIndex(text, "Varve: ")+len("Varve: "):]))
	v.grades()
}

// grades looks whether all captures are graded: their colours are what the tour is about.
func (v *visitor) grades() {
	for _, name := range []string{"news", "forum", "wiki"} {
		all, err := filepath.Glob("demo-archive/collections/" + name + "/crawls/*/definition.json")
		graded, err2 := filepath.Glob("demo-archive/collections/" + name + "/crawls/*/coherence.json")
		if err := errors.Join(err, err2); err != nil || len(all) == 0 || len(graded) != len(all) {
			v.t.Errorf("%s: %d of %d crawls are graded, %v", name, len(graded), len(all), err)
		}
	}
}

var nextStop = regexp.MustCompile(`href="([^"]*)" rel="next"`)

// walk takes the guided tour from the first page to its last stop.
func (v *visitor) walk(at string) {
	base := strings.TrimSuffix(at, "/")
	at += "?tour=1"
	for at != "" && v.stops < 100 {
		r, err := http.Get(at)
		if err != nil {
			v.t.Error(err)
			return
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || r.StatusCode != http.StatusOK || !bytes.Contains(body, []byte(`id="tour"`)) {
			v.t.Errorf("stop %s of the tour: %s, %v", at, r.Status, err)
		}
		v.stops++
		at = ""
		if next := nextStop.FindSubmatch(body); next != nil {
			at = base + html.UnescapeString(string(next[1]))
		}
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
		"8 hosts", "2023-01-09: crawl what is due", "2024-09-23  in the newspaper: Wren wins the election", "2025-10-14  crawled public", ": valid", " revisited",
		"the statement holds", "  http://ministry.sim.test/law/tenancy-act.html\n", " versions\n", "seed-failed", "Made: ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %q", want)
		}
	}
	if lines := strings.Split(strings.TrimSpace(text), "\n"); !strings.HasPrefix(lines[len(lines)-1], "Varve: http://127.0.0.1:") {
		t.Errorf("the last line is %q", lines[len(lines)-1])
	}
	if v.pages != 10 || v.stops != 21 {
		t.Errorf("%d pages were shown, %d stops of the tour", v.pages, v.stops)
	}
	left, err := os.ReadDir(tmp)
	left = slices.DeleteFunc(left, func(e os.DirEntry) bool { // of Chromium itself, and the leases of hosts that all crawls of a machine share
		return strings.HasPrefix(e.Name(), "org.chromium.") || strings.HasPrefix(e.Name(), "pulse-") || strings.HasPrefix(e.Name(), "varve-polite-")
	})
	if err != nil || len(left) > 0 {
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

// Whichever host of the demonstration's web is the last to answer, and whatever it says or does then: the demonstration goes
// on, since nothing moves its time but its own clock. With a clock that is simulated for the time of day and real for timers
// each of these stood still for half an hour and more.
func TestDemoHostsInTurn(t *testing.T) {
	s := demoScript(true)
	s.scale = 0.05
	troubles := map[string]http.HandlerFunc{
		"503": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) },
		"503, retry-after": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "1800")
			w.WriteHeader(503)
		},
		"429, retry-after": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "1800")
			w.WriteHeader(429)
		},
		"pages fail": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				w.WriteHeader(404)
				return
			}
			panic(http.ErrAbortHandler)
		},
		"all fails": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	}
	for _, last := range []string{country.News, country.Forum, country.Ministry, country.Uni, country.Shop, country.Blog, country.Islands, country.Wiki} {
		for name, trouble := range troubles {
			t.Run(last+" "+name, func(t *testing.T) {
				dir, v := t.TempDir(), clock.NewVirtual(s.start)
				srv, ca, err := s.listen(dir, v)
				if err != nil {
					t.Fatal(err)
				}
				defer srv.Close()
				bad := httptest.NewServer(trouble)
				defer bad.Close()
				other := country.Blog
				if last == other {
					other = country.Islands
				}
				args := []string{
					"crawl", "http://" + last + "/", seedOf(srv.Seeds(), other), "--archive", dir, "--ca", ca, "--quiet", "--delay", "0s", "--retries", "2",
					"--revisit", "plan", "--no-index", "--resolve", last + "=" + bad.Listener.Addr().String(),
				}
				for _, r := range srv.Resolve() {
					args = append(args, "--resolve", r)
				}
				ctx, cancel := context.WithTimeoutCause(t.Context(), 5*time.Minute, errors.New("it stands still"))
				defer cancel()
				d := &demo{ctx: ctx, out: io.Discard, err: io.Discard, dir: dir, look: &lookout{out: io.Discard}}
				var out bytes.Buffer
				if err := d.execute(d.crawlCommand(v), &out, args); varve.ExitCode(err) > varve.ExitFindings || ctx.Err() != nil {
					t.Fatalf("%v, %v\n%s", err, context.Cause(ctx), out.String())
				}
				if v.Now().Sub(s.start) < 30*time.Second {
					t.Errorf("the clock has moved by %v only: nobody waited for the host", v.Now().Sub(s.start))
				}
			})
		}
	}
}

// A step that takes long says every few seconds what it is at.
func TestDemoLookout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		l := &lookout{out: &out}
		end := l.watch(3, "index --archive ARCHIVE")
		time.Sleep(2*lookoutEvery + time.Second)
		end()
		time.Sleep(time.Hour)
		want := "   ... step 3, 5s: varve index --archive ARCHIVE is at work\n   ... step 3, 10s: varve index --archive ARCHIVE is at work\n"
		if out.String() != want {
			t.Errorf("it said\n%s", out.String())
		}
	})
}
