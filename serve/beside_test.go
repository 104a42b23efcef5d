package serve_test

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"varve/archive/warc"
)

// twoFronts is an archive with two captures of a long front page: a headline reworded, one added, one removed, one moved.
func twoFronts(t *testing.T) (dir, page string) {
	t.Helper()
	page = home
	front := func(head ...string) string {
		var b strings.Builder
		b.WriteString("<html><title>The front</title><body>")
		for _, h := range head {
			b.WriteString("<h2>" + h + "</h2>\n")
		}
		for i := range 120 {
			fmt.Fprintf(&b, "<p>Paragraph %d of the front page,\n   which stays as <b>it</b> is.</p>", i)
		}
		return b.String()
	}
	bodies := []string{
		front("Council approves <i>budget</i> for the bridge", "Storm closes schools in the north", "Ferry timetable: all departures", "Letters to the editor"),
		front("Police find stolen boats near the island", "Council approves larger <i>budget</i> for the bridge", "Letters to the editor", "Ferry timetable: all departures"),
	}
	var out bytes.Buffer
	for i, body := range bodies {
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
		sum := sha1.Sum([]byte(body))
		fmt.Fprintf(&out, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-00000000000%d>\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-0%d-01T12:00:00Z\r\nWARC-Payload-Digest: %s\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			i, page, i+1, warc.FormatDigest("sha1", sum[:]), len(block), block)
	}
	dir = t.TempDir()
	folder := filepath.Join(dir, "collections", "aachen", "warc")
	err := os.MkdirAll(folder, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "fronts.warc"), out.Bytes(), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, page
}

// Two captures side by side in a real browser: changes are marked in both pages, and one scrolls with the other.
func TestCompareBeside(t *testing.T) {
	b := newTab(t)
	dir, page := twoFronts(t)
	s := start(t, dir, nil)
	s.indexed()
	b.open(s.ui + "/collections/aachen/compare?view=side&url=" + url.QueryEscape(page))
	b.is("document.querySelector('.frames').dataset.ready && document.getElementById('beside-said').textContent === '3 lines are marked before, 3 after.'")
	b.do(`window.told = {}; const frames = [...document.querySelectorAll('iframe')];
		addEventListener('message', (e) => { const m = e.data.varve$beside; if (m && typeof m.scroll === 'number') told[frames.findIndex((f) => f.contentWindow === e.source)] = m.scroll })`)
	wheel := func(frame int, down float64) {
		x, y := b.place(fmt.Sprintf("(() => { const r = document.querySelectorAll('iframe')[%d].getBoundingClientRect(); return [r.x + r.width / 2, r.y + 200] })()", frame))
		if err := chromedp.Do(b.ctx, chromedp.MouseEvent(chromedp.MouseWheel, x, y, func(p *input.DispatchMouseEventParams) { p.DeltaX, p.DeltaY = 0.001, down })); err != nil {
			t.Fatal(err)
		}
	}
	turn := func(frame int, down float64, told string) {
		t.Helper()
		for range 20 { // a browser under load lets a turn of the wheel go by
			wheel(frame, down)
			if ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("new Promise((r) => setTimeout(() => r("+told+"), 300))", chromedp.EvalAwaitPromise)); err == nil && ok {
				return
			}
		}
		b.is(told)
	}
	turn(0, 1200, "told[0] > 0.1")
	b.do("document.getElementById('together').checked = false; told = {}")
	turn(1, 60, "told[1] > 0.1 && told[0] === undefined") // it tells where it stands: where the other one was, and a little further
	b.quiet()
}
