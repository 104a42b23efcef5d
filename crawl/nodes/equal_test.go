package nodes_test

import (
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/coherence"
	"varve/crawl"
	"varve/crawl/nodes/engine"
	"varve/crawl/polite"
	"varve/crawl/stages"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// requests are the instants at which the server read requests, by host and by address.
func requests(log []websim.Entry) map[string][]time.Time {
	out := map[string][]time.Time{}
	for _, e := range log {
		addr, _, err := net.SplitHostPort(e.Local)
		if err != nil {
			addr = e.Local
		}
		for _, key := range []string{"host " + e.Host, "address " + addr} {
			out[key] = append(out[key], e.Time)
		}
	}
	for _, list := range out {
		slices.SortFunc(list, time.Time.Compare)
	}
	return out
}

// least is the shortest time that any k+1 requests in a row took.
func least(at []time.Time, k int) time.Duration {
	short := time.Duration(math.MaxInt64)
	for i := k; i < len(at); i++ {
		short = min(short, at[i].Sub(at[i-k]))
	}
	return short
}

// The same site set crawled by one process and by three nodes: the same URLs are captured, and the log of the server shows the same rests.
//
// At a host the rest begins when the crawler has the answer, so that no two requests can be read closer together than the rest, however slow the
// machine is. At an address it counts from the start of a request, which the server reads a little later: there, as many requests as a
// few rests are long are looked at together, with room for one that was read late. Nodes that did not know of each other would be three times as fast.
func TestEqualGaps(t *testing.T) {
	const rest, together3, late = 20 * time.Millisecond, 25, 250 * time.Millisecond
	for _, addrs := range []int{1, 3} {
		for name, join := range engines(t) {
			t.Run(fmt.Sprintf("%d addresses/%s", addrs, name), func(t *testing.T) {
				setup := func() (*setting, *server.Server) {
					web := sites(t, 8, 7, addrs)
					return &setting{resolve: web.Resolve(), manners: polite.Fixed(rest), timing: quick(), expect: 3, parts: 16, def: webScope("http://site01.test/", "http://site05.test/")}, web
				}
				s, web := setup()
				want, one := alone(t, s), requests(web.Log().Since(0))
				s, web = setup()
				members, dirs := together(t, s, 3, join)
				for _, m := range members {
					if rep := m.wait(t); !rep.Finished {
						t.Errorf("%s: %s", m.name, rep.Why)
					}
				}
				got, many := captured(t, dirs...), requests(web.Log().Since(0))
				same(t, got, want)
				if again := twice(got); len(again) > 0 {
					t.Errorf("captured twice: %.300v", again)
				}
				if len(one) != len(many) {
					t.Errorf("%d hosts and addresses, %d with one process", len(many), len(one))
				}
				addresses := 0
				for key, list := range many {
					if strings.HasPrefix(key, "host ") {
						if a, b := least(list, 1), least(one[key], 1); a < rest || b < rest {
							t.Errorf("%s: two requests within %v by nodes, %v by one process", key, a, b)
						}
						continue
					}
					addresses++
					a, b := least(list, together3), least(one[key], together3)
					t.Logf("%s: %d requests by nodes, %d by one process; %d rests took at least %v and %v", key, len(list), len(one[key]), together3, a, b)
					if due := together3*rest - late; a < due {
						t.Errorf("%s: %d requests of nodes within %v", key, together3+1, a)
					}
				}
				if addresses != addrs {
					t.Errorf("%d addresses", addresses)
				}
			})
		}
	}
}

// groupsOf counts the visits and revisits of planned groups.
func groupsOf(reps ...*crawl.Report) map[string][2]int64 {
	out := map[string][2]int64{}
	for _, r := range reps {
		for _, g := range r.Groups {
			was := out[g.Group]
			out[g.Group] = [2]int64{was[0] + g.Visited, was[1] + g.Revisited}
		}
	}
	return out
}

func planned(seeds ...string) crawl.Definition {
	def := webScope(seeds...)
	def.Coherence = crawl.Coherence{Revisit: coherence.Plan, GroupBy: crawl.ByHost}
	return def
}

// A planned crawl on three nodes: a site has one owner and one plan. Every page is visited and revisited once, and the groups are those of one process, with the same
// numbers of pages.
func TestPlanned(t *testing.T) {
	t.Parallel()
	web := sites(t, 8, 20, 3)
	s := &setting{resolve: web.Resolve(), manners: polite.Fixed(2 * time.Millisecond), timing: quick(), expect: 3, parts: 16, def: planned("http://site01.test/"), stages: stages.Set{}}
	dir := t.TempDir()
	m, err := s.start(t.Context(), nil, "alone", dir)
	if err != nil {
		t.Fatal(err)
	}
	one := m.wait(t)
	want, wantGroups := captured(t, dir), groupsOf(one)
	if len(wantGroups) < 8 {
		t.Fatalf("one process has %d groups", len(wantGroups))
	}
	for name, join := range engines(t) {
		t.Run(name, func(t *testing.T) {
			members, dirs := together(t, s, 3, join)
			var reps []*crawl.Report
			owner := map[string]string{}
			for _, m := range members {
				rep := m.wait(t)
				reps = append(reps, rep)
				if !rep.Finished {
					t.Errorf("%s: %s", m.name, rep.Why)
				}
				for _, g := range rep.Groups {
					if other := owner[g.Group]; other != "" && other != m.name {
						t.Errorf("group %s is planned by %s and %s", g.Group, other, m.name)
					}
					owner[g.Group] = m.name
				}
			}
			got := captured(t, dirs...)
			same(t, got, want)
			for u, n := range got {
				if n != want[u] {
					t.Errorf("%s was captured %d times, by one process %d times", u, n, want[u])
				}
			}
			for g, n := range groupsOf(reps...) {
				if n != wantGroups[g] {
					t.Errorf("%s: %d visits and revisits, by one process %d", g, n, wantGroups[g])
				}
			}
			if len(owner) != len(wantGroups) {
				t.Errorf("%d groups, one process has %d", len(owner), len(wantGroups))
			}
			t.Logf("%d URLs, %d groups", len(got), len(owner))
		})
	}
}

// A partition that moves during a planned crawl takes its plan along: pages are visited and revisited once, wherever.
func TestPlannedMoves(t *testing.T) {
	t.Parallel()
	web := sites(t, 12, 40, 3)
	s := &setting{resolve: web.Resolve(), manners: polite.Fixed(4 * time.Millisecond), timing: quick(), parts: 16, def: planned("http://site01.test/")}
	memory := engine.NewMemory()
	dirs := []string{t.TempDir(), t.TempDir()}
	want := alone(t, s)
	first, err := s.start(t.Context(), memory.Join(), "n0", dirs[0])
	if err != nil {
		t.Fatal(err)
	}
	reach(t, first, 60)
	second, err := s.start(t.Context(), memory.Join(), "n1", dirs[1])
	if err != nil {
		t.Fatal(err)
	}
	reach(t, second, 60)
	second.run.Stop("the operator stopped it")
	gone := second.wait(t)
	rep := first.wait(t)
	if !rep.Finished || gone.Finished {
		t.Errorf("finished %v: %s; the one that left %v: %s", rep.Finished, rep.Why, gone.Finished, gone.Why)
	}
	got := captured(t, dirs...)
	same(t, got, want)
	var once, more int
	for u, n := range got {
		switch {
		case n < want[u]:
			once++
		case n > want[u]:
			more++
		}
	}
	t.Logf("%d URLs; %d by the node that came and went; %d were not seen again, %d more often than by one process", len(got), len(captured(t, dirs[1])), once, more)
	if once > 0 || more > 0 {
		t.Errorf("%d URLs were not seen again, %d more often than by one process", once, more)
	}
}
