package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"varve/crawl/jail"
)

// process is one run of a program under safeguards.
type process struct {
	program string
	args    []string
	dir     string   // its home and working folder; its bytes count
	env     []string // beyond PATH, HOME, LANG
	size    int64    // bytes that it may write
	refresh time.Duration
	nice    int
	output  int // bytes of standard output that are kept

	alone bool               // it has no network
	jail  []string           // the helper that puts it into a jail; none: it is not in one
	door  func(net.Listener) // answers what comes out of the jail
}

// Errors that end a process before it ends itself.
var errSize = errors.New("it writes more than it may")

// run runs the program to its end and gives what it printed. The process group is dead when it returns.
func (p *process) run(ctx context.Context) (out []byte, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		// The system kills the child when the thread that started it ends, so that must live as long.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		out, err = p.start(ctx)
	}()
	var watch sync.WaitGroup
	watch.Go(func() { p.watch(ctx, cancel) })
	<-done
	cause := context.Cause(ctx)
	cancel(nil)
	watch.Wait()
	if err != nil && cause != nil {
		err = cause
	}
	if err != nil {
		return out, fmt.Errorf("%s: %w", filepath.Base(p.program), err)
	}
	return out, nil
}

func (p *process) start(ctx context.Context) ([]byte, error) {
	cmd := exec.CommandContext(ctx, p.program, p.args...)
	cmd.Dir = p.dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "LANG=C.UTF-8", "TMPDIR=" + p.dir}, p.env...)
	var out, problems tail
	out.limit, problems.limit = p.output, 4<<10
	out.head = true
	cmd.Stdout, cmd.Stderr = &out, &problems
	setGroup(cmd)
	cmd.Cancel = func() error { killGroup(cmd.Process.Pid); return nil }
	cmd.WaitDelay = 5 * time.Second
	if err := p.launch(cmd); err != nil {
		return nil, err
	}
	setNice(cmd.Process.Pid, p.nice)
	err := cmd.Wait()
	killGroup(cmd.Process.Pid) // children that it left
	if err != nil {
		return out.buf, fmt.Errorf("%w: %s", err, lastLine(problems.buf))
	}
	if out.cut {
		return out.buf, fmt.Errorf("it prints more than %d bytes", p.output)
	}
	return out.buf, nil
}

// launch starts the program, in its jail if it has one.
func (p *process) launch(cmd *exec.Cmd) error {
	if p.alone {
		jail.Cut(cmd)
		if err := cmd.Start(); err != nil {
			return refused(err)
		}
		return nil
	}
	if len(p.jail) == 0 {
		return cmd.Start()
	}
	door, err := jail.Prepare(cmd, p.jail)
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return errors.Join(refused(err), door.Close())
	}
	l, err := door.Listener(jailTime)
	if err != nil {
		killGroup(cmd.Process.Pid)
		_ = cmd.Wait()
		return err
	}
	p.door(l)
	return nil
}

// jailTime is how long the helper of a jail may take.
const jailTime = 30 * time.Second

// refused says of a start that failed for want of namespaces that it did.
func refused(err error) error {
	if jail.Refused(err) {
		return fmt.Errorf("%w: %w", jail.ErrUnavailable, err)
	}
	return err
}

// watch ends the process when it has written too much.
func (p *process) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(p.refresh)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if n := used(p.dir); n > p.size {
				cancel(fmt.Errorf("%w: %d bytes, %d are allowed", errSize, n, p.size))
				return
			}
		}
	}
}

// used is how many bytes a folder holds; what vanishes meanwhile does not count.
func used(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // it is gone
		}
		if info, err := d.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}

// tail keeps the last bytes of what is written, or the first.
type tail struct {
	buf   []byte
	limit int
	head  bool
	cut   bool
}

// Write takes everything and keeps what it may.
func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	if t.head {
		room := max(t.limit-len(t.buf), 0)
		t.cut = t.cut || n > room
		t.buf = append(t.buf, p[:min(n, room)]...)
		return n, nil
	}
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - t.limit; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return n, nil
}

// lastLine is what a program said at the end.
func lastLine(b []byte) string {
	b = bytes.TrimSpace(b)
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		b = b[i+1:]
	}
	return strings.ToValidUTF8(string(b[:min(len(b), 500)]), "")
}
