package nodes_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"varve/crawl"
	"varve/crawl/control"
	"varve/crawl/nodes"
	"varve/crawl/polite"
	"varve/crawl/scope"
)

// steer sends a request to the control interface of a node.
func steer(t *testing.T, m *member, method, path, body string) string {
	t.Helper()
	w := httptest.NewRecorder()
	req := httptest.NewRequest(method, "/api/crawls/"+m.name+path, strings.NewReader(body))
	req.Header.Set("Varve-By", "a test")
	control.Of(m.run).Handler().ServeHTTP(w, req)
	if w.Code != http.StatusOK {
		t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	return w.Body.String()
}

// until waits for something that nodes will do.
func until(t *testing.T, what string, members []*member, ok func() bool) {
	t.Helper()
	for i := 0; !ok(); i++ {
		if i > 6000 {
			for _, m := range members {
				t.Logf("%s: %+v", m.name, m.run.Progress())
			}
			t.Fatal("never: " + what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A limit is of the crawl: three nodes together capture as many pages as one process would, not three times as many.
func TestLimits(t *testing.T) {
	t.Parallel()
	web := sites(t, 12, 60, 3)
	for name, limit := range map[string]struct {
		set  func(*crawl.Definition)
		why  string
		used func(crawl.Totals) int64
		most int64
		over int64 // by what is under way when it is reached
	}{
		"pages": {func(d *crawl.Definition) { d.MaxPages = 100 }, "max-pages reached", func(t crawl.Totals) int64 { return t.Pages }, 100, 0},
		"urls":  {func(d *crawl.Definition) { d.MaxURLs = 120 }, "max-urls reached", func(t crawl.Totals) int64 { return t.URLs }, 120, 3 * 4}, // robots.txt
		"bytes": {func(d *crawl.Definition) { d.MaxBytes = 300_000 }, "max-bytes reached", func(t crawl.Totals) int64 { return t.Bytes }, 300_000, 3 * 4 * 20_000},
	} {
		for engineName, join := range engines(t) {
			t.Run(name+"/"+engineName, func(t *testing.T) {
				s := &setting{resolve: web.Resolve(), manners: noDelay(), timing: quick(), expect: 3, parts: 16, def: webScope("http://site01.test/", "http://site05.test/")}
				limit.set(&s.def)
				members, _ := together(t, s, 3, join)
				var used int64
				for _, m := range members {
					rep := m.wait(t)
					used += limit.used(rep.Totals)
					if rep.Finished || rep.Why != limit.why {
						t.Errorf("%s: finished %v: %s", m.name, rep.Finished, rep.Why)
					}
				}
				if used < limit.most || used > limit.most+limit.over {
					t.Errorf("%d captured, the limit is %d", used, limit.most)
				}
				o, err := nodes.Look(t.Context(), join(), "test")
				if err != nil || o.State != "stopped: "+limit.why || limit.used(crawl.Totals{Pages: o.Together.Pages, URLs: o.Together.URLs, Bytes: o.Together.Bytes}) != used {
					t.Errorf("%+v %v", o, err)
				}
			})
		}
	}
}

// The time of a crawl is that in which nodes run: one that joins later does not begin it anew.
func TestTimeLimit(t *testing.T) {
	t.Parallel()
	web := sites(t, 12, 400, 3)
	s := &setting{resolve: web.Resolve(), manners: polite.Fixed(20 * time.Millisecond), timing: quick(), parts: 16, def: webScope("http://site01.test/")}
	s.def.MaxTime = scope.Duration(4 * time.Second)
	join := engines(t)["memory"]
	first, dirs := together(t, s, 1, join)
	reach(t, first[0], 10)
	late, err := s.start(t.Context(), join(), "late", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range append(first, late) {
		if rep := m.wait(t); rep.Finished || rep.Why != "max-time reached" {
			t.Errorf("%s: finished %v: %s", m.name, rep.Finished, rep.Why)
		}
	}
	o, err := nodes.Look(t.Context(), join(), "test")
	if err != nil || o.Together.Reached != "max-time reached" || o.Age < 4*time.Second {
		t.Errorf("%+v %v", o, err)
	}
	// Under a higher limit it goes on, with what was queued.
	if _, err := nodes.Order(t.Context(), join(), "test", func(o *crawl.Orders) error { o.Limits = &crawl.Limits{MaxPages: int64(100_000)}; return nil }); err != nil {
		t.Fatal(err)
	}
	again, err := s.start(t.Context(), join(), "n0", dirs[0])
	if err != nil {
		t.Fatal(err)
	}
	before := again.run.Progress().URLs
	until(t, "it goes on", []*member{again}, func() bool { return again.run.Progress().URLs > before+5 })
	again.run.Stop("enough")
	again.wait(t)
}

// What is decided at one node holds for all: pause, rules, limits, priorities; single URLs go to the node that has their site.
func TestSteering(t *testing.T) {
	t.Parallel()
	web := sites(t, 12, 80, 3)
	for name, join := range engines(t) {
		t.Run(name, func(t *testing.T) {
			s := &setting{
				resolve: web.Resolve(), manners: polite.Fixed(10 * time.Millisecond), timing: quick(), expect: 3, parts: 16,
				def: webScope("http://site01.test/"),
			}
			members, dirs := together(t, s, 3, join)
			reach(t, members[0], 20)
			steer(t, members[1], "POST", "/pause", "")
			paused := func() bool {
				for _, m := range members {
					if state, why := m.run.State(); state != crawl.Paused || why != "by a test" {
						return false
					}
				}
				return true
			}
			until(t, "all pause", members, paused)
			until(t, "nothing is under way", members, func() bool {
				for _, m := range members {
					if m.run.Usage().Busy > 0 {
						return false
					}
				}
				return true
			})
			// One that joins now waits as well.
			dirs = append(dirs, t.TempDir())
			late, err := s.start(t.Context(), join(), "late", dirs[3])
			if err != nil {
				t.Fatal(err)
			}
			members = append(members, late)
			until(t, "the late one pauses", members, paused)
			sumOf := func() (n int64) {
				for _, m := range members {
					n += m.run.Progress().URLs
				}
				return n
			}
			urls := sumOf()
			until(t, "the sums are told", members, func() bool {
				for _, m := range members {
					if p := m.run.Progress().Together; p.URLs != urls || len(p.Nodes) != 4 {
						return false
					}
				}
				return true
			})
			// Rules, priorities, single URLs: asked of the last node.
			steer(t, late, "PUT", "/scope", "scope = \"web\"\n[[rule]]\ndo = \"reject\"\nhost = [\"site07.test\"]\n")
			steer(t, late, "POST", "/priorities", `{"prefix":"site03.test/","score":0.9}`)
			steer(t, late, "POST", "/urls", `[{"url":"http://site09.test/added-by-hand","score":1},{"url":"http://site02.test/never","blacklist":true,"reason":"test"},{"url":"http://site11.test/added-too","score":0.5}]`)
			until(t, "all have the rules", members, func() bool {
				for _, m := range members {
					if len(m.run.Rules().Definition().Rules) != 1 {
						return false
					}
				}
				return true
			})
			steer(t, members[2], "POST", "/resume", "")
			for _, m := range members {
				if rep := m.wait(t); !rep.Finished {
					t.Errorf("%s: %s", m.name, rep.Why)
				}
			}
			got := captured(t, dirs...)
			for _, u := range []string{"http://site09.test/added-by-hand", "http://site11.test/added-too"} {
				if got[u] != 1 {
					t.Errorf("%s was captured %d times", u, got[u])
				}
			}
			if got["http://site02.test/never"] != 0 {
				t.Error("what was barred was captured")
			}
			seven := 0
			for u := range got {
				if strings.HasPrefix(u, "http://site07.test/") {
					seven++
				}
			}
			t.Logf("%d URLs; %d of the site that the rules left out later; %d before the pause", len(got), seven, urls)
			if again := twice(got); len(again) > 0 {
				t.Errorf("captured twice: %.300v", again)
			}
		})
	}
}

// A limit that is lowered or raised while nodes run is obeyed by all; an order to stop ends all, and holds until it is lifted.
func TestOrdersWhileRunning(t *testing.T) {
	t.Parallel()
	web := sites(t, 12, 400, 3)
	s := &setting{resolve: web.Resolve(), manners: polite.Fixed(5 * time.Millisecond), timing: quick(), expect: 3, parts: 16, def: webScope("http://site01.test/")}
	s.def.MaxPages = 100_000
	join := engines(t)["memory"]
	members, dirs := together(t, s, 3, join)
	reach(t, members[0], 30)
	steer(t, members[2], "POST", "/pause", "")
	var most int64
	until(t, "all pause", members, func() bool {
		most = 60
		for _, m := range members {
			if state, _ := m.run.State(); state != crawl.Paused || m.run.Usage().Busy > 0 {
				return false
			}
			most += m.run.Usage().Pages
		}
		return true
	})
	steer(t, members[0], "PUT", "/limits", fmt.Sprintf(`{"maxPages":%d}`, most))
	steer(t, members[1], "POST", "/resume", "")
	var pages int64
	for _, m := range members {
		rep := m.wait(t)
		pages += rep.Pages
		if rep.Why != "max-pages reached" {
			t.Errorf("%s: %s", m.name, rep.Why)
		}
	}
	if pages != most {
		t.Errorf("%d pages, the limit was lowered to %d", pages, most)
	}
	if _, err := nodes.Order(t.Context(), join(), "test", func(o *crawl.Orders) error {
		o.Limits, o.Stopped, o.Why = &crawl.Limits{}, true, "by a test"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	again, err := s.start(t.Context(), join(), "n0", dirs[0])
	if err != nil {
		t.Fatal(err)
	}
	if rep := again.wait(t); rep.Finished || rep.Why != "by a test" {
		t.Errorf("an order to stop: %v %s", rep.Finished, rep.Why)
	}
}
