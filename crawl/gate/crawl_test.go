package gate_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"varve/crawl"
	"varve/crawl/gate"
	"varve/crawl/scope"
	"varve/crawl/spamfilter"
	"varve/crawl/stages"
	"varve/lab/rehearsal"
	"varve/lab/websim"
	"varve/lab/websim/spam"
)

// oracle knows the truth. Its samples are one byte a page.
type oracle struct {
	world *spam.World
	at    time.Time
}

func (oracle) Look(*gate.SampledPage) []byte { return []byte{'p'} }

func (oracle) Merge(sample []byte, looks [][]byte) ([]byte, error) {
	out := append([]byte(nil), sample...)
	for _, l := range looks {
		out = append(out, l...)
	}
	return out, nil
}

func (o oracle) Assess(host string, sample []byte) (gate.Assessment, error) {
	if bad, _ := o.world.Label(host, o.at); bad {
		return gate.Assessment{Spamicity: 0.999, Reasons: fmt.Sprintf("%d pages of spam", len(sample))}, nil
	}
	return gate.Assessment{Spamicity: 0.02, Reasons: "normal"}, nil
}

// lists are rulings that tests change.
type lists struct {
	mu      sync.Mutex
	of      map[string]spamfilter.Ruling
	changed bool
}

func (l *lists) Of(host string) (spamfilter.Ruling, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.of[host], "the list"
}

func (l *lists) Changed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	was := l.changed
	l.changed = false
	return was
}

func (l *lists) set(host string, r spamfilter.Ruling) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of = map[string]spamfilter.Ruling{}
	}
	l.of[host], l.changed = r, true
}

// quiet is a log that nobody reads.
func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// scene is a world on a stage, late enough for all its farms.
type scene struct {
	world *spam.World
	web   *websim.Web
	at    time.Time
}

func newScene(t testing.TB, cfg spam.Config, seed uint64) *scene {
	t.Helper()
	world, err := spam.New(cfg, seed)
	if err != nil {
		t.Fatal(err)
	}
	web, err := world.Web()
	if err != nil {
		t.Fatal(err)
	}
	return &scene{world, web, world.Epoch().AddDate(1, 6, 0)}
}

func (s *scene) definition() crawl.Definition {
	def := crawl.Definition{Seeds: s.world.Seeds(4), Scope: scope.Definition{Mode: scope.Rules, Rules: []scope.Rule{{Name: "all", Do: scope.Accept, Scheme: []string{"http"}}}}, Workers: 4, MinDisk: -1}
	def.SpamSample = 8
	return def
}

