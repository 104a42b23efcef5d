package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"varve/crawl/frontier"
	"varve/lab/eval/cpu"
)

// TestDrillSitemapMemory crawls sitemaps of 50,000 addresses and holds the peak of the process against the bound of its frontier.
// VARVE_MAPS says how many; 166 are 8.3 million addresses.
func TestDrillSitemapMemory(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1")
	}
	maps := 40
	if v := os.Getenv("VARVE_MAPS"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			t.Fatalf("VARVE_MAPS: %q is no number of sitemaps", v)
		}
		maps = n
	}
	const entries = 50_000
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		if _, err := fmt.Sscanf(r.URL.Path, "/map%d.xml", &n); err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/xml")
		b := bufio.NewWriter(w)
		defer b.Flush()
		fmt.Fprint(b, `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for i := range entries {
			fmt.Fprintf(b, "<url><loc>http://%s/section/%d/article-%07d-of-the-archive.html</loc><lastmod>2026-03-01</lastmod></url>\n", r.Host, n%100, n*entries+i)
		}
		fmt.Fprint(b, "</urlset>")
	}))
	defer s.Close()
	dir := t.TempDir()
	var seeds strings.Builder
	for i := range maps {
		fmt.Fprintf(&seeds, "%s/map%d.xml\n", s.URL, i)
	}
	list := filepath.Join(dir, "seeds.txt")
	if err := os.WriteFile(list, []byte(seeds.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "varve", "crawl", "--archive", filepath.Join(dir, "arc"), "--seeds", list, "--delay", "0", "--max-sitemap", "-1",
		"--capture", "parser", "--no-index", "--quiet", "--max-urls", strconv.Itoa(maps+1))
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	var peak int64
	for over := false; !over; {
		select {
		case err := <-ended:
			var exit *exec.ExitError
			if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1: addresses are left in the queue
				t.Fatalf("%v\n%s", err, out.String())
			}
			over = true
		case <-time.After(100 * time.Millisecond):
			peak = max(peak, cpu.PeakOf(c.Process.Pid))
		}
	}
	if want := strconv.Itoa(maps * entries); !strings.Contains(out.String(), want) {
		t.Fatalf("not %s addresses in the queue:\n%s", want, out.String())
	}
	bound := frontier.Config{}.MemoryBound()
	t.Logf("%d addresses: %d MB at most, the bound is %d MB", maps*entries, peak/1e6, bound/1e6)
	if peak > bound {
		t.Errorf("%d addresses of sitemaps took %d bytes, the bound is %d", maps*entries, peak, bound)
	}
}
