package conformance

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/cdxj"
	"varve/archive/wacz"
)

// The WARC files and index lines of a package of ours are shown by pywb, revisited pages included. pywb comes from PyPI
// and is used by this test alone: VARVE_PYWB names a folder with its programs, or in drills pip installs it.
func TestDrillPywb(t *testing.T) {
	bin := pywb(t)
	dir := t.TempDir()
	col := filepath.Join(dir, "collections", "ours")
	for _, name := range []string{"archive", "indexes"} {
		if err := os.MkdirAll(filepath.Join(col, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	data := packageOfPages(t)
	pkg, err := wacz.Open("a.wacz", bytes.NewReader(data), int64(len(data)), wacz.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Join(col, "archive"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := pkg.Unpack(t.Context(), root, wacz.UnpackOptions{}); err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for r, err := range pkg.Range("", "") {
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(cdxj.Format{}.Append(nil, &r), '\n'))
	}
	if err := os.WriteFile(filepath.Join(col, "indexes", "index.cdxj"), []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	host := startPywb(t, bin, dir)
	for _, c := range []struct{ page, ts, text string }{
		{"one", "20240506070809", "the first archived page"},
		{"one", "20240606070809", "the first archived page"}, // the server said 304
		{"same", "20240606070809", "the page that is the same"},
		{"two", "20250101000000", "the second"},
	} {
		resp, err := http.Get(host + "/ours/" + c.ts + "mp_/http://pages.test/" + c.page)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		if resp.Body.Close(); err != nil || resp.StatusCode != 200 || !strings.Contains(string(b), c.text) {
			t.Errorf("%s at %s: %d %v %.300s", c.page, c.ts, resp.StatusCode, err, b)
		}
	}
}

// pywb gives the folder with its programs.
func pywb(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("VARVE_PYWB"); dir != "" {
		return dir
	}
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_PYWB names no player, and this is no drill")
	}
	dir := t.TempDir()
	out, err := exec.Command("sh", "-c", `python3 -m venv "$0" && "$0/bin/pip" -q install pywb==2.10.0 setuptools`, dir).CombinedOutput()
	if err != nil {
		t.Skipf("pip cannot install the player: %v %s", err, out)
	}
	return filepath.Join(dir, "bin")
}

// startPywb runs the server on a free port until the test ends.
func startPywb(t *testing.T, bin, dir string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(addr)
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "wayback"), "-p", port, "-b", "127.0.0.1")
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Logf("pywb: %.4000s", out.String())
		}
	})
	for range 600 {
		if resp, err := http.Get("http://" + addr + "/"); err == nil {
			resp.Body.Close()
			return "http://" + addr
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("pywb did not start")
	return ""
}
