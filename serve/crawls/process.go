package crawls

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/serve/access"
)

// process is a job with the program that does it. The launcher's lock guards the job.
type process struct {
	job  Job
	done chan struct{} // closed when the program has ended, or was never started

	mu      sync.Mutex
	cmd     *exec.Cmd // nil: not started yet
	stopped bool      // before it was started
}

// errStopped says that the server ended while a crawl was about to begin.
var errStopped = errors.New("the server is about to end")

// run starts the program and has its end awaited.
func (l *Launcher) run(ctx context.Context, p *process, col *catalog.Collection, command []string) error {
	if l.cfg.GiveWay != nil {
		l.cfg.GiveWay(col.Name)
	}
	if err := l.awaitLock(ctx, col); err != nil {
		return err
	}
	did, what := "start crawl", p.job.Definition
	if p.job.Resumed != "" {
		did, what = "resume crawl", p.job.Resumed
	}
	entry := access.Entry{Time: p.job.Started, By: p.job.By, Did: did, Collection: col.Name, What: what}
	if err := l.cfg.Audit.Append(entry); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "tell the audit log", Err: err, Hint: "the crawl was not started; see that the archive can be written to"}
	}
	err := l.exec(p, col, command)
	if err == nil {
		return nil
	}
	entry.Did, entry.Detail = did+" failed", err.Error()
	return errors.Join(&varve.Error{Kind: varve.Unavailable, Op: did + " " + what, Err: err}, l.cfg.Audit.Append(entry))
}

// awaitLock waits until nobody writes to the collection. The program takes the lock itself; this
// gives those who ask an answer at once instead of a crawl that fails.
func (l *Launcher) awaitLock(ctx context.Context, col *catalog.Collection) error {
	const pause = 100 * time.Millisecond
	end := l.cfg.Clock.Now().Add(l.cfg.Patience)
	for {
		lock, err := col.Lock("varve serve, about to start a crawl")
		if err == nil {
			return lock.Unlock()
		}
		if varve.KindOf(err) != varve.Conflict || !l.cfg.Clock.Now().Before(end) {
			return err
		}
		if err := l.cfg.Clock.Sleep(ctx, pause); err != nil {
			return err
		}
	}
}

// exec starts the program with its output in the log of the collection. The program has the file
// itself, so that a crawl goes on when the server is killed.
func (l *Launcher) exec(p *process, col *catalog.Collection, command []string) error {
	out, err := openLog(col, p.job)
	if err != nil {
		return err
	}
	args := append([]string{command[0], "--collection=" + col.Name, "--archive=" + l.cfg.Archive}, command[1:]...)
	cmd := exec.Command(l.cfg.Program, args...)
	cmd.Stdout, cmd.Stderr = out.file, out.file
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C at the server is not meant for it
	if err := p.start(cmd); err != nil {
		return errors.Join(err, out.file.Close())
	}
	l.mu.Lock()
	p.job.PID = cmd.Process.Pid
	l.mu.Unlock()
	go l.await(p, cmd, out)
	return nil
}

// await keeps how the program ended.
func (l *Launcher) await(p *process, cmd *exec.Cmd, out *log) {
	err := cmd.Wait()
	words := out.lastWords()
	if cmd.ProcessState.ExitCode() < 0 && err != nil {
		words = strings.TrimSpace(words + "\n" + err.Error()) // killed by a signal
	}
	l.mu.Lock()
	p.job.ended(cmd.ProcessState.ExitCode(), words, l.cfg.Clock.Now().UTC())
	job := p.job
	l.mu.Unlock()
	if err := out.file.Close(); err != nil {
		l.cfg.Log.Warn("close the log of a crawl", "collection", job.Collection, "error", err)
	}
	l.cfg.Log.Info("crawl ended", "collection", job.Collection, "state", job.State, "why", job.Why)
	close(p.done)
}

// start starts the program, unless it was stopped before.
func (p *process) start(cmd *exec.Cmd) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return errStopped
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd = cmd
	return nil
}

// stop asks the program to end in good order: only itself, it ends its own children.
func (p *process) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped = true; p.cmd != nil {
		_ = p.cmd.Process.Signal(syscall.SIGINT) // it may have ended just now
	}
}

// kill ends the program and its children.
func (p *process) kill() error {
	select {
	case <-p.done:
		return nil
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		return nil
	}
	if err := syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("kill the crawl of %s: %w", p.job.Collection, err)
	}
	return nil
}

// limits gives the limits of a definition as flags: a crawl that is resumed has those of its
// command line, and without them it would have none.
func limits(def crawl.Definition) []string {
	var out []string
	for _, f := range []struct {
		name string
		n    int64
	}{{"--max-pages=", def.MaxPages}, {"--max-urls=", def.MaxURLs}, {"--max-bytes=", def.MaxBytes}} {
		if f.n > 0 {
			out = append(out, f.name+strconv.FormatInt(f.n, 10))
		}
	}
	if def.MaxTime > 0 {
		out = append(out, "--max-time="+time.Duration(def.MaxTime).String())
	}
	return out
}

// Spent tells whether a crawl ended because it had all that its definition allows. Time is allowed
// anew for each run.
func Spent(why string) bool {
	return why == "max-pages reached" || why == "max-urls reached" || why == "max-bytes reached"
}