// crawl runs a crawl of the scene in virtual time.
func (s *scene) crawl(t testing.TB, def crawl.Definition, opts crawl.Options) *rehearsal.Result {
	t.Helper()
	stage, err := rehearsal.New(s.web, rehearsal.Config{Start: s.at, Pace: time.Second, Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Close()
	res, err := stage.Crawl(t.Context(), t.TempDir(), def, opts)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// pages counts the pages that were asked for per host, by what the web logged.
func pages(res *rehearsal.Result) map[string]int {
	out := map[string]int{}
	for _, e := range res.Looks {
		if e.Status == 200 && e.Target != "/robots.txt" && e.Target != "/style.css" && !strings.HasPrefix(e.Target, "/img/") {
			out[e.Host]++
		}
	}
	return out
}

// events reads the events of a crawl.
func events(t testing.TB, dir string) (out []map[string]any) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var e map[string]any
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// With a perfect assessor the crawl takes no more than the sample of a spam host, and all of a normal one.
func TestPerfectAssessor(t *testing.T) {
	s := newScene(t, spam.Config{Hosts: 50, Scale: 0.4}, 3)
	all := pages(s.crawl(t, s.definition(), crawl.Options{Stages: stages.Set{}.Of}))
	res := s.crawl(t, s.definition(), crawl.Options{Stages: stages.Set{Spam: gate.Options{Assessor: oracle{s.world, s.at}}}.Of})
	got := pages(res)
	rep := res.Report.Spam
	if !res.Report.Complete || res.Report.Queued != 0 || rep == nil {
		t.Fatalf("%+v", res.Report)
	}
	rejected := int64(0)
	for _, h := range s.world.Hosts() {
		switch {
		case h.Spam && all[h.Name] > 4:
			if rejected++; got[h.Name] != 4 && got[h.Name] != 0 {
				t.Errorf("%s (%s): %d pages of %d", h.Name, h.Kind, got[h.Name], all[h.Name])
			}
		case !h.Spam && got[h.Name] < all[h.Name]*9/10:
			t.Errorf("%s (%s): %d pages of %d", h.Name, h.Kind, got[h.Name], all[h.Name])
		}
	}
	if rep.Hosts[spamfilter.Rejected] == 0 || rep.Hosts[spamfilter.Rejected] > rejected || rep.Spared == 0 || rep.SparedBytes == 0 || len(rep.Rejected) != int(rep.Hosts[spamfilter.Rejected]) {
		t.Errorf("of %d spam hosts: %+v", rejected, rep)
	}
	if res.Report.Refusals["spam"] != rep.Spared {
		t.Errorf("refused %v, spared %d", res.Report.Refusals, rep.Spared)
	}
	states, refused := 0, false
	for _, e := range events(t, res.Place.Dir) {
		if e["event"] == "host-state" && e["state"] == "rejected" {
			states++
		}
		if why, _ := e["why"].(string); e["event"] == "refused" && strings.HasPrefix(why, "spam: ") && strings.Contains(why, "pages of spam") {
			refused = true
		}
	}
	if states != int(rep.Hosts[spamfilter.Rejected]) || !refused {
		t.Errorf("%d events of %d rejections; refusals with a reason: %v", states, rep.Hosts[spamfilter.Rejected], refused)
	}
}

// broken fails, or knows nothing, or judges without measure.
type broken struct {
	oracle
	merge, assess error
	say           float64
}

func (b broken) Merge(s []byte, l [][]byte) ([]byte, error) {
	if b.merge != nil {
		return nil, b.merge
	}
	return b.oracle.Merge(s, l)
}

func (b broken) Assess(string, []byte) (gate.Assessment, error) {
	return gate.Assessment{Spamicity: b.say}, b.assess
}

// What an assessor cannot tell is archived; seeds are archived whatever it tells.
func TestBadAssessors(t *testing.T) {
	s := newScene(t, spam.Config{Hosts: 20, Scale: 0.4, Kinds: []string{"blog", "news", "dense"}}, 2)
	all := pages(s.crawl(t, s.definition(), crawl.Options{Stages: stages.Set{}.Of}))
	for name, a := range map[string]gate.Assessor{"merge": broken{merge: fmt.Errorf("no")}, "assess": broken{assess: fmt.Errorf("no")}} {
		res := s.crawl(t, s.definition(), crawl.Options{Stages: stages.Set{Spam: gate.Options{Assessor: a}}.Of})
		for host, n := range all {
			if got := pages(res)[host]; got != n {
				t.Errorf("%s: %d pages of %s, not %d", name, got, host, n)
			}
		}
		if res.Report.Spam.Hosts[spamfilter.Rejected] != 0 {
			t.Errorf("%s: %+v", name, res.Report.Spam)
		}
	}
	def := s.definition()
	def.Seeds = def.Seeds[:1]
	res := s.crawl(t, def, crawl.Options{Stages: stages.Set{Spam: gate.Options{Assessor: broken{say: 1}}}.Of})
	for host, n := range pages(res) {
		if seed := strings.Contains(def.Seeds[0], "/"+host+"/"); seed && n < all[host] || !seed && n > 4 {
			t.Errorf("seed %v: %d pages of %d of %s", seed, n, all[host], host)
		}
	}
}

// Rulings go before the assessor: a black host is not asked at all, a white one is never rejected.
func TestRulingsInCrawl(t *testing.T) {
	s := newScene(t, spam.Config{Hosts: 40, Scale: 0.4}, 5)
	all := pages(s.crawl(t, s.definition(), crawl.Options{Stages: stages.Set{}.Of}))
	l := &lists{}
	var black, white string
	for _, h := range s.world.Hosts() {
		if !h.Spam && all[h.Name] > 9 && !strings.Contains(strings.Join(s.definition().Seeds, " "), h.Name) {
			black = h.Name
		}
		if h.Spam && all[h.Name] > 9 {
			white = h.Name
		}
	}
	l.set(black, spamfilter.Refuse)
	l.set(white, spamfilter.Allow)
	res := s.crawl(t, s.definition(), crawl.Options{Stages: stages.Set{Spam: gate.Options{Assessor: oracle{s.world, s.at}, Rulings: l}}.Of})
	if got := pages(res); got[black] != 0 || got[white] < all[white]*8/10 {
		t.Errorf("black %s: %d pages; white %s: %d of %d", black, got[black], white, got[white], all[white])
	}
	if only := pages(s.crawl(t, s.definition(), crawl.Options{Stages: stages.Set{Spam: gate.Options{Rulings: l}}.Of})); only[black] != 0 {
		t.Errorf("without an assessor: %d pages of %s", only[black], black)
	}
}

// curator frees a host when the crawl looks for new rulings for the so-manieth time.
type curator struct {
	lists
	host  string
	after atomic.Int64
}

func (c *curator) Changed() bool {
	if c.after.Add(-1) == 0 {
		c.set(c.host, spamfilter.Allow)
	}
	return c.lists.Changed()
}

// A host that a curator gives back while the crawl runs is archived after all, with what was set aside.
func TestGivenBack(t *testing.T) {
	s := newScene(t, spam.Config{Hosts: 40, Scale: 0.4}, 5)
	all := pages(s.crawl(t, s.definition(), crawl.Options{Stages: stages.Set{}.Of}))
	host := ""
	for _, h := range s.world.Hosts() {
		if h.Kind == "stitched" || h.Kind == "stuffed" {
			host = h.Name
		}
	}
	c := &curator{host: host}
	c.after.Store(3)
	res := s.crawl(t, s.definition(), crawl.Options{Stages: stages.Set{Spam: gate.Options{Assessor: oracle{s.world, s.at}, Rulings: c}}.Of})
	if got := pages(res)[host]; got < all[host]*9/10 || res.Report.Spam.Hosts[spamfilter.GivenBack] != 1 {
		t.Errorf("%s: %d pages of %d; %+v", host, got, all[host], res.Report.Spam.Hosts)
	}
}
