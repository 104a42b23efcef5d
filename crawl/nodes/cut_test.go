package nodes_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"varve/cluster/nats"
	"varve/crawl/nodes"
	"varve/crawl/nodes/engine"
	"varve/crawl/polite"
	"varve/lab/natsd"
)

// reach waits until a run has captured something.
func reach(t *testing.T, m *member, urls int64) {
	t.Helper()
	for i := 0; m.run.Progress().URLs < urls; i++ {
		if i > 6000 {
			t.Fatalf("%s stands still: %+v", m.name, m.run.Progress())
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A node that is cut off for longer than its lease loses its sites to the others, and takes part again afterwards: all is captured, and twice only
// what was under way.
func TestCutOff(t *testing.T) {
	web := sites(t, 12, 60, 3)
	s := &setting{resolve: web.Resolve(), manners: polite.Fixed(4 * time.Millisecond), timing: quick(), expect: 2, parts: 16, def: webScope("http://site01.test/")}
	want := alone(t, s)
	memory := engine.NewMemory()
	handles := []*engine.Handle{memory.Join(), memory.Join()}
	next := -1
	members, dirs := together(t, s, 2, func() engine.Engine { next++; return handles[next] })
	reach(t, members[0], 40)
	handles[0].Cut(true)
	other := memory.Join()
	for i := 0; ; i++ { // until it was taken for dead
		o, err := nodes.Look(t.Context(), other, "test")
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Nodes) < 2 {
			break
		}
		if i > 3000 {
			t.Fatalf("the node that is cut off is not missed: %+v", o)
		}
		time.Sleep(10 * time.Millisecond)
	}
	handles[0].Cut(false)
	for _, m := range members {
		if rep := m.wait(t); !rep.Finished {
			t.Errorf("%s: %s", m.name, rep.Why)
		}
	}
	got := captured(t, dirs...)
	same(t, got, want)
	again := twice(got)
	t.Logf("%d URLs, %d of them captured twice", len(got), len(again))
	if most := s.def.Workers + 2*256; len(again) > most {
		t.Errorf("%d captured twice", len(again))
	}
}

// Of three NATS servers the one that leads the log is stopped during a crawl, and comes back: nothing is lost, nothing is captured twice.
func TestDrillLeader(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_DRILL is not set")
	}
	web := sites(t, 12, 300, 3)
	s := &setting{resolve: web.Resolve(), manners: polite.Fixed(4 * time.Millisecond), expect: 3, parts: 16, def: webScope("http://site01.test/")}
	want := alone(t, s)
	c, err := natsd.Start(t.TempDir(), natsd.Options{Servers: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	members, dirs := together(t, s, 3, func() engine.Engine {
		e, err := nats.Open(context.Background(), nats.Config{URL: c.URL(), Crawl: "test", Name: fmt.Sprint(time.Now().UnixNano())})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(e.Close)
		return e
	})
	reach(t, members[0], 100)
	leader := c.LeaderOf("varve-test")
	if leader < 0 {
		t.Fatal("nobody leads the log")
	}
	begun, before := time.Now(), members[0].run.Progress().URLs+members[1].run.Progress().URLs+members[2].run.Progress().URLs
	c.Halt(leader)
	for i := range members {
		reach(t, members[i], min(members[i].run.Progress().URLs+20, 200))
	}
	t.Logf("server %d stopped at %d URLs; all nodes had 20 more after %v", leader+1, before, time.Since(begun).Round(100*time.Millisecond))
	if err := c.Again(leader); err != nil {
		t.Fatal(err)
	}
	for _, m := range members {
		if rep := m.wait(t); !rep.Finished {
			t.Errorf("%s: %s", m.name, rep.Why)
		}
	}
	got := captured(t, dirs...)
	same(t, got, want)
	t.Logf("%d URLs, %d of them captured twice", len(got), len(twice(got)))
}
