package browser_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"varve/crawl/browser"
	"varve/crawl/browser/chromium"
	"varve/crawl/collect"
)

// processes lists the processes of browsers with profiles in dir: all, and those started by us directly.
func processes(dir string) (all, first []int) {
	found, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range found {
		b, err := os.ReadFile(f)
		if err != nil || !bytes.Contains(b, []byte(dir+"/varve-browser-")) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if err != nil {
			continue
		}
		all = append(all, pid)
		if !bytes.Contains(b, []byte("--type=")) && !bytes.Contains(b, []byte("crashpad")) {
			first = append(first, pid)
		}
	}
	return all, first
}

// vanish waits until no process of a browser in dir is left.
func vanish(t *testing.T, dir string) {
	t.Helper()
	for range 100 {
		if all, _ := processes(dir); len(all) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	all, _ := processes(dir)
	t.Errorf("processes left: %v", all)
}

// numbered serves pages that a script fills, each with data of its own.
type numbered struct{}

func (numbered) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	if n, ok := strings.CutPrefix(r.URL.Path, "/data/"); ok {
		fmt.Fprintf(w, `<a href="/found/%s">x</a>`, n)
		return
	}
	fmt.Fprint(w, `<!doctype html><div id=d></div><script>fetch('/data' + location.pathname).then(r => r.text()).then(t => d.innerHTML = t)</script>`)
}

// Pages under browsers that are killed every so often: all are captured, no process is left, and the
// memory stays in bounds.
func TestCrashes(t *testing.T) {
	total, every := 6, 3
	if os.Getenv("VARVE_DRILL") != "" {
		total, every = 500, 50
	}
	dir := t.TempDir()
	n := site(t, numbered{})
	c := collector(t, browser.Config{Dir: dir, Tabs: 3, Pages: 100})
	var done, kills, most atomic.Int64
	watching := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			select {
			case <-watching:
				return
			case <-time.After(200 * time.Millisecond):
			}
			_, first := processes(dir)
			for _, pid := range first {
				if m := chromium.GroupUsage(pid).Memory; m > most.Load() {
					most.Store(m)
				}
			}
		}
	})
	next := make(chan int)
	var work sync.WaitGroup
	for range 3 {
		work.Go(func() {
			for i := range next {
				r, err := c.Collect(t.Context(), &collect.Answer{URL: fmt.Sprintf("http://www.test/%d", i)}, n)
				if err != nil {
					t.Errorf("page %d: %v", i, err)
					continue
				}
				if !ends(urls(r), fmt.Sprintf("/found/%d", i)) {
					t.Errorf("page %d: links %v", i, urls(r))
				}
				if done.Add(1)%int64(every) == 0 {
					_, first := processes(dir)
					for _, pid := range first {
						if syscall.Kill(pid, syscall.SIGKILL) == nil {
							kills.Add(1)
						}
					}
				}
			}
		})
	}
	began := time.Now()
	for i := range total {
		next <- i
	}
	close(next)
	work.Wait()
	close(watching)
	watch.Wait()
	if done.Load() != int64(total) {
		t.Errorf("%d of %d pages captured", done.Load(), total)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	vanish(t, dir)
	if left, _ := filepath.Glob(filepath.Join(dir, "varve-browser-*")); len(left) > 0 {
		t.Errorf("profiles left: %v", left)
	}
	if most.Load() > 2<<30 {
		t.Errorf("%d MB", most.Load()>>20)
	}
	t.Logf("%d pages, %d kills, at most %d MB, %.1f s", total, kills.Load(), most.Load()>>20, time.Since(began).Seconds())
}

// A parent that is killed leaves no browser; the next one removes its profile.
func TestKilledParent(t *testing.T) {
	if dir := os.Getenv("VARVE_CHILD_DIR"); dir != "" {
		n := site(t, pages{"/page": `<p>x</p>`})
		c, err := browser.New(browser.Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		execute(t, c, n, "http://www.test/page")
		fmt.Println("READY")
		select {}
	}
	if _, err := browser.Find(""); err != nil {
		t.Skip("no chromium: apt-get install chromium")
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestKilledParent$")
	cmd.Env = append(os.Environ(), "VARVE_CHILD_DIR="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 100)
	if k, err := out.Read(buf); err != nil || !strings.Contains(string(buf[:k]), "READY") {
		cmd.Process.Kill()
		t.Fatalf("child said %q (%v)", buf[:k], err)
	}
	if all, _ := processes(dir); len(all) < 3 {
		t.Errorf("only %v run", all)
	}
	if n := chromium.Sweep(dir, time.Now()); n != 0 {
		t.Errorf("%d profiles of a living browser swept away", n)
	}
	cmd.Process.Kill()
	cmd.Wait()
	vanish(t, dir)
	if n := chromium.Sweep(dir, time.Now()); n != 1 {
		t.Errorf("%d profiles swept, want 1", n)
	}
}
