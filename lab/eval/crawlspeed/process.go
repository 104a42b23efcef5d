package crawlspeed

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"varve/lab/eval/cpu"
)

// web is the simulated web in its own process.
type web struct {
	Addr      string   `json:"addr"`
	Resolve   []string `json:"resolve"`
	Seeds     []string `json:"seeds"`
	Documents int      `json:"pages"` // pages and assets

	cmd *exec.Cmd
}

// serve starts the simulated web and returns when it can be asked.
func serve(ctx context.Context, program, preset string) (*web, error) {
	c := exec.CommandContext(ctx, program, "sim", "serve", "--preset", preset, "--no-digest", "--speed", "0", "--json")
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	w := &web{cmd: c}
	if err := json.NewDecoder(bufio.NewReader(out)).Decode(w); err != nil {
		return nil, errors.Join(fmt.Errorf("simulated web did not say where it is: %w", err), w.stop())
	}
	return w, nil
}

func (w *web) stop() error {
	if err := w.cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return w.cmd.Wait()
}

// tail keeps the end of what a program prints, for the message when it fails.
type tail struct{ b []byte }

const tailSize = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if over := len(t.b) - tailSize; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
	return len(p), nil
}

var _ io.Writer = (*tail)(nil)

// output runs a program and gives the end of what it printed and its largest resident memory.
func output(c *exec.Cmd) (text string, rss int64, err error) {
	var t tail
	c.Stdout, c.Stderr = &t, &t
	if err := c.Start(); err != nil {
		return "", 0, err
	}
	done, peak := make(chan struct{}), make(chan int64)
	go func() { peak <- watchMemory(c.Process.Pid, done) }()
	err = c.Wait()
	close(done)
	return string(t.b), <-peak, err
}

// watchMemory looks at the high-water mark of a process until done. What wait4 reports is of no
// use: Linux counts the memory of the parent that it was forked from, too.
func watchMemory(pid int, done <-chan struct{}) (peak int64) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		peak = max(peak, cpu.PeakOf(pid))
		select {
		case <-tick.C:
		case <-done:
			return peak
		}
	}
}
