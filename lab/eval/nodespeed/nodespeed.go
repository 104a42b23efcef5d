// Package nodespeed measures the price of a crawl on several nodes: the same simulated web is crawled by one process and by several with
// a NATS server, all on this machine, and the CPU time of each is counted: nodes, server, one process.
//
// The web is served by the process that measures, so its CPU is not in the figures. Wall time is not looked at: two cores run everything.
package nodespeed

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"varve/clock"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// Config says what is measured.
type Config struct {
	Varve string   // the program
	NATS  []string // command that starts a NATS server and prints its address as first line, and ends with its input
	Dir   string
	Nodes int
	Sites int
	Pages int // of each site
}

// Side is one way of crawling.
type Side struct {
	Pages  int64   `json:"pages"`
	URLs   int64   `json:"urls"`
	CPU    float64 `json:"cpuSeconds"`
	MaxRSS int64   `json:"maxRss"` // of the largest process
	Rate   float64 `json:"answersPerCpuSecond"`
}

// Result is what was measured.
type Result struct {
	Alone    Side    `json:"alone"`
	Together Side    `json:"together"` // the nodes, without the server
	Server   float64 `json:"serverCpuSeconds"`
	Ratio    float64 `json:"ratio"`           // of answers per CPU-second, nodes alone
	RatioAll float64 `json:"ratioWithServer"` // with the server's CPU
	Routed   int64   `json:"routed"`          // links sent from node to node
	PerCPU   float64 `json:"routedPerCpuSecond"`
	Load     string  `json:"load"` // of the machine, at the end
}

// Run measures.
func Run(ctx context.Context, c Config) (res Result, err error) {
	web, err := serve(c)
	if err != nil {
		return res, err
	}
	defer web.Close()
	common := []string{"http://site01.test/", "--scope", "web", "--delay", "0", "--no-index", "--polite-dir", "none", "--json", "--quiet", "--min-disk", "0", "--capture", "parser"}
	for _, r := range web.Resolve() {
		common = append(common, "--resolve", r)
	}
	one, err := crawl(ctx, c.Varve, append([]string{"crawl", "--archive", filepath.Join(c.Dir, "one")}, common...))
	if err != nil {
		return res, err
	}
	if err := one.wait(); err != nil {
		return res, err
	}
	res.Alone.add(one)
	nats, url, err := startNATS(ctx, c)
	if err != nil {
		return res, err
	}
	var all []*process
	for i := range c.Nodes {
		p, err := crawl(ctx, c.Varve, append([]string{"node", "--join", url, "--crawl", "bench", "--expect", fmt.Sprint(c.Nodes), "--archive", filepath.Join(c.Dir, fmt.Sprintf("n%d", i))}, common...))
		if err != nil {
			return res, err
		}
		all = append(all, p)
	}
	for _, p := range all {
		if werr := p.wait(); werr != nil && err == nil {
			err = werr
		}
		res.Together.add(p)
	}
	server, serr := nats.stop()
	if err == nil {
		err = serr
	}
	res.Server = server
	res.Routed = nats.routed
	res.Alone.Rate = float64(res.Alone.URLs) / res.Alone.CPU
	res.Together.Rate = float64(res.Together.URLs) / res.Together.CPU
	res.Ratio = res.Together.Rate / res.Alone.Rate
	res.RatioAll = float64(res.Together.URLs) / (res.Together.CPU + res.Server) / res.Alone.Rate
	if extra := res.Together.CPU + res.Server - res.Alone.CPU*float64(res.Together.URLs)/float64(max(res.Alone.URLs, 1)); extra > 0 && res.Routed > 0 {
		res.PerCPU = float64(res.Routed) / extra
	}
	if b, lerr := os.ReadFile("/proc/loadavg"); lerr == nil {
		res.Load = strings.Join(strings.Fields(string(b))[:3], " ")
	}
	return res, err
}

func serve(c Config) (*server.Server, error) {
	spec, err := websim.Load("sites.toml", fmt.Appendf(nil, `
[[site]]
host = "site{n}.test"
count = %d
addr = "127.0.0.2"
addrs = 5
pages = %d
fanout = 12
links = 8
external = 0.3
assets = 10
size.html = { mean = 15000, sigma = 0.2 }
size.jpeg = { mean = 20000, sigma = 0.5 }
`, c.Sites, c.Pages))
	if err != nil {
		return nil, err
	}
	web, err := websim.New(spec, 3)
	if err != nil {
		return nil, err
	}
	return server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 0), NoTLS: true, NoDigest: true})
}

