package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"varve/clock"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// Bounds of the liveness drill.
const (
	tooLong  = 3                // times the median of its group
	tooQuiet = 45 * time.Second // without a word; a crawl tells its progress every 10 s, a demonstration every 5
	hopeless = 10 * time.Minute // then the process is killed
)

// trial is one run of the program under watch.
type trial struct {
	group   string
	what    string
	took    time.Duration
	silence time.Duration // the longest
	code    int
	tail    string
}

// heard notes when somebody last said something.
type heard struct {
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
	text    bytes.Buffer
}

// Write notes the word.
func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.note(time.Now())
	return h.text.Write(p)
}

func (h *heard) note(now time.Time) {
	h.longest = max(h.longest, now.Sub(h.last))
	h.last = now
}

// watchProgram runs the program in a process of its own. The kill, if it is not zero, comes after that time.
func watchProgram(t *testing.T, dir string, procs int, kill time.Duration, args ...string) trial {
	ctx, cancel := context.WithTimeout(t.Context(), hopeless)
	defer cancel()
	cmd := exec.CommandContext(ctx, "varve", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(procs), "TMPDIR="+dir)
	begun := time.Now()
	h := &heard{last: begun}
	cmd.Stdout, cmd.Stderr = h, h
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return trial{}
	}
	if kill > 0 {
		timer := time.AfterFunc(kill, func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
		defer timer.Stop()
	}
	_ = cmd.Wait() // its code tells
	h.mu.Lock()
	defer h.mu.Unlock()
	h.note(time.Now())
	text := h.text.String()
	return trial{took: time.Since(begun), silence: h.longest, code: cmd.ProcessState.ExitCode(), tail: text[max(0, len(text)-1500):], what: strings.Join(args, " ")}
}

// stress loads processors and disk until the function is called.
func stress(t *testing.T, dir string) (end func()) {
	stop := make(chan struct{})
	var all sync.WaitGroup
	over := func() bool {
		select {
		case <-stop:
			return true
		default:
			return false
		}
	}
	for range 4 {
		all.Go(func() {
			for x := uint64(1); !over(); {
				for range 1 << 20 {
					x = x*6364136223846793005 + 1
				}
			}
		})
	}
	all.Go(func() {
		block := make([]byte, 1<<20)
		for !over() {
			f, err := os.Create(filepath.Join(dir, "load"))
			if err != nil {
				t.Error(err)
				return
			}
			for range 8 {
				_, _ = f.Write(block)
				_ = f.Sync()
			}
			_ = f.Close()
		}
	})
	return func() { close(stop); all.Wait() }
}

// sick are hosts that fail, each in its way.
func sick(t *testing.T) map[string]string {
	out := map[string]string{}
	add := func(name string, h http.HandlerFunc) {
		s := httptest.NewServer(h)
		s.Config.ErrorLog = slog.NewLogLogger(slog.NewTextHandler(io.Discard, nil), slog.LevelError)
		t.Cleanup(s.Close)
		out[name] = s.Listener.Addr().String()
	}
	add("503", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	add("retry-after", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", "3"); w.WriteHeader(429) })
	add("day", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "86400")
		w.WriteHeader(503)
	})
	add("broken", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	add("pages", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(404)
	})
	l, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and says no TLS and no HTTP
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = tls.Server(c, &tls.Config{}).Close()
		}
	}()
	out["closed"] = l.Addr().String()
	return out
}

// Demonstrations and crawls over the settings that there are, with hosts that fail, pauses and kills, on a machine that is busy
// with other things, and with few or many threads: each ends, and none takes long without a word. VARVE_DEMOS and
// VARVE_CRAWLS say how many, VARVE_SEED which.
func TestDrillLiveness(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1")
	}
	number := func(name string, usual int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return usual
	}
	seed := uint64(number("VARVE_SEED", int(time.Now().UnixNano()&0xffffff)))
	t.Logf("VARVE_SEED=%d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	var trials []trial
	halves := func(n int, do func(i int, load string)) { // the second half on a busy machine
		for i := range n / 2 {
			do(i, "quiet")
		}
		end := stress(t, t.TempDir())
		defer end()
		for i := n / 2; i < n; i++ {
			do(i, "busy")
		}
	}
	halves(number("VARVE_DEMOS", 200), func(i int, load string) {
		procs := []int{1, 2, 8}[i%3]
		r := watchProgram(t, t.TempDir(), procs, 0, "demo", "--fast", "--no-serve")
		r.group = "demo, " + load
		trials = append(trials, r)
		if r.code != 0 {
			t.Errorf("a demonstration ended with %d:\n%s", r.code, r.tail)
		}
	})
	c := newCrawlTrials(t)
	halves(number("VARVE_CRAWLS", 200), func(_ int, load string) { trials = append(trials, c.crawl(rng, load)) })
	judgeTrials(t, trials)
}

