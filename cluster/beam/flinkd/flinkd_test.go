package flinkd

import (
	"os"
	"testing"
	"time"
)

// A cluster comes up, loses a TaskManager, gets another, and leaves nothing behind.
func TestDrillCluster(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1 runs it")
	}
	jars, err := Jars(t.Context())
	if err != nil {
		t.Skip(err)
	}
	start := time.Now()
	c, err := Start(t.Context(), jars, t.TempDir(), 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("up in %s, %v, CPU %v", time.Since(start).Round(time.Second), c.RSS(), c.CPU())
	if err := c.Kill(0); err != nil {
		t.Error(err)
	}
	if err := c.Stop(); err != nil {
		t.Error(err)
	}
	if left := c.Left(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
