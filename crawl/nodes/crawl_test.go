package nodes_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"varve/archive/warc"
	"varve/clock"
	"varve/cluster/nats"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/nodes"
	"varve/crawl/nodes/engine"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/natsd"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

func TestMain(m *testing.M) {
	if os.Getenv(nodeDirEnv) != "" {
		os.Exit(nodeUntilKilled())
	}
	goleak.VerifyTestMain(m)
}

// sites is a web of sites that link to each other, on some addresses.
func sites(t testing.TB, count, pages, addrs int) *server.Server {
	t.Helper()
	return sitesLinked(t, count, pages, addrs, 4)
}

// sitesLinked has pages that others link to so often, beside the page above them: with 0 there is one way to each, and whoever loses a link loses a page.
func sitesLinked(t testing.TB, count, pages, addrs, links int) *server.Server {
	t.Helper()
	spec, err := websim.Load("sites.toml", fmt.Appendf(nil, `
[[site]]
host = "site{n}.test"
count = %d
addr = "127.0.0.2"
addrs = %d
pages = %d
fanout = 6
links = %d
external = 0.4
assets = 6
size.html = { mean = 3000, sigma = 0.2 }
`, count, addrs, pages, links))
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 11)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 0), NoTLS: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// member is a node of a test: a process's worth of things.
type member struct {
	name   string
	dir    string
	engine engine.Engine
	node   *nodes.Node
	run    *crawl.Run
	client *fetch.Client
}

// setting is what the nodes of a test have in common.
type setting struct {
	resolve []string
	manners polite.Config
	timing  nodes.Timing
	expect  int
	parts   int
	seal    int64
	def     crawl.Definition
	stages  stages.Set
	log     io.Writer
	clocks  map[string]clock.Clock            // of nodes; missing: real
	shared  func(polite.Shared) polite.Shared // around the politeness between nodes
}

// quick is timing for tests: leases of two seconds.
func quick() nodes.Timing {
	return nodes.Timing{TTL: 2 * time.Second, Renew: 100 * time.Millisecond, Margin: 200 * time.Millisecond}
}

func noDelay() polite.Config {
	c := polite.Fixed(0)
	c.BackoffFirst, c.BackoffMost = 5*time.Millisecond, 20*time.Millisecond
	return c
}

func webScope(seeds ...string) crawl.Definition {
	return crawl.Definition{
		Seeds: seeds, Scope: scope.Definition{Mode: scope.Web}, Workers: 4, MinDisk: -1, Retries: 2, RetryAfter: scope.Duration(5 * time.Millisecond),
	}
}

func (s *setting) start(ctx context.Context, e engine.Engine, name, dir string) (*member, error) {
	m := &member{name: name, dir: dir, engine: e}
	cfg := fetch.Config{UserAgent: "varve-test"}
	cfg.Timeouts = fetch.Timeouts{FirstByte: 5 * time.Second, Idle: 5 * time.Second, Total: 20 * time.Second}
	for _, rule := range s.resolve {
		o, err := fetch.ParseOverride(rule)
		if err != nil {
			return nil, err
		}
		cfg.Overrides = append(cfg.Overrides, o)
	}
	var err error
	if m.client, err = fetch.New(cfg); err != nil {
		return nil, err
	}
	out := s.log
	if out == nil {
		out = io.Discard
	}
	if os.Getenv("VARVE_TEST_LOG") != "" {
		out = os.Stderr
	}
	log := slog.New(slog.NewTextHandler(out, nil)).With("node", name)
	place := crawl.Place{Dir: filepath.Join(dir, "crawl"), WarcDir: filepath.Join(dir, "warc")}
	if err := os.MkdirAll(place.WarcDir, 0o755); err != nil {
		return nil, err
	}
	var c clock.Clock = clock.Real()
	if own := s.clocks[name]; own != nil {
		c = own
	}
	ec := crawl.EngineConfig{Fetcher: m.client, Polite: s.manners, Clock: c, Log: log, Software: "varve test"}
	opts := crawl.Options{Stages: s.stages.Of}
	if e != nil {
		d, _, err := nodes.Define(ctx, e, s.def, s.parts)
		if err != nil {
			return nil, err
		}
		m.node, err = nodes.Join(ctx, nodes.Config{Engine: e, ID: name, Expect: s.expect, Timing: s.timing, Clock: c, Log: log, SealFrom: s.seal}, d)
		if err != nil {
			return nil, err
		}
		ec.Fetcher = m.node.Fetcher(m.client)
		ec.Shared = m.node.Addresses()
		if s.shared != nil {
			ec.Shared = s.shared(ec.Shared)
		}
		opts.Stages = func(def crawl.Definition) []crawl.Stage { return append(s.stages.Of(def), m.node) }
	}
	m.run, err = crawl.NewEngine(ec).StartIn(ctx, name, place, s.def, opts)
	if err != nil && m.node != nil {
		return nil, errors.Join(err, m.node.Leave(ctx))
	}
	return m, err
}

