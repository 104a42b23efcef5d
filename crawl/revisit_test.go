package crawl_test

import (
	"bufio"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"varve/lab/chance"

	"varve/archive/warc"
	"varve/clock"
	"varve/coherence"
	"varve/crawl"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// look is one look at a page, as its records tell it.
type look struct {
	url, id, kind, status, pass, group, defect, unchanged, visit, profile, refers string
	order                                                                         int
	broken                                                                        bool // the answer broke off: it is no look yet
}

func looksOf(t testing.TB, dir string) []look {
	t.Helper()
	l := lookList{byID: map[string]int{}}
	eachRecord(t, dir, func(rec *warc.Record) { l.add(t, rec) })
	return l.looks
}

// lookList puts the looks together from their records.
type lookList struct {
	looks []look
	byID  map[string]int
}

func (l *lookList) add(t testing.TB, rec *warc.Record) {
	t.Helper()
	switch rec.Type() {
	case warc.TypeResponse, warc.TypeRevisit:
		h, err := rec.HTTP()
		if err != nil {
			t.Fatal(err)
		}
		l.byID[rec.ID()] = len(l.looks)
		l.looks = append(l.looks, look{
			url: rec.TargetURI(), id: rec.ID(), kind: rec.Type(), status: fmt.Sprint(h.Status), order: len(l.looks),
			profile: rec.Header.Get(warc.FieldProfile), refers: rec.Header.Get(warc.FieldRefersTo), broken: brokenOff(rec),
		})
	case warc.TypeMetadata:
		at, ok := l.byID[rec.Header.Get(warc.FieldConcurrentTo)]
		if !ok {
			at = len(l.looks)
			l.looks = append(l.looks, look{url: rec.TargetURI(), order: at})
		}
		l.looks[at].read(rec)
	}
}

func (l *look) read(rec *warc.Record) {
	lines := bufio.NewScanner(rec.Block)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "pass":
			l.pass = value
		case "group":
			l.group = value
		case "defect":
			l.defect = value
		case "unchanged":
			l.unchanged = value
		case "visit-record":
			l.visit = value
		}
	}
}

// Every page is visited and then visited again, in the order asked for.
func TestRevisitOrders(t *testing.T) {
	for _, kind := range []coherence.RevisitKind{coherence.FIFO, coherence.LIFO, coherence.Plan} {
		t.Run(string(kind), func(t *testing.T) {
			s := simulateSpec(t, flatSite(t, 40), 5)
			place := placeIn(t.TempDir())
			def := hostScope(s.Seeds()...)
			def.Revisit = kind
			rep := complete(t, newEngine(t, s, noDelay()), place, def)
			looks := looksOf(t, place.WarcDir)
			var first, second []string
			for _, l := range looks {
				switch l.pass {
				case "visit":
					first = append(first, l.url)
					if len(second) > 0 {
						t.Errorf("%s is visited after the revisits have begun", l.url)
					}
				case "revisit":
					second = append(second, l.url)
					if l.defect != "" || !strings.HasPrefix(l.unchanged, "bytes") || l.kind != warc.TypeRevisit || l.refers != l.visit {
						t.Errorf("a page that never changes: %+v", l)
					}
				}
			}
			if len(first) != 40 || len(first) != len(second) {
				t.Errorf("%d visits, %d revisits", len(first), len(second))
			}
			for i := range second {
				want := i
				if kind == coherence.LIFO {
					want = len(first) - 1 - i
				}
				if kind != coherence.Plan && second[i] != first[want] {
					t.Errorf("revisit %d is of %s, want %s", i, second[i], first[want])
					break
				}
			}
			checkTotals(t, place)
			if len(rep.Groups) != 1 || rep.Groups[0].Revisited != int64(len(second)) || rep.Groups[0].Unchanged["bytes"] != int64(len(second)) {
				t.Errorf("groups %+v", rep.Groups)
			}
			if left, _ := filepath.Glob(filepath.Join(place.Dir, "frontier")); len(left) > 0 {
				t.Error("the frontier is still there")
			}
		})
	}
}

