package cluster_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"varve/lab/cluster"
)

// Services start in their order, one that ends is waited for, one that should not have ended is a fault, and Stop ends the rest.
func TestServices(t *testing.T) {
	var log bytes.Buffer
	c := &cluster.Cluster{Network: cluster.NewNetwork(t.Context(), []string{"a"}, true), Log: &log}
	defer c.Stop()
	if c.Network.Why() == "" || c.Network.Addr("a") != "127.0.0.1" {
		t.Errorf("%q %s", c.Network.Why(), c.Network.Addr("a"))
	}
	err := c.Start(
		t.Context(),
		cluster.Service{Name: "stays", Machine: "a", Program: "sleep", Args: []string{"600"}},
		cluster.Service{Name: "ends", Machine: "a", Program: "echo", Args: []string{"done"}, Ends: true},
	)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	if got := log.String(); got != "ends: done\n" {
		t.Errorf("%q", got)
	}
	if err := c.Kill("stays"); err != nil {
		t.Error(err)
	}
	if err := c.Wait(t.Context()); err == nil || !strings.Contains(err.Error(), "stays has ended") {
		t.Errorf("%v", err)
	}
	bad := cluster.Service{Name: "bad", Machine: "a", Program: "false", Ready: func(context.Context) error { return os.ErrNotExist }}
	if err := c.Start(t.Context(), bad); err == nil || !strings.Contains(err.Error(), "bad") {
		t.Errorf("%v", err)
	}
}

// In namespaces machines reach each other, and one that is cut off is not reached.
func TestDrillNamespaces(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_DRILL is not set")
	}
	n := cluster.NewNetwork(t.Context(), []string{"a", "b"}, false)
	defer n.Close()
	if n.Why() != "" {
		t.Skip("no namespaces: " + n.Why())
	}
	if _, err := exec.LookPath("ping"); err != nil {
		t.Skip("no ping")
	}
	reach := func() bool {
		ctx, end := context.WithTimeout(t.Context(), 10*time.Second)
		defer end()
		return n.Command(ctx, "a", "ping", "-c", "1", "-W", "2", n.Addr("b")).Run() == nil
	}
	if !reach() {
		t.Fatal("a does not reach b")
	}
	if err := n.Cut("b", true); err != nil {
		t.Fatal(err)
	}
	if reach() {
		t.Error("a reaches b, which is cut off")
	}
	if err := n.Cut("b", false); err != nil {
		t.Fatal(err)
	}
	if !reach() {
		t.Error("b does not come back")
	}
}