// process is a crawler under way.
type process struct {
	cmd      *exec.Cmd
	out, err bytes.Buffer
	peak     int64 // resident memory, as seen while it ran
	over     chan struct{}
	watched  chan struct{}
}

// watch looks at the peak of the process's memory. The ru_maxrss of an ended one cannot be used: exec notes in it what the process that started it had, which is
// this one with its simulated web.
func (p *process) watch() {
	defer close(p.watched)
	for {
		if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid)); err == nil {
			for line := range strings.Lines(string(b)) {
				var kb int64
				if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kb); n == 1 && strings.Contains(string(b), "Name:\tvarve\n") {
					p.peak = max(p.peak, kb<<10)
				}
			}
		}
		select {
		case <-p.over:
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func crawl(ctx context.Context, program string, args []string) (*process, error) {
	p := &process{cmd: exec.CommandContext(ctx, program, args...)}
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	p.over, p.watched = make(chan struct{}), make(chan struct{})
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.watch()
	return p, nil
}

func (p *process) wait() error {
	err := p.cmd.Wait()
	close(p.over)
	<-p.watched
	if code := p.cmd.ProcessState.ExitCode(); code == 0 || code == 1 { // something may be missing of a simulated web, too
		return nil
	}
	return fmt.Errorf("%s: %w: %s", strings.Join(p.cmd.Args[:2], " "), err, p.err.String())
}

func (s *Side) add(p *process) {
	var sum struct{ Pages, URLs int64 }
	lines := strings.Split(strings.TrimSpace(p.out.String()), "\n")
	_ = json.Unmarshal([]byte(lines[len(lines)-1]), &sum)
	s.Pages += sum.Pages
	s.URLs += sum.URLs
	if u, ok := p.cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.CPU += time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
		s.MaxRSS = max(s.MaxRSS, p.peak)
	}
}

// natsProcess is a server under way.
type natsProcess struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	routed int64
}

func startNATS(ctx context.Context, c Config) (*natsProcess, string, error) {
	n := &natsProcess{cmd: exec.CommandContext(ctx, c.NATS[0], append(c.NATS[1:], filepath.Join(c.Dir, "nats"))...)}
	n.cmd.Stderr = os.Stderr
	var err error
	if n.in, err = n.cmd.StdinPipe(); err != nil {
		return nil, "", err
	}
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := n.cmd.Start(); err != nil {
		return nil, "", err
	}
	n.out = bufio.NewReader(out)
	url, err := n.out.ReadString('\n')
	return n, strings.TrimSpace(url), err
}

// stop ends the server, which says last how many links went through it, and returns its CPU.
func (n *natsProcess) stop() (float64, error) {
	n.in.Close()
	last, _ := n.out.ReadString('\n')
	_, _ = fmt.Sscan(last, &n.routed)
	err := n.cmd.Wait()
	u, ok := n.cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, err
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds(), err
}

// Print writes the result as a table.
func (r *Result) Print(w io.Writer) {
	fmt.Fprintln(w, "                 answers   pages  CPU s  answers/CPU s  largest RSS MB")
	row := func(name string, s *Side) {
		fmt.Fprintf(w, "%-15s %8d %7d %6.1f %14.0f %15.0f\n", name, s.URLs, s.Pages, s.CPU, s.Rate, float64(s.MaxRSS)/1e6)
	}
	row("one process", &r.Alone)
	row("nodes together", &r.Together)
	fmt.Fprintf(w, "NATS server: %.1f CPU s\nanswers per CPU-second, nodes to one process: %.2f; with the server's CPU: %.2f\nload of the machine: %s\n", r.Server, r.Ratio, r.RatioAll, r.Load)
	if r.Routed > 0 {
		fmt.Fprintf(w, "%d links went from node to node: %.0f for each CPU-second that nodes and server cost more than one process\n", r.Routed, r.PerCPU)
	}
}