// crawlTrials is where crawls are tried.
type crawlTrials struct {
	t    *testing.T
	s    *server.Server
	sick map[string]string
}

func newCrawlTrials(t *testing.T) *crawlTrials {
	spec, err := websim.Preset("tiny")
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 0)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return &crawlTrials{t, s, sick(t)}
}

// crawl runs one crawl with settings by chance, paused and gone on with, or killed and resumed, now and then.
func (c *crawlTrials) crawl(rng *rand.Rand, load string) trial {
	dir := c.t.TempDir()
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	args := []string{"crawl", c.s.Seeds()[0], "--delay", pick("0s", "5ms"), "--retries", pick("-1", "1"), "--retry-wait", "100ms", "--workers", pick("1", "4", "16"), "--capture", pick("auto", "parser")}
	if v := pick("", "", "fifo", "lifo", "plan"); v != "" {
		args = append(args, "--revisit", v)
	} else if rng.IntN(3) == 0 {
		args = append(args, "--topic", "harbour and rents")
	}
	trouble := pick("none", "503", "retry-after", "day", "broken", "pages", "closed")
	if trouble != "none" {
		args = append(args, pick("http", "https")+"://sick.test/", "http://sick.test/two", "--resolve", "sick.test="+c.sick[trouble])
	}
	for _, r := range c.s.Resolve() {
		args = append(args, "--resolve", r)
	}
	procs, deed := []int{1, 2, 8}[rng.IntN(3)], pick("", "", "kill", "pause")
	var kill time.Duration
	var steering sync.WaitGroup
	switch deed {
	case "kill":
		kill = time.Duration(100+rng.IntN(1500)) * time.Millisecond
	case "pause":
		after := time.Duration(100+rng.IntN(800)) * time.Millisecond
		steering.Go(func() { pauseCrawl(dir, after) })
	}
	r := watchProgram(c.t, dir, procs, kill, args...)
	steering.Wait()
	if r.code < 0 && kill > 0 {
		again := []string{"crawl", "--resume"} // what the definition does not keep
		for i, a := range args {
			if a == "--resolve" || a == "--delay" {
				again = append(again, a, args[i+1])
			}
		}
		next := watchProgram(c.t, dir, procs, 0, again...)
		if strings.Contains(next.tail, "no unfinished crawl") { // killed before it had begun
			next = watchProgram(c.t, dir, procs, 0, args...)
		}
		next.what, next.took, next.silence = r.what+" (killed, resumed)", next.took+r.took, max(next.silence, r.silence)
		r = next
	}
	r.group = "crawl, " + load + ", trouble " + trouble
	if r.code != 0 && r.code != 1 {
		c.t.Errorf("%s: code %d\n%s", r.what, r.code, r.tail)
	}
	return r
}

// pauseCrawl pauses the crawl below a directory, if it has one by then, and has it go on a little later.
func pauseCrawl(dir string, after time.Duration) {
	time.Sleep(after)
	socks, _ := filepath.Glob(filepath.Join(dir, "archive", "collections", "*", "crawls", "*", "control.sock"))
	if len(socks) == 0 {
		return
	}
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socks[0])
		},
	}}
	base := "http://crawl/api/crawls/" + filepath.Base(filepath.Dir(socks[0]))
	for _, deed := range []string{"/pause", "/resume"} {
		if resp, err := client.Post(base+deed, "application/json", nil); err == nil { // else it has ended
			resp.Body.Close()
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// judgeTrials prints the table and finds those that took too long in silence.
func judgeTrials(t *testing.T, trials []trial) {
	groups := map[string][]trial{}
	for _, r := range trials {
		groups[r.group] = append(groups[r.group], r)
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%-45s %5s %8s %8s %8s %8s\n", "group", "runs", "median", "p90", "longest", "silence")
	names := make([]string, 0, len(groups))
	for name := range groups {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		list := groups[name]
		slices.SortFunc(list, func(a, b trial) int { return int(max(-1, min(1, a.took-b.took))) })
		median, last := list[len(list)/2].took, list[len(list)-1]
		var quiet time.Duration
		for _, r := range list {
			quiet = max(quiet, r.silence)
			if r.took > hopeless || r.took > tooLong*median && r.silence > tooQuiet {
				t.Errorf("%s took %v, %v of it without a word; the median of its group is %v\n%s", r.what, r.took, r.silence, median, r.tail)
			}
		}
		fmt.Fprintf(&table, "%-45s %5d %7.1fs %7.1fs %7.1fs %7.1fs\n", name, len(list), median.Seconds(), list[len(list)*9/10].took.Seconds(), last.took.Seconds(), quiet.Seconds())
	}
	t.Logf("%d runs\n%s", len(trials), table.String())
}