// wait waits for a node, but not for ever.
func (m *member) wait(t testing.TB) *crawl.Report {
	t.Helper()
	for last, ended := int64(-1), false; !ended; {
		select {
		case <-m.run.Done():
			ended = true
		case <-time.After(20 * time.Second): // a slow machine is no fault, standing still is
			p := m.run.Progress()
			if p.Together != nil { // the others may have more to do
				p.URLs = p.Together.URLs
			}
			if p.URLs == last {
				if m.node != nil {
					t.Log(m.node.Dump())
				}
				t.Fatalf("node %s stands still: %+v", m.name, p)
			}
			last = p.URLs
		}
	}
	rep, err := m.run.Wait()
	m.client.Close()
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// captured counts the answers in the WARC files below directories, by URL.
func captured(t testing.TB, dirs ...string) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "warc", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			r, err := warc.NewReader(f, warc.Options{Name: path, Verify: true})
			if err != nil {
				t.Fatal(err)
			}
			for {
				rec, err := r.Next()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(path, err)
				}
				if typ := rec.Type(); (typ == warc.TypeResponse || typ == warc.TypeRevisit) && !strings.HasSuffix(rec.TargetURI(), "/robots.txt") {
					out[rec.TargetURI()]++
				}
			}
			r.Close()
			f.Close()
		}
	}
	return out
}

// same compares what two crawls captured.
func same(t testing.TB, got, want map[string]int) {
	t.Helper()
	var missing, more []string
	for u := range want {
		if got[u] == 0 {
			missing = append(missing, u)
		}
	}
	for u := range got {
		if want[u] == 0 {
			more = append(more, u)
		}
	}
	sort.Strings(missing)
	sort.Strings(more)
	if len(missing)+len(more) > 0 {
		t.Errorf("%d captured, want %d; missing %d: %.800v; more %d: %.800v", len(got), len(want), len(missing), missing, len(more), more)
	}
}

// twice returns the URLs that were captured more than once.
func twice(got map[string]int) (out []string) {
	for u, n := range got {
		if n > 1 {
			out = append(out, u)
		}
	}
	return out
}

