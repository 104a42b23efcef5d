package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"maps"
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
	"varve/crawl/browser"
	"varve/lab/websim"
	"varve/lab/websim/modern"
	"varve/lab/websim/server"
	"varve/lab/websim/spam"
)

// Bounds of the liveness drill. A crawl tells its progress every 10 s, a demonstration every 5.
const (
	tooLong  = 3                // times the median of its group, without a word
	someTime = 20 * time.Second // is no silence yet, however short the median
	tooQuiet = 45 * time.Second // is one, however long the median
	hopeless = 8 * time.Minute  // for a run that talks
)

// trial is one run of the program: what is run, and how it went.
type trial struct {
	group   string // runs that should take about as long
	program string
	args    []string
	procs   int
	deed    string        // "", pause or kill, which comes
	after   time.Duration // so long after the beginning

	took    time.Duration
	silence time.Duration // the longest
	code    int
	text    string // the end of what it said
	fault   string // why it is a failure
}

func (r *trial) String() string {
	return fmt.Sprintf("%s: %s %s, GOMAXPROCS %d %s", r.group, r.program, strings.Join(r.args, " "), r.procs, r.deed)
}

// heard is what a process says, and when it last said something.
type heard struct {
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
	text    bytes.Buffer
}

// Write takes a word.
func (h *heard) Write(p []byte) (int, error) {
	h.silence()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = time.Now()
	return h.text.Write(p)
}

// silence is the time since the last word.
func (h *heard) silence() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	d := time.Since(h.last)
	h.longest = max(h.longest, d)
	return d
}

// liveness runs trials, some at a time.
type liveness struct {
	t   *testing.T
	dir string

	mu    sync.Mutex
	total int
	done  []*trial
}

// patience is how long a run of a group may be silent, as far as is known by now.
func (l *liveness) patience(group string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	var times []time.Duration
	for _, r := range l.done {
		if r.group == group {
			times = append(times, r.took)
		}
	}
	if len(times) < 5 {
		return tooQuiet
	}
	return min(tooQuiet, max(someTime, tooLong*median(times)))
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

// all runs the trials, so many at a time, and tells of each.
func (l *liveness) all(atATime int, trials []*trial) {
	next := make(chan *trial)
	var workers sync.WaitGroup
	for range atATime {
		workers.Go(func() {
			for r := range next {
				l.one(r)
			}
		})
	}
	for _, r := range trials {
		next <- r
	}
	close(next)
	workers.Wait()
}

func (l *liveness) one(r *trial) {
	dir, err := os.MkdirTemp(l.dir, "")
	if err != nil {
		l.t.Error(err)
		return
	}
	var steering sync.WaitGroup
	if r.deed == "pause" {
		steering.Go(func() { pauseCrawl(dir, r.after) })
	}
	begun := time.Now()
	r.run(dir, l.patience(r.group), r.args)
	steering.Wait()
	if r.deed == "kill" && r.code < 0 && r.fault == "" {
		r.deed = "killed, resumed"
		r.run(dir, l.patience(r.group), []string{"crawl", "--resume"})
		if r.code == 2 && strings.Contains(r.text, "no unfinished crawl") { // killed before it had begun
			r.run(dir, l.patience(r.group), r.args)
		}
	}
	r.took = time.Since(begun)
	if r.fault == "" && (r.code < 0 || r.code > 1 || r.code == 1 && r.program != "varve") {
		r.fault = fmt.Sprintf("ended with %d", r.code)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done = append(l.done, r)
	l.t.Logf("%3d of %d, %5.1f s, silent %4.1f s, code %d: %v", len(l.done), l.total, r.took.Seconds(), r.silence.Seconds(), r.code, r)
	if r.fault != "" {
		l.t.Errorf("%s: %v\n%s", r.fault, r, r.text)
		return // its files are kept until the end
	}
	if err := os.RemoveAll(dir); err != nil {
		l.t.Error(err)
	}
}

// run runs the program in a process of its own. One that is silent for longer than patience, or does not end, has to say what all of
// its goroutines do.
func (r *trial) run(dir string, patience time.Duration, args []string) {
	cmd := exec.Command(r.program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(r.procs), "TMPDIR="+dir)
	cmd.WaitDelay = 10 * time.Second
	begun := time.Now()
	h := &heard{last: begun}
	cmd.Stdout, cmd.Stderr = h, h
	if err := cmd.Start(); err != nil {
		r.fault = err.Error()
		return
	}
	ended := make(chan struct{})
	var watching sync.WaitGroup
	keep := 1500
	watching.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			switch silent, age := h.silence(), time.Since(begun); {
			case r.deed == "kill" && age > r.after:
				_ = cmd.Process.Kill()
				return
			case silent > patience:
				r.fault = fmt.Sprintf("stands still: no word for %.0f s", silent.Seconds())
			case age > hopeless:
				r.fault = fmt.Sprintf("does not end: %.0f s", age.Seconds())
			default:
				continue
			}
			keep = 60_000
			_ = cmd.Process.Signal(syscall.SIGQUIT)
			select {
			case <-ended:
			case <-time.After(20 * time.Second):
				_ = cmd.Process.Kill()
			}
			return
		}
	})
	_ = cmd.Wait() // its code tells
	close(ended)
	watching.Wait()
	h.silence()
	r.silence, r.code = max(r.silence, h.longest), cmd.ProcessState.ExitCode()
	r.text = h.text.String()
	r.text = r.text[max(0, len(r.text)-keep):]
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
	add("cut", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			w.WriteHeader(404)
			return
		}
		w.Header().Set("Content-Length", "10000")
		_, _ = io.WriteString(w, "<p>The beginning")
		panic(http.ErrAbortHandler)
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
	l := &liveness{t: t, dir: t.TempDir()}
	webs := newCrawlTrials(t)
	half := func(load string) (out []*trial) {
		for i := range (number("VARVE_CRAWLS", 200) + 1) / 2 {
			out = append(out, webs.trial(rng, i, load))
		}
		for i := range (number("VARVE_DEMOS", 200) + 1) / 2 {
			out = append(out, &trial{group: "demo, " + load, program: "varve-lab", args: []string{"demo", "--fast", "--no-serve"}, procs: []int{1, 2, 8}[i%3]})
		}
		return out
	}
	quiet, busy := half("quiet"), half("busy")
	l.total = len(quiet) + len(busy)
	l.all(3, quiet)
	end := stress(t, t.TempDir())
	defer end()
	l.all(2, busy)
	l.judge()
}

