package nodes_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"varve/cluster/nats"
	"varve/crawl"
	"varve/crawl/nodes"
	"varve/crawl/nodes/engine"
	"varve/crawl/polite"
	"varve/lab/chance"
	"varve/lab/natsd"
	"varve/lab/websim/server"
)

// The environment that makes this test binary a node that another process kills.
const (
	nodeDirEnv     = "VARVE_TEST_NODE_DIR"
	nodeNameEnv    = "VARVE_TEST_NODE_NAME"
	nodeURLEnv     = "VARVE_TEST_NODE_NATS"
	nodeResolveEnv = "VARVE_TEST_NODE_RESOLVE"
)

// killed is the setting of the nodes that are killed.
func killed(resolve []string) *setting {
	return &setting{resolve: resolve, manners: polite.Fixed(killDelay()), timing: quick(), expect: 3, parts: 16, seal: 20_000, def: webScope("http://site01.test/")}
}

// nodeUntilKilled takes part in a crawl to its end, if it gets there.
func nodeUntilKilled() int {
	ctx := context.Background()
	e, err := nats.Open(ctx, nats.Config{URL: os.Getenv(nodeURLEnv), Crawl: "killed", Name: os.Getenv(nodeNameEnv)})
	if err != nil {
		fmt.Println(err)
		return 2
	}
	defer e.Close()
	m, err := killed(strings.Fields(os.Getenv(nodeResolveEnv))).start(ctx, e, os.Getenv(nodeNameEnv), os.Getenv(nodeDirEnv))
	if errors.Is(err, nodes.ErrEnded) || errors.Is(err, crawl.ErrComplete) {
		return 0
	}
	if err != nil {
		fmt.Println(err)
		return 2
	}
	defer time.AfterFunc(4*time.Minute, func() { fmt.Fprintln(os.Stderr, m.name, m.node.Dump(), m.run.Progress()) }).Stop()
	rep, err := m.run.Wait()
	if err != nil || !rep.Finished {
		fmt.Println(rep, err)
		return 2
	}
	return 0
}

func spawn(t *testing.T, c *natsd.Cluster, web *server.Server, name, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), nodeDirEnv+"="+dir, nodeNameEnv+"="+name, nodeURLEnv+"="+c.URL(), nodeResolveEnv+"="+strings.Join(web.Resolve(), " "))
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

// killDelay has a drill's crawl go on for long enough to be killed in the middle of it.
func killDelay() time.Duration {
	if os.Getenv("VARVE_DRILL") != "" {
		return 15 * time.Millisecond
	}
	return time.Millisecond
}

// atWork reports whether a node has something under way or queued: a kill now hits.
func atWork(t *testing.T, e engine.Engine, node string) bool {
	t.Helper()
	o, err := nodes.Look(t.Context(), e, "killed")
	if err != nil {
		return false
	}
	for _, s := range o.Nodes {
		if s.Node == node {
			return s.State == "running" && s.Queued > 0
		}
	}
	return false
}

// kills is how often a node is killed: twice in a test run, 20 times in `make drill-cluster`.
func kills() int {
	if os.Getenv("VARVE_DRILL") != "" {
		return 20
	}
	return 2
}

// SIGKILL of nodes at random moments: others go on with their sites, they come back on their directories; all is captured in the end, and
// twice only what was under way at a kill.
func TestKilledNodes(t *testing.T) {
	t.Parallel()
	rng := chance.Rand(t, 24)
	left := kills()
	pages := 60
	if os.Getenv("VARVE_DRILL") != "" {
		pages = 400
	}
	for round := 0; left > 0; round++ {
		web := sites(t, 12, pages, 3)
		s := killed(web.Resolve())
		want := alone(t, s)
		c, err := natsd.Start(t.TempDir(), natsd.Options{})
		if err != nil {
			t.Fatal(err)
		}
		look, err := nats.Open(t.Context(), nats.Config{URL: c.URL(), Crawl: "killed", Name: "look"})
		if err != nil {
			t.Fatal(err)
		}
		dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
		cmds := make([]*exec.Cmd, 3)
		ends := make([]chan error, 3)
		run := func(i int) {
			cmds[i] = spawn(t, c, web, fmt.Sprintf("n%d", i), dirs[i])
			end := make(chan error, 1)
			ends[i] = end
			cmd := cmds[i]
			go func() { end <- cmd.Wait() }()
		}
		for i := range cmds {
			run(i)
		}
		done, hits := 0, 0
		var slowest time.Duration
		for ; left > 0 && done < 8; done++ {
			time.Sleep(time.Duration(500+rng.IntN(1500)) * time.Millisecond) // the moment of the kill; nothing waits for it
			i := rng.IntN(3)
			if atWork(t, look, fmt.Sprintf("n%d", i)) {
				hits++
				left--
			} else if o, err := nodes.Look(t.Context(), look, "killed"); err == nil && o.State == "complete" {
				break
			}
			_ = cmds[i].Process.Kill()
			<-ends[i]
			if rng.IntN(2) == 0 { // else it comes back before its lease is over
				time.Sleep(2500 * time.Millisecond)
			}
			begun := time.Now()
			run(i)
			for range 3000 { // until it works again, or all is done
				o, err := nodes.Look(t.Context(), look, "killed")
				if err == nil && (o.State == "complete" || o.Orphans+o.Released == 0 && len(o.Nodes) == 3) {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			slowest = max(slowest, time.Since(begun))
		}
		if done == 0 {
			left = max(left-1, 0) // a crawl that was over before anything could be killed: not for ever
		}
		for i := range ends {
			select {
			case err := <-ends[i]:
				if err != nil {
					t.Fatalf("node %d: %v", i, err)
				}
			case <-time.After(5 * time.Minute): // a slow machine is no fault
				e, err := nats.Open(t.Context(), nats.Config{URL: c.URL(), Crawl: "killed"})
				if err == nil {
					o, err := nodes.Look(t.Context(), e, "killed")
					t.Logf("%+v %v", o, err)
					e.Close()
				}
				t.Fatalf("node %d does not end", i)
			}
		}
		got := captured(t, dirs...)
		same(t, got, want)
		again := twice(got)
		// Under way at a kill: the visits of the workers, and those that wait for their commit or are in it.
		if most := done * (s.def.Workers + 2*256); len(again) > most {
			t.Errorf("%d captured twice after %d kills", len(again), done)
		}
		for u, n := range got {
			if n > 1+done {
				t.Errorf("%s was captured %d times", u, n)
			}
		}
		t.Logf("round %d: %d kills, %d of them while the node had work; all sites owned again after %v at most; %d URLs, %d of them captured twice", round, done, hits, slowest.Round(10*time.Millisecond), len(got), len(again))
		look.Close()
		c.Stop()
	}
}
