package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"varve"
)

// Program gives a crawler that runs varve as a process of its own, with the flags for each mode.
func Program(path string, more ...string) Crawler {
	return func(ctx context.Context, j Job) (Cost, error) {
		capture := map[Mode]string{Parser: "parser", Routed: "auto", Browser: "browser"}[j.Mode]
		args := []string{
			"crawl", j.Seed, "--archive", j.Archive, "--collection", Collection, "--capture", capture,
			"--delay", "0s", "--retries", "-1", "--max-time", "20m", "--no-index", "--no-history", "--quiet", "--json",
		}
		for _, r := range j.Resolve {
			args = append(args, "--resolve", r)
		}
		c := exec.CommandContext(ctx, path, append(args, more...)...)
		c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
		c.WaitDelay = 20 * time.Second
		cost, err := runWatched(c)
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == varve.ExitFindings {
			err = nil // the crawl says itself that something is missing, and how much is what is measured
		}
		return cost, err
	}
}

// scanEvery is how often the processes are looked at.
const scanEvery = 50 * time.Millisecond

// runWatched runs a program to its end and adds up what it and its children use.
func runWatched(c *exec.Cmd) (Cost, error) {
	var out tail
	c.Stdout, c.Stderr = &out, &out
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	start := time.Now()
	if err := c.Start(); err != nil {
		return Cost{}, err
	}
	used, err := Watch(c.Process.Pid)
	if err != nil {
		_ = c.Process.Kill()
		return Cost{}, errors.Join(err, c.Wait())
	}
	err = c.Wait()
	cpu, scanErr := used()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", c.Path, err, out.b)
	} else {
		err = scanErr
	}
	return Cost{CPU: cpu, Wall: time.Since(start)}, err
}

// Watch adds up the processor time of a running process and of all that it starts. The function that it returns is to be called once, when
// the process has ended, and says how much it was.
func Watch(pid int) (used func() (time.Duration, error), err error) {
	t, err := newTree("/proc", pid)
	if err != nil {
		return nil, fmt.Errorf("processor time cannot be read: %w", err)
	}
	end, scanned := make(chan struct{}), make(chan error, 1)
	go func() { scanned <- t.watch(end) }()
	return func() (time.Duration, error) {
		close(end)
		err := <-scanned
		return t.total(), err
	}, nil
}

// watch scans until the end.
func (t *tree) watch(end <-chan struct{}) error {
	tick := time.NewTicker(scanEvery)
	defer tick.Stop()
	for {
		if err := t.scan(); err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-end:
			return nil
		}
	}
}

// tail keeps the end of what a program prints, for the message when it fails.
type tail struct{ b []byte }

const tailSize = 4 << 10

// Write keeps the last bytes.
func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if over := len(t.b) - tailSize; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
	return len(p), nil
}