// The drill sees a program that says nothing more, and has it tell what it does.
func TestSilenceIsSeen(t *testing.T) {
	r := &trial{program: "varve-lab", args: []string{"sim", "serve", "--preset", "tiny"}, procs: 2}
	r.run(t.TempDir(), 3*time.Second, r.args)
	if !strings.HasPrefix(r.fault, "stands still") || !strings.Contains(r.text, "SIGQUIT") || !strings.Contains(r.text, "goroutine 1 ") {
		t.Errorf("%q, code %d, after %v:\n%s", r.fault, r.code, r.silence, r.text)
	}
}

// crawlTrials is where crawls are tried.
type crawlTrials struct {
	tiny, spam, modern *server.Server // modern is nil where there is no Chromium
	model              string
	sick               map[string]string
}

func newCrawlTrials(t *testing.T) *crawlTrials {
	serve := func(spec *websim.Spec, err error, after time.Duration, options ...websim.Option) *server.Server {
		if err != nil {
			t.Fatal(err)
		}
		web, err := websim.New(spec, 1, options...)
		if err != nil {
			t.Fatal(err)
		}
		s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch().Add(after), 0)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	c := &crawlTrials{sick: sick(t)}
	spec, err := websim.Preset("tiny")
	c.tiny = serve(spec, err, 0)
	world, err := spam.New(spam.Small(), 1)
	if err != nil {
		t.Fatal(err)
	}
	spec, err = world.Spec()
	c.spam = serve(spec, err, spam.Late*24*time.Hour, world.Options()...)
	c.model = trainSpam(t, c.spam)
	if _, err := browser.Find(""); err == nil {
		spec, err = websim.Load("modern", []byte(modern.Spec))
		c.modern = serve(spec, err, 0, modern.Options()...)
	}
	return c
}

// trainSpam makes a model for the spam filter as a user would.
func trainSpam(t *testing.T, s *server.Server) string {
	dir := t.TempDir()
	run := func(out, program string, args ...string) {
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		var said bytes.Buffer
		cmd.Stderr = &said
		b, err := cmd.Output()
		if err == nil && out != "" {
			err = os.WriteFile(filepath.Join(dir, out), b, 0o600)
		}
		if err != nil {
			t.Fatalf("%s %q: %v\n%s%s", program, args, err, b, said.Bytes())
		}
	}
	begun := time.Now()
	run("labels.jsonl", "varve-lab", "sim", "labels")
	run("", "varve", "crawl", s.Seeds()[0], "--scope", "web", "--resolve", "*.test="+s.Addr(), "--retries", "-1", "--delay", "0s", "--collection", "all", "--no-index", "--quiet", "--capture", "parser")
	run("", "varve", "spam", "features", "--collection", "all", "--set", "crawl", "--labels", "labels.jsonl", "-o", "hosts.csv")
	run("", "varve", "spam", "train", "hosts.csv", "--crawl", "--folds", "3", "-o", "spam.model")
	t.Logf("a model for the spam filter was made in %.1f s", time.Since(begun).Seconds())
	return filepath.Join(dir, "spam.model")
}