// SIGKILL at random moments of visits and revisits, each time with resume: every page is visited once and
// revisited once, in the order planned but for what was under way, and the report says what is in the files.
func TestKilledRevisits(t *testing.T) {
	s := simulateSpec(t, flatSite(t, 400), 5)
	rng := chance.Rand(t, 62)
	left := kills() / 2
	for crawls := 0; left > 0; crawls++ {
		dir := t.TempDir()
		killed := 0
		for ; !crawlAndKill(t, s, dir, rng, left > 0 && killed < 12, killAgainEnv+"=lifo"); killed++ {
			left--
		}
		place := placeIn(dir)
		var first, second []string
		for _, l := range looksOf(t, place.WarcDir) {
			switch {
			case l.pass == "visit":
				first = append(first, l.url)
			case l.pass == "revisit" && l.status != "":
				second = append(second, l.url)
			}
		}
		checkOnce(t, "visited", first)
		checkOnce(t, "revisited", second)
		if len(first) != 400 || len(second) != 400 {
			t.Errorf("%d visits, %d revisits of 400 pages", len(first), len(second))
		}
		slices.Reverse(first)
		if n := outOfOrder(first, second); n > 2*killed {
			t.Errorf("%d of the revisits are out of order after %d kills", n, killed)
		}
		checkTotals(t, place)
		rep, err := crawl.ReadReport(place.Dir)
		if err != nil || len(rep.Groups) != 1 || rep.Groups[0].Visited != 400 || rep.Groups[0].Unchanged["bytes"] != 400 {
			t.Errorf("%+v (%v)", rep.Groups, err)
		}
		t.Logf("crawl %d: killed %d times, %d revisits out of order", crawls, killed, outOfOrder(first, second))
	}
}

func checkOnce(t *testing.T, what string, urls []string) {
	t.Helper()
	n := map[string]int{}
	for _, u := range urls {
		if n[u]++; n[u] == 2 {
			t.Errorf("%s was %s twice", u, what)
		}
	}
}

// outOfOrder counts the places at which an order is not the one wanted.
func outOfOrder(want, got []string) (n int) {
	place := map[string]int{}
	for i, u := range want {
		place[u] = i
	}
	for i := 1; i < len(got); i++ {
		if place[got[i]] < place[got[i-1]] {
			n++
		}
	}
	return n
}

// restlessSite changes while it is crawled: the server's clock runs 2,000 times as fast as ours.
const restlessSite = `
span = "30d"
[[site]]
host = "{n}.sim.test"
count = 3
pages = 40
assets = 10
size.html = { mean = 3000, sigma = 0.2 }
[[site.change]]
type = ["html"]
every = "15m"
spread = "exponential"
kinds = { content = 1, token = 2 }
[[site.serve]]
share = 0.5
etag = "off"
last_modified = "off"
`

// Over real connections too the verdict is the version that the server logged for each request, for hosts that are
// visited beside each other, each with its own reference point.
func TestVerdictsOnLoopback(t *testing.T) {
	spec, err := websim.Load("test.toml", []byte(restlessSite))
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 2000)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	place := placeIn(t.TempDir())
	def := hostScope(s.Seeds()...)
	def.Revisit = coherence.Plan
	rep := complete(t, newEngine(t, s, noDelay()), place, def)
	versions := map[string][]string{}
	for _, e := range s.Log().Entries() {
		versions[e.URL()] = append(versions[e.URL()], e.Version)
	}
	counts := map[string]int{}
	for _, l := range looksOf(t, place.WarcDir) {
		if l.pass != "revisit" {
			continue
		}
		v := versions[l.url]
		if len(v) != 2 {
			t.Fatalf("%s was asked for %d times", l.url, len(v))
		}
		same := v[0] == v[1]
		if same != (l.defect == "") || same != strings.HasPrefix(l.unchanged, "bytes") {
			t.Errorf("%s: %v, but the record says %q, unchanged %s", l.url, v, l.defect, l.unchanged)
		}
		if tokens := regexp.MustCompile(`\.t\d+`); tokens.ReplaceAllString(v[0], "") == tokens.ReplaceAllString(v[1], "") && !strings.Contains(l.unchanged, "text") {
			t.Errorf("%s: %v is noise, but unchanged are %q", l.url, v, l.unchanged)
		}
		counts[fmt.Sprint(same)]++
		counts[l.group]++
		counts[l.kind+" "+l.status]++
	}
	t.Log(counts)
	if counts["true"] == 0 || counts["false"] == 0 || counts["revisit 304"] == 0 || counts["revisit 200"] == 0 || counts["response 200"] == 0 {
		t.Error("not all kinds of revisits were met: the test tests less than it should")
	}
	if len(rep.Groups) != 3 || counts["host:01.sim.test"] == 0 {
		t.Errorf("groups %+v", rep.Groups)
	}
}
