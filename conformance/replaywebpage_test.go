package conformance

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"varve/archive/wacz"
	"varve/archive/warc"
)

// deepText gathers the text of a page with its shadow roots and frames.
const deepText = `(() => {
	const walk = n => {
		let s = n.nodeType === 3 ? n.data : '';
		if (n.shadowRoot) s += walk(n.shadowRoot);
		if (n.tagName === 'IFRAME') try { s += walk(n.contentDocument) } catch (e) {}
		for (const c of n.childNodes || []) s += walk(c);
		return s;
	};
	return walk(document);
})()`

// A package of ours opens in ReplayWeb.page, in Chromium. Its code comes from the npm registry and is
// used by this test alone: VARVE_REPLAYWEBPAGE names the unpacked package, or in drills npm fetches it.
func TestDrillReplayWebPage(t *testing.T) {
	player := replayWebPage(t)
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium: apt-get install chromium")
	}
	pkg := packageOfPages(t)
	mux := http.NewServeMux()
	mux.HandleFunc("/a.wacz", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "a.wacz", time.Unix(1e9, 0), bytes.NewReader(pkg))
	})
	mux.HandleFunc("/replay/sw.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, filepath.Join(player, "sw.js")) })
	mux.HandleFunc("/ui.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, filepath.Join(player, "ui.js")) })
	mux.HandleFunc("/open/{page}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><script src="/ui.js"></script><replay-web-page source="/a.wacz" url="http://pages.test/%s" ts="%s" replayBase="/replay/" embed="replayonly"></replay-web-page>`,
			r.PathValue("page"), r.FormValue("ts"))
	})
	host := httptest.NewServer(mux)
	defer host.Close()
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()))
	alloc, cancel := chromedp.NewExecAllocator(t.Context(), opts...)
	defer cancel()
	ctx, cancel := chromedp.NewContext(alloc)
	defer cancel()
	for _, c := range []struct{ page, ts, text string }{
		{"one", "20240506070809", "the first archived page"},
		{"one", "20240606070809", "the first archived page"}, // the server said 304
		{"same", "20240606070809", "the page that is the same"},
		{"two", "", "the second"},
	} {
		if err := chromedp.Do(ctx, chromedp.Navigate(host.URL+"/open/"+c.page+"?ts="+c.ts)); err != nil {
			t.Fatal(err)
		}
		shows(t, ctx, c.page+" at "+c.ts, c.text)
	}
}

// shows waits until the player shows a text.
func shows(t *testing.T, ctx context.Context, page, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for {
		got, err := chromedp.Run(ctx, chromedp.Evaluate[string](deepText))
		if bytes.Contains([]byte(got), []byte(text)) {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("%s was not shown: %v, %.2000s", page, err, got)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// replayWebPage gives the folder with the player.
func replayWebPage(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("VARVE_REPLAYWEBPAGE"); dir != "" {
		return dir
	}
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_REPLAYWEBPAGE names no player, and this is no drill")
	}
	dir := t.TempDir()
	out, err := exec.Command("sh", "-c", `cd "$0" && npm pack --silent replaywebpage@2.4.6 && tar xzf replaywebpage-*.tgz`, dir).CombinedOutput()
	if err != nil {
		t.Skipf("npm cannot fetch the player: %v %s", err, out)
	}
	return filepath.Join(dir, "package")
}

// packageOfPages makes a WACZ file with two pages.
func packageOfPages(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	digests := map[string]string{}
	for name, text := range map[string]string{"one": "the first archived page", "two": "the second", "same": "the page that is the same"} {
		body := "<!doctype html><title>" + name + "</title><p>This is " + text + ".</p><a href=/two>two</a>"
		answer := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		sums, err := warc.Sum(warc.Bytes(answer), int64(len(answer)-len(body)), false)
		if err != nil {
			t.Fatal(err)
		}
		digests[name] = sums.Payload
		e := warc.New(warc.TypeResponse, fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-0000000000%02x>", name[0]), at, warc.Bytes(answer)).
			With(warc.FieldTargetURI, "http://pages.test/"+name).With(warc.FieldContentType, warc.ContentTypeResponse).With(warc.FieldPayloadDigest, sums.Payload)
		if err := enc.Encode(&file, e); err != nil {
			t.Fatal(err)
		}
	}
	// Later the pages were asked for again: one server said 304, one sent the same bytes.
	for i, head := range []string{"HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"} {
		name, profile := []string{"one", "same"}[i], []string{warc.ProfileNotModified, warc.ProfileIdentical}[i]
		e := warc.New(warc.TypeRevisit, fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-0000000001%02x>", name[0]), at.AddDate(0, 1, 0), warc.Bytes(head)).
			With(warc.FieldTargetURI, "http://pages.test/"+name).With(warc.FieldContentType, warc.ContentTypeResponse).With(warc.FieldProfile, profile).
			With(warc.FieldRefersToURI, "http://pages.test/"+name).With(warc.FieldRefersToDate, warc.FormatDate(at))
		if profile == warc.ProfileIdentical {
			e.With(warc.FieldPayloadDigest, digests[name])
		}
		if err := enc.Encode(&file, e); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	w, err := wacz.NewWriter(&out, wacz.Config{Title: "Pages", Created: at, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.AddWARC(t.Context(), "pages.warc.gz", bytes.NewReader(file.Bytes()), int64(file.Len())); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