// trial is a crawl with settings by chance; the group goes round. A host that fails is left alone for 10 to 15 s before it is asked
// again, so crawls that ask again are a group of their own.
func (c *crawlTrials) trial(rng *rand.Rand, i int, load string) *trial {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	r := &trial{program: "varve", procs: []int{1, 2, 8}[rng.IntN(3)], deed: pick("", "", "kill", "pause"), after: time.Duration(50+rng.IntN(1000)) * time.Millisecond}
	group := []string{"sound", "failing host", "sound", "failing host, retried", "spam filter", "sound", "failing host", "sound", "failing host, retried", "executed"}[i%10]
	if group == "executed" && c.modern == nil {
		group = "sound"
	}
	r.group = "crawl, " + load + ", " + group
	web, capture := c.tiny, pick("auto", "parser")
	retries := "-1"
	switch group {
	case "spam filter":
		r.args = []string{"crawl", c.spam.Seeds()[0], "--scope", "web", "--resolve", "*.test=" + c.spam.Addr(), "--retries", "-1", "--delay", "0s", "--capture", "parser", "--spam-filter", "--model", c.model, "--spam-threshold", "0.6", "--spam-sample", "5", "--workers", pick("4", "16")}
		return r
	case "executed":
		web, capture = c.modern, "auto"
		if r.deed == "kill" { // it would leave a Chromium behind
			r.deed = "pause"
		}
	case "failing host, retried":
		retries = "1"
	}
	r.args = []string{"crawl", web.Seeds()[0], "--delay", pick("0s", "5ms"), "--retries", retries, "--retry-wait", "100ms", "--workers", pick("1", "4", "16"), "--capture", capture}
	if v := pick("", "", "fifo", "lifo", "plan"); v != "" {
		r.args = append(r.args, "--revisit", v)
	} else if rng.IntN(3) == 0 {
		r.args = append(r.args, "--topic", "harbour and rents")
	}
	if strings.HasPrefix(group, "failing") {
		ways := slices.Sorted(maps.Keys(c.sick))
		if retries == "1" { // these are not asked again
			ways = slices.DeleteFunc(ways, func(w string) bool { return w == "day" || w == "cut" })
		}
		r.args = append(r.args, pick("http", "https")+"://sick.test/", "--resolve", "sick.test="+c.sick[pick(ways...)])
	}
	for _, rule := range web.Resolve() {
		r.args = append(r.args, "--resolve", rule)
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

// judge prints the table, and which runs took long though they said what they wait for.
func (l *liveness) judge() {
	groups := map[string][]*trial{}
	for _, r := range l.done {
		groups[r.group] = append(groups[r.group], r)
	}
	var table, slow strings.Builder
	fmt.Fprintf(&table, "%-45s %5s %8s %8s %8s %8s %8s\n", "group", "runs", "median", "p90", "longest", "silence", "failures")
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		list := groups[name]
		slices.SortFunc(list, func(a, b *trial) int { return cmp.Compare(a.took, b.took) })
		middle, quiet, failures := list[len(list)/2].took, time.Duration(0), 0
		for _, r := range list {
			quiet = max(quiet, r.silence)
			if r.fault == "" && r.silence > max(someTime, tooLong*middle) {
				r.fault = fmt.Sprintf("no word for %.1f s, the median of the group is %.1f s", r.silence.Seconds(), middle.Seconds())
				l.t.Errorf("%s: %v\n%s", r.fault, r, r.text)
			}
			if r.fault != "" {
				failures++
			} else if r.took > tooLong*middle {
				fmt.Fprintf(&slow, "%.1f s instead of %.1f s: %v\n%s\n", r.took.Seconds(), middle.Seconds(), r, r.text)
			}
		}
		fmt.Fprintf(&table, "%-45s %5d %7.1fs %7.1fs %7.1fs %7.1fs %8d\n", name, len(list), middle.Seconds(),
			list[len(list)*9/10].took.Seconds(), list[len(list)-1].took.Seconds(), quiet.Seconds(), failures)
	}
	l.t.Logf("%d runs\n%s\nslow, with a word about it:\n%s", len(l.done), table.String(), cmp.Or(slow.String(), "none"))
}
