package replay_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"varve/serve/replay/replaytest"
)

// Pictures for docs/screens: VARVE_SCREENS=docs/screens go test -run BrowserScreens ./serve/replay
func TestBrowserScreens(t *testing.T) {
	if os.Getenv("VARVE_SCREENS") == "" {
		t.Skip("VARVE_SCREENS is not set: no pictures are taken")
	}
	p := newRecorder(t)
	ctx := browser(t, p)
	_, host, addr := serveReplay(t, replaytest.Write(t, council()...), "")
	p.only(host, addr)
	shot := func(name, path, ready string) {
		navigate(t, ctx, "http://"+host+path)
		waitFor(t, ctx, ready)
		time.Sleep(300 * time.Millisecond) // let the page in the frame be drawn
		screenshot(t, ctx, name)
	}
	shot("replay", "/aachen/20260318/http://www.aachen.example/council/", "document.getElementById('parts') && /missing/.test(document.getElementById('parts').textContent)")
	eval[bool](t, ctx, "document.getElementById('verdict').click(), true")
	screenshot(t, ctx, "replay-parts")
	shot("replay-missing", "/aachen/20260318/http://www.aachen.example/council/minutes/2026-03.html", "document.querySelector('h1')")
	shot("replay-captures", "/aachen/*/http://www.aachen.example/council/", "document.querySelector('tbody tr')")
}

// council is a page with a history: many captures, some changes, parts from other times.
func council() (out []replaytest.Answer) {
	page := func(url, at, typ, body string) {
		out = append(out, replaytest.Answer{URL: "http://www.aachen.example" + url, Time: at, Header: "Content-Type: " + typ + "\n", Body: body})
	}
	start := time.Date(2026, 1, 5, 3, 2, 11, 0, time.UTC)
	for i := range 30 {
		at := start.AddDate(0, 0, i*4).Format(time.RFC3339)
		body := fmt.Sprintf(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>City council</title><link rel="stylesheet" href="/style.css"></head><body><h1>City council</h1><p>The council meets on Wednesday at 17:00 in the town hall. Agenda and minutes are published here three days before the meeting. Meeting %d of the year.</p><div class="row"><img src="/hall.svg" alt=""><img src="/map.svg" alt=""><img src="/old.svg" alt=""><img src="/gone.svg" alt=""></div><p><a href="minutes/">Minutes</a> <a href="/">City of Aachen</a></p></body></html>`, i/3+1)
		if i == 11 {
			out = append(out, replaytest.Answer{URL: "http://www.aachen.example/council/", Time: at, Status: 503, Header: htmlType, Body: "out of order"})
			continue
		}
		page("/council/", at, "text/html; charset=utf-8", body)
	}
	svg := func(c string) string {
		return `<svg xmlns="http://www.w3.org/2000/svg" width="260" height="150"><rect width="260" height="150" fill="` + c + `"/></svg>`
	}
	page("/style.css", "2026-03-18T03:02:15Z", "text/css", "body{font:16px Arial;margin:40px 90px;max-width:1000px}.row{display:flex;gap:16px}")
	page("/hall.svg", "2026-03-18T03:02:20Z", "image/svg+xml", svg("#dfe8f2"))
	page("/map.svg", "2026-03-18T03:13:02Z", "image/svg+xml", svg("#efe5d8"))
	page("/old.svg", "2026-03-14T01:00:00Z", "image/svg+xml", svg("#e2ecdf"))
	page("/council/minutes/2026-01.html", "2026-01-05T03:05:00Z", "text/html", "x")
	page("/council/minutes/2026-02.html", "2026-02-10T03:05:00Z", "text/html", "x")
	return out
}
