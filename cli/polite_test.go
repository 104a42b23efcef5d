package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// serverLog is a server that notes when it was asked for what.
type serverLog struct {
	*httptest.Server
	mu    sync.Mutex
	lines []serverLine
}

type serverLine struct {
	at         time.Time
	host, path string
}

// newServerLog serves a page with links to so many others.
func newServerLog(t *testing.T, pages int, answer func(w http.ResponseWriter, r *http.Request) bool) *serverLog {
	s := &serverLog{}
	var front bytes.Buffer
	for i := range pages {
		fmt.Fprintf(&front, "<a href=/p%d>p</a>\n", i)
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now := time.Now()
		s.mu.Lock()
		s.lines = append(s.lines, serverLine{now, r.Host, r.URL.Path})
		s.mu.Unlock()
		if answer != nil && answer(w, r) {
			return
		}
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>%s</title>", r.URL.Path)
		if r.URL.Path == "/" {
			_, _ = w.Write(front.Bytes())
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// gaps returns the gaps between requests of one key that are shorter than a time, and the number of requests.
func (s *serverLog) gaps(least time.Duration, key func(serverLine) string) (short []time.Duration, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := map[string]time.Time{}
	slices.SortFunc(s.lines, func(a, b serverLine) int { return a.at.Compare(b.at) })
	for _, l := range s.lines {
		if before, ok := last[key(l)]; ok && l.at.Sub(before) < least {
			short = append(short, l.at.Sub(before))
		}
		last[key(l)] = l.at
	}
	return short, len(s.lines)
}

func (s *serverLog) resolve() string { return "*.test=" + strings.TrimPrefix(s.URL, "http://") }

// crawlers runs the program several times at once; kills many are killed and resumed.
func crawlers(t *testing.T, args [][]string, kills int, every time.Duration) {
	t.Helper()
	dir := t.TempDir()
	tmp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for i, a := range args {
		wg.Go(func() {
			archive := fmt.Sprintf("arc%d", i) // archives in different directories
			for n := 0; ; n++ {
				cmd := exec.CommandContext(ctx, "varve", append([]string{"crawl", "--archive", archive, "--quiet", "--capture", "parser"}, a...)...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+tmp, "VARVE_POLITE_DIR=")
				var out bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &out
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				if i == 0 && n < kills {
					timer := time.AfterFunc(every+every/7*time.Duration(n), func() { _ = cmd.Process.Kill() })
					defer timer.Stop()
				}
				err := cmd.Wait()
				var exit *exec.ExitError
				if err == nil || errors.As(err, &exit) && exit.ExitCode() == 1 {
					return
				}
				if strings.Contains(out.String(), "has no unfinished crawl") && slices.Contains(a, "--resume") {
					a = args[i] // it was killed before it had begun, or when it had ended
					continue
				}
				if i != 0 || n >= kills {
					t.Errorf("varve %v: %v\n%s", a, err, out.String())
					return
				}
				if _, err := os.Stat(filepath.Join(dir, archive, "collections/default/crawls")); err == nil && !slices.Contains(a, "--resume") {
					a = append([]string{"--resume"}, a[1:]...) // without the seed
				}
			}
		})
	}
	wg.Wait()
}

func byHost(l serverLine) string { return l.host }

// TestPoliteProcesses: crawls in processes of their own, one of which is killed now and then, leave one host its rest
// between any two requests. The server's log says so.
func TestPoliteProcesses(t *testing.T) {
	politeProcesses(t, 8, 100*time.Millisecond, 2)
}

// TestDrillPoliteProcesses is the same with two thousand requests.
func TestDrillPoliteProcesses(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1")
	}
	politeProcesses(t, 500, 50*time.Millisecond, 20)
}

func politeProcesses(t *testing.T, pages int, delay time.Duration, kills int) {
	s := newServerLog(t, pages, nil)
	var args [][]string
	for range 4 {
		args = append(args, []string{"http://one.test/", "--resolve", s.resolve(), "--delay", delay.String()})
	}
	begun := time.Now()
	crawlers(t, args, kills, 20*delay)
	short, n := s.gaps(delay, byHost)
	t.Logf("%d requests of 4 processes in %v, %d kills: %d gaps under %v", n, time.Since(begun).Round(time.Millisecond), kills, len(short), delay)
	if len(short) > 0 || n < 4*pages {
		t.Errorf("%d of %d gaps are under %v: %v", len(short), n-1, delay, short)
	}
}

// TestPoliteAddresses: two names on one address, each crawled by a process of its own.
func TestPoliteAddresses(t *testing.T) {
	const delay = 200 * time.Millisecond
	s := newServerLog(t, 8, nil)
	crawlers(t, [][]string{
		{"http://one.test/", "--resolve", s.resolve(), "--delay", delay.String()},
		{"http://two.test/", "--resolve", s.resolve(), "--delay", delay.String()},
	}, 0, 0)
	// Requests to an address are spaced from start to start, as seen from here: on their way they may catch up a little.
	short, n := s.gaps(delay/2, func(serverLine) string { return "" })
	if len(short) > 0 || n < 18 {
		t.Errorf("%d of %d gaps are under %v: %v", len(short), n-1, delay/2, short)
	}
	if short, _ := s.gaps(delay, byHost); len(short) > 0 {
		t.Errorf("of one name: %v", short)
	}
}

// TestPoliteTrouble: a host that asked one process to come back later is left alone by the others too.
func TestPoliteTrouble(t *testing.T) {
	const rest = 3 * time.Second
	var mu sync.Mutex
	var asked time.Time
	s := newServerLog(t, 10, func(w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path == "/p3" && asked.IsZero() {
			asked = time.Now()
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		}
		if since := time.Since(asked); !asked.IsZero() && since < rest {
			t.Errorf("%s %v after it was asked to wait %v", r.URL.Path, since, rest)
		}
		return false
	})
	crawlers(t, [][]string{
		{"http://one.test/", "--resolve", s.resolve(), "--delay", "50ms", "--retry-wait", "1s"},
		{"http://one.test/", "--resolve", s.resolve(), "--delay", "50ms", "--retry-wait", "1s"},
	}, 0, 0)
	if asked.IsZero() {
		t.Error("nobody was asked to wait")
	}
}

// TestPoliteUnavailable: without a place to meet, a crawl says so and goes on.
func TestPoliteUnavailable(t *testing.T) {
	s := newServerLog(t, 2, nil)
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, dir, want string }{
		{"a file in the way", file, "polite by itself"},
		{"none", "none", ""},
	} {
		cmd := exec.Command("varve", "crawl", s.URL+"/", "--archive", filepath.Join(dir, c.name), "--quiet", "--delay", "0", "--polite-dir", c.dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", c.name, err, out)
		}
		if said := strings.Contains(string(out), "by itself"); said != (c.want != "") {
			t.Errorf("%s:\n%s", c.name, out)
		}
	}
}