// engines are the implementations on which nodes are tested; each call of the function is one more node's way in.
func engines(t *testing.T) map[string]func() engine.Engine {
	memory := engine.NewMemory()
	c, err := natsd.Start(t.TempDir(), natsd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	return map[string]func() engine.Engine{
		"memory": func() engine.Engine { return memory.Join() },
		"nats": func() engine.Engine {
			e, err := nats.Open(t.Context(), nats.Config{URL: c.URL(), Crawl: "test", Name: t.Name()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(e.Close)
			return e
		},
	}
}

// alone crawls with one process.
func alone(t testing.TB, s *setting) map[string]int {
	t.Helper()
	dir := t.TempDir()
	m, err := s.start(context.Background(), nil, "alone", dir)
	if err != nil {
		t.Fatal(err)
	}
	if rep := m.wait(t); !rep.Finished {
		t.Fatalf("not finished: %s", rep.Why)
	}
	return captured(t, dir)
}

// together starts several nodes at once.
func together(t *testing.T, s *setting, count int, join func() engine.Engine) (members []*member, dirs []string) {
	t.Helper()
	members, dirs = make([]*member, count), make([]string, count)
	var all sync.WaitGroup
	for i := range members {
		dirs[i] = t.TempDir()
		e := join()
		all.Go(func() {
			var err error
			if members[i], err = s.start(context.Background(), e, fmt.Sprintf("n%d", i), dirs[i]); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return members, dirs
}

// Three nodes capture what one process captures, each page once, each site by one of them.
func TestEquality(t *testing.T) {
	t.Parallel()
	web := sites(t, 12, 40, 3)
	s := &setting{resolve: web.Resolve(), manners: noDelay(), timing: quick(), expect: 3, parts: 16, def: webScope("http://site01.test/", "http://site05.test/")}
	want := alone(t, s)
	if len(want) < 400 {
		t.Fatalf("one process captured %d", len(want))
	}
	for name, join := range engines(t) {
		t.Run(name, func(t *testing.T) {
			members, dirs := together(t, s, 3, join)
			owner := map[string]int{}
			for i, m := range members {
				rep := m.wait(t)
				if !rep.Finished {
					t.Errorf("%s is not finished: %s", m.name, rep.Why)
				}
				mine := captured(t, dirs[i])
				if len(mine) == 0 {
					t.Errorf("%s captured nothing", m.name)
				}
				for u := range mine {
					host := strings.Split(u, "/")[2]
					if other, ok := owner[host]; ok && other != i {
						t.Errorf("%s was captured by %d and %d", host, other, i)
					}
					owner[host] = i
				}
			}
			got := captured(t, dirs...)
			same(t, got, want)
			if again := twice(got); len(again) > 0 {
				t.Errorf("captured twice: %.500v", again)
			}
			hosts := slices.Sorted(maps.Keys(owner))
			t.Logf("%d URLs of %d sites", len(got), len(hosts))
		})
	}
}

// spy notes when requests were allowed.
type spy struct {
	mu     *sync.Mutex
	grants map[string][]time.Time
	inner  polite.Shared
	by     int
	who    map[string]map[int]bool
}

func (s *spy) Enter(claims []polite.Claim, now time.Time) (polite.Denial, bool) {
	s.mu.Lock() // one grant at a time, in the order of their instants
	defer s.mu.Unlock()
	d, ok := s.inner.Enter(claims, now)
	if ok {
		for _, c := range claims {
			s.grants[c.Key] = append(s.grants[c.Key], time.Now())
			if s.who[c.Key] == nil {
				s.who[c.Key] = map[int]bool{}
			}
			s.who[c.Key][s.by] = true
		}
	}
	return d, ok
}

// Leave forgets a grant for which nothing was sent: a node may find that a site has moved when its turn has come.
func (s *spy) Leave(stays []polite.Stay, now time.Time) {
	s.mu.Lock()
	for _, stay := range stays {
		if list := s.grants[stay.Key]; stay.Next.IsZero() && stay.Trouble.IsZero() && len(list) > 0 {
			s.grants[stay.Key] = list[:len(list)-1]
		}
	}
	s.mu.Unlock()
	s.inner.Leave(stays, now)
}

// Sites of three nodes lie on one address: each host and each address has its rest between two requests, as with one process, whoever makes them.
func TestPolite(t *testing.T) {
	const rest = 15 * time.Millisecond
	web := sites(t, 8, 10, 1)
	s := &setting{resolve: web.Resolve(), manners: polite.Fixed(rest), timing: quick(), expect: 3, parts: 16, def: webScope("http://site01.test/")}
	for name, join := range engines(t) {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			grants, who, count := map[string][]time.Time{}, map[string]map[int]bool{}, 0
			s.shared = func(inner polite.Shared) polite.Shared {
				mu.Lock()
				defer mu.Unlock()
				count++
				return &spy{&mu, grants, inner, count, who}
			}
			members, dirs := together(t, s, 3, join)
			for _, m := range members {
				if rep := m.wait(t); !rep.Finished {
					t.Errorf("%s: %s", m.name, rep.Why)
				}
			}
			addrs := 0
			for key, at := range grants {
				for i := 1; i < len(at); i++ {
					if gap := at[i].Sub(at[i-1]); gap < rest-time.Millisecond {
						t.Errorf("%s: request %d was allowed %v after the one before", key, i, gap)
					}
				}
				if strings.HasPrefix(key, "address") {
					addrs++
					t.Logf("%s: %d requests by %d nodes", key, len(at), len(who[key]))
					if len(who[key]) < 2 {
						t.Errorf("%s was contacted by %d node", key, len(who[key]))
					}
				}
			}
			if addrs != 1 {
				t.Errorf("%d addresses", addrs)
			}
			if again := twice(captured(t, dirs...)); len(again) > 0 {
				t.Errorf("captured twice: %v", again)
			}
		})
	}
}

// A node that joins takes its share, one that stops hands over what it has; nothing is lost and nothing captured twice.
func TestComeAndGo(t *testing.T) {
	t.Parallel()
	web := sites(t, 12, 60, 3)
	s := &setting{resolve: web.Resolve(), manners: polite.Fixed(2 * time.Millisecond), timing: quick(), parts: 16, def: webScope("http://site01.test/")}
	want := alone(t, s)
	for name, join := range engines(t) {
		t.Run(name, func(t *testing.T) {
			dirs := []string{t.TempDir(), t.TempDir()}
			begin := func(i int) *member {
				t.Helper()
				m, err := s.start(context.Background(), join(), fmt.Sprintf("n%d", i), dirs[i])
				if err != nil {
					t.Fatal(err)
				}
				return m
			}
			until := func(m *member, urls int64) {
				t.Helper()
				for i := 0; m.run.Progress().URLs < urls; i++ {
					if i > 6000 {
						t.Fatalf("%s stands still: %+v", m.name, m.run.Progress())
					}
					time.Sleep(10 * time.Millisecond)
				}
			}
			first := begin(0)
			until(first, 50)
			second := begin(1)
			until(second, 50)
			second.run.Stop("the operator stopped it")
			if rep := second.wait(t); rep.Finished {
				t.Fatal("it was finished before it was stopped")
			}
			rep := first.wait(t)
			if !rep.Finished {
				t.Errorf("not finished: %s", rep.Why)
			}
			got := captured(t, dirs...)
			same(t, got, want)
			if again := twice(got); len(again) > 0 {
				t.Errorf("captured twice: %.500v", again)
			}
			mine := captured(t, dirs[1])
			t.Logf("%d URLs, %d by the node that came and went", len(got), len(mine))
			if len(mine) < 20 || len(mine) == len(want) {
				t.Errorf("the second node captured %d of %d", len(mine), len(want))
			}
			e := join()
			o, err := nodes.Look(t.Context(), e, "test")
			if err != nil || o.State != "complete" || len(o.Nodes) != 0 {
				t.Errorf("%+v %v", o, err)
			}
			if _, _, err := nodes.Define(t.Context(), e, s.def, 0); !errors.Is(err, nodes.ErrEnded) {
				t.Errorf("a crawl that is complete: %v", err)
			}
		})
	}
}
