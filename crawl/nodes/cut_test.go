package nodes_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
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
	t.Parallel()
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

// cutter passes connections on, until it is cut: then nothing goes through, either way, and nobody is told.
type cutter struct {
	l  net.Listener
	to string

	mu    sync.Mutex
	again *sync.Cond
	cut   bool
	done  bool
	conns []net.Conn
	wg    sync.WaitGroup
}

func newCutter(t *testing.T, to string) *cutter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{l: l, to: to}
	c.again = sync.NewCond(&c.mu)
	c.wg.Go(c.accept)
	t.Cleanup(func() {
		l.Close()
		c.mu.Lock()
		c.done = true
		for _, conn := range c.conns {
			conn.Close()
		}
		c.again.Broadcast()
		c.mu.Unlock()
		c.wg.Wait()
	})
	return c
}

func (c *cutter) set(cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut = cut
	c.again.Broadcast()
}

func (c *cutter) accept() {
	for {
		in, err := c.l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", c.to)
		if err != nil {
			in.Close()
			continue
		}
		c.mu.Lock()
		c.conns = append(c.conns, in, out)
		c.mu.Unlock()
		c.wg.Go(func() { c.pass(in, out) })
		c.wg.Go(func() { c.pass(out, in) })
	}
}

func (c *cutter) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		c.mu.Lock()
		for c.cut && !c.done {
			c.again.Wait()
		}
		c.mu.Unlock()
		if n > 0 {
			if _, werr := to.Write(buf[:n]); werr != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// The network between one of three nodes and NATS is cut for 15 seconds, longer than its lease of ten: others go on with its sites, it comes back; all is captured, and
// twice only what was under way.
func TestDrillNetworkCut(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_DRILL is not set")
	}
	web := sites(t, 12, 300, 3)
	s := &setting{resolve: web.Resolve(), manners: polite.Fixed(25 * time.Millisecond), expect: 3, parts: 16, def: webScope("http://site01.test/")}
	quickly := *s
	quickly.manners = noDelay()
	want := alone(t, &quickly)
	c, err := natsd.Start(t.TempDir(), natsd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	wire := newCutter(t, strings.TrimPrefix(c.URL(), "nats://"))
	joined := 0
	open := func() engine.Engine {
		url := c.URL()
		if joined++; joined == 1 {
			url = "nats://" + wire.l.Addr().String()
		}
		e, err := nats.Open(context.Background(), nats.Config{URL: url, Crawl: "test", Name: fmt.Sprint("node ", joined)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(e.Close)
		return e
	}
	members, dirs := together(t, s, 3, open)
	reach(t, members[0], 40)
	look := open()
	begun := time.Now()
	wire.set(true)
	var missed time.Duration
	for time.Since(begun) < 15*time.Second {
		if o, err := nodes.Look(t.Context(), look, "test"); err == nil && missed == 0 && len(o.Nodes) == 2 && o.Orphans+o.Released == 0 {
			missed = time.Since(begun)
		}
		time.Sleep(50 * time.Millisecond)
	}
	wire.set(false)
	back := time.Now()
	until(t, "the node is back", members, func() bool {
		o, err := nodes.Look(t.Context(), look, "test")
		return err == nil && (o.State == "complete" || len(o.Nodes) == 3 && o.Orphans+o.Released == 0)
	})
	t.Logf("cut off for 15s: its sites had another owner after %v; it was back %v after the network", missed.Round(100*time.Millisecond), time.Since(back).Round(100*time.Millisecond))
	if missed == 0 {
		t.Error("nobody took the sites of the node that was cut off")
	}
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
