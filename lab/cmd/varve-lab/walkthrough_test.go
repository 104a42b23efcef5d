package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"varve"
	"varve/cli"
	"varve/serve"
)

// A step of docs/guide/walkthroughs.md: a block of commands, an address, or what must be true of the step before.
var walkStep = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$|`(http://(?:127\\.0\\.0\\.1:8080|localhost:8081)/[^`\\s]*)`|<!-- (shows|exit|save|needs): (.*?) -->")

// walk goes through the page: what it shows to readers is run, and what it says is compared.
type walk struct {
	t             *testing.T
	ctx           context.Context
	base, replay  string            // of the server on the archive
	ports         map[string]string // addresses of the page, and those that are free here
	step          string            // the last one
	out           string
	code          int
	wait          sync.WaitGroup // commands that serve until the end
	samples       string
	steps, passed int
}

// walkThrough runs the walk-throughs in the current directory, where the archive is demo-archive.
func walkThrough(t *testing.T, page string) {
	ctx, stop := context.WithCancel(context.Background())
	s, err := serve.Listen(ctx, serve.Config{Archive: "demo-archive", Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", Index: cli.IndexForServer, Version: cli.Version})
	if err != nil {
		t.Fatal(err)
	}
	w := &walk{t: t, ctx: ctx, base: strings.TrimSuffix(s.URL(), "/"), replay: strings.TrimSuffix(s.ReplayURL(), "/"), ports: map[string]string{}, samples: os.Getenv("VARVE_SAMPLES")}
	w.wait.Go(func() { _ = s.Run(ctx) })
	defer func() { stop(); w.wait.Wait() }()
	for _, m := range walkStep.FindAllStringSubmatch(page, -1) {
		switch {
		case m[1] != "":
			for line := range strings.Lines(m[1]) {
				w.settled()
				w.run(strings.TrimSpace(line))
			}
		case m[2] != "":
			w.settled()
			w.open(m[2])
		case m[3] == "needs" && !w.has(m[4]):
			t.Logf("the rest of the page needs the files of others in ../shared, which are not here")
			w.settled()
			return
		default:
			w.check(m[3], m[4])
		}
	}
	w.settled()
	if w.steps < 40 || w.passed < 25 {
		t.Errorf("%d steps, %d of their claims compared: does the test still read the page?", w.steps, w.passed)
	}
}

// has tells whether the samples, or the speeches beside them, are there, and puts them where the page names them.
func (w *walk) has(what string) bool {
	if w.samples == "" {
		return false
	}
	dir, file := w.samples, "issue-493.warc"
	if what == "speeches" {
		dir, file = filepath.Join(w.samples, "..", "data", "evolution", "ungdc"), "1990s.jsonl.gz"
	}
	if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
		return false
	}
	if err := os.Symlink(dir, what); err != nil {
		w.t.Error(err)
		return false
	}
	return true
}

// settled complains of a step that failed though the page does not say so.
func (w *walk) settled() {
	if w.code != 0 {
		w.t.Errorf("%s: exit code %d\n%s", w.step, w.code, w.out)
	}
	w.code = 0
}

var walkPort = regexp.MustCompile(`127\.0\.0\.1:18\d\d\d`)

// run runs a line: ours in this process, others by the shell.
func (w *walk) run(line string) {
	w.steps++
	w.step = line
	line = walkPort.ReplaceAllStringFunc(line, w.port)
	root := cli.New()
	args, ours := strings.CutPrefix(line, "varve ")
	if !ours {
		root = newCommand()
		args, ours = strings.CutPrefix(line, "varve-lab ")
	}
	if !ours {
		out, err := exec.Command("sh", "-c", line).CombinedOutput()
		if w.out = string(out); err != nil {
			w.code = 2
		}
		return
	}
	root.SetArgs(shellWords(args))
	var out bytes.Buffer
	if strings.HasPrefix(args, "sim ") {
		ready := make(chan struct{}, 1)
		root.SetOut(writerFunc(func(p []byte) (int, error) {
			select {
			case ready <- struct{}{}:
			default:
			}
			return len(p), nil
		}))
		w.wait.Go(func() {
			if err := root.ExecuteContext(w.ctx); err != nil {
				w.t.Error(err)
			}
			close(ready)
		})
		<-ready
		return
	}
	root.SetOut(&out)
	root.SetErr(&out)
	err := root.ExecuteContext(w.ctx)
	w.out, w.code = out.String(), varve.ExitCode(err)
	if err != nil {
		w.out += err.Error()
	}
}

// port gives a free port in place of one that the page names.
func (w *walk) port(named string) string {
	if w.ports[named] == "" {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			w.t.Fatal(err)
		}
		w.ports[named] = l.Addr().String()
		_ = l.Close()
	}
	return w.ports[named]
}

// shellWords splits a line as a shell does: by spaces, with quotes around words that have some.
func shellWords(line string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`'([^']*)'|"([^"]*)"|(\S+)`).FindAllStringSubmatch(line, -1) {
		out = append(out, m[1]+m[2]+m[3])
	}
	return out
}

// open looks at an address; CRAWL is the newest crawl of the public bodies.
func (w *walk) open(address string) {
	w.steps++
	w.step = address
	address = strings.Replace(strings.Replace(address, "http://127.0.0.1:8080", w.base, 1), "http://localhost:8081", w.replay, 1)
	ids, err := filepath.Glob("demo-archive/collections/public/crawls/*")
	if err != nil || len(ids) == 0 {
		w.t.Fatalf("no crawls: %v", err)
	}
	w.out = w.get(strings.Replace(address, "CRAWL", filepath.Base(ids[len(ids)-1]), 1))
	if framed.MatchString(address) { // what a reader sees in the frame of replay
		w.out += w.get(framed.ReplaceAllString(address, "/${1}mp_/http"))
	}
}

var framed = regexp.MustCompile(`/(\d{8,14})/http`)

func (w *walk) get(address string) string {
	r, err := http.Get(address)
	if err != nil {
		w.t.Error(err)
		return ""
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		w.t.Errorf("%s: %s, %v", w.step, r.Status, err)
	}
	return string(body)
}

// check compares what the page says with the step before it.
func (w *walk) check(what, want string) {
	w.passed++
	switch what {
	case "shows":
		if !strings.Contains(w.out, want) {
			w.t.Errorf("%s: does not show %q:\n%.3000s", w.step, want, w.out)
		}
	case "exit":
		if fmt.Sprint(w.code) != want {
			w.t.Errorf("%s: exit code %d, want %s\n%s", w.step, w.code, want, w.out)
		}
		w.code = 0
	case "save":
		if err := os.WriteFile(want, []byte(w.out), 0o644); err != nil {
			w.t.Error(err)
		}
	}
}

// readWalkthroughs gives the page, before the test goes elsewhere, and the samples as they are found from there.
func readWalkthroughs(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/guide/walkthroughs.md")
	if err != nil {
		t.Fatal(err)
	}
	if samples, err := filepath.Abs("../../../../shared/samples"); err == nil && os.Getenv("VARVE_SAMPLES") == "" {
		t.Setenv("VARVE_SAMPLES", samples)
	}
	http.DefaultClient.Timeout = 2 * time.Minute
	return string(page)
}
