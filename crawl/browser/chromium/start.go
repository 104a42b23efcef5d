package chromium

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"

	"varve/crawl/browser/devtools"
)

// Config says how a browser is started.
type Config struct {
	Path      string   // of the program, as Find gives it
	Dir       string   // where the profile folder is made; the system's temporary folder
	Proxy     string   // host:port for all that belongs to no browser context
	SPKI      string   // hash of the public key whose certificates are trusted
	Language  string   // that the browser asks for; "en-US"
	Width     int      // of the window; 1280
	Height    int      // 1024
	Heap      int      // MB of scripts' objects per process; 0: Chromium's own limit
	NoSandbox bool     // without Chromium's sandbox; root must do without
	SmallShm  bool     // /dev/shm is too small for a browser
	Extra     []string // further flags
	Message   int      // bytes of one message over the pipe; 96 MiB
}

func (c *Config) withDefaults() {
	if c.Dir == "" {
		c.Dir = os.TempDir()
	}
	if c.Language == "" {
		c.Language = "en-US"
	}
	if c.Width == 0 {
		c.Width = 1280
	}
	if c.Height == 0 {
		c.Height = 1024
	}
	if c.Message == 0 {
		c.Message = 96 << 20
	}
	if os.Geteuid() == 0 {
		c.NoSandbox = true // Chromium refuses otherwise
	}
	c.SmallShm = c.SmallShm || smallShm()
}

// Process is a running browser.
type Process struct {
	Conn    *devtools.Conn
	Version string // "Chrome/156.0.8078.79"
	Agent   string // the User-Agent it would send

	cmd     *exec.Cmd
	profile *profile
	exited  chan struct{}
	said    *tail
	once    sync.Once
	tasks   sync.WaitGroup
}

// Start starts a browser and waits for its first answer.
func Start(ctx context.Context, cfg Config) (*Process, error) {
	cfg.withDefaults()
	dir, err := newProfile(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("start a browser: %w", err)
	}
	p := &Process{profile: dir, exited: make(chan struct{}), said: &tail{max: 8 << 10}}
	if err := p.launch(&cfg); err != nil {
		dir.remove()
		return nil, fmt.Errorf("start a browser: %w", err)
	}
	v, err := devtools.Call(ctx, p.Conn.Root(), browser.GetVersion, cdp.Empty{})
	if err != nil {
		p.Close()
		if errors.Is(err, devtools.ErrClosed) {
			err = fmt.Errorf("%w: it said: %s", err, p.said)
		}
		return nil, fmt.Errorf("start a browser: %w", err)
	}
	p.Version, p.Agent = strings.TrimPrefix(v.Product, "Headless"), strings.ReplaceAll(v.UserAgent, "HeadlessChrome", "Chrome")
	return p, nil
}

// launch starts the program with two pipes as its descriptors 3 and 4.
func (p *Process) launch(cfg *Config) error {
	theirR, ourW, err := os.Pipe()
	if err != nil {
		return err
	}
	ourR, theirW, err := os.Pipe()
	if err != nil {
		return errors.Join(err, theirR.Close(), ourW.Close())
	}
	ourErr, theirErr, err := os.Pipe()
	if err != nil {
		return errors.Join(err, theirR.Close(), ourW.Close(), ourR.Close(), theirW.Close())
	}
	p.cmd = exec.Command(cfg.Path, cfg.arguments(p.profile.dir)...)
	p.cmd.ExtraFiles = []*os.File{theirR, theirW}
	p.cmd.Stderr = theirErr
	p.cmd.Env = append(os.Environ(), "DBUS_SESSION_BUS_ADDRESS=disabled:", "HOME="+p.profile.dir)
	setGroup(p.cmd)
	started := make(chan error)
	go p.tend(started)
	err = <-started
	err = errors.Join(err, theirR.Close(), theirW.Close(), theirErr.Close())
	if err != nil {
		return errors.Join(err, ourR.Close(), ourW.Close(), ourErr.Close())
	}
	p.Conn = devtools.New(ourR, ourW, cfg.Message)
	p.tasks.Go(func() {
		io.Copy(p.said, ourErr)
		ourErr.Close()
	})
	p.tasks.Go(func() { p.bury(ourErr) })
	return nil
}

// bury ends what a browser leaves when it ends by itself: children that have not noticed yet hold its
// pipes.
func (p *Process) bury(said *os.File) {
	<-p.exited
	killGroup(p.PID())
	p.Conn.Close()
	said.SetReadDeadline(time.Now().Add(lastWords)) // what it said last is in the pipe still; a process that left the group may hold it
}

// lastWords is how long the end of what a browser said is waited for, if its pipe is not closed with it.
const lastWords = 500 * time.Millisecond

// tend starts the process and waits for its end on one thread: the signal that a browser gets when
// its parent dies is bound to the thread that started it.
func (p *Process) tend(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err == nil {
		p.cmd.Wait()
	}
	close(p.exited)
}

// Exited is closed when the browser has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// PID gives the number of the first process, which is that of the group.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Close ends the browser at once, with all its processes, and removes its profile.
func (p *Process) Close() error {
	var err error
	p.once.Do(func() {
		killGroup(p.PID())
		<-p.exited
		p.tasks.Wait()
		err = p.profile.remove()
	})
	return err
}

// tail keeps the last bytes written to it.
type tail struct {
	mu  sync.Mutex
	b   []byte
	max int
}

var _ io.Writer = (*tail)(nil)

// Write keeps the end of what was said.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if len(t.b) > t.max {
		t.b = append(t.b[:0], t.b[len(t.b)-t.max:]...)
	}
	return len(p), nil
}

// String gives what was said last.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.b))
}
