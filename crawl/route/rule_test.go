package route

import (
	"strings"
	"testing"
	"time"

	"varve/crawl/collect"
	"varve/web/links"
)

func TestLoadErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "version 0; this program reads version 1"},
		{"version = 2", "version 2"},
		{"version = 1\n[[rule]]\nname = 'x'\nchoose = 'magic'", `rule 1 (x): choose "magic"`},
		{"version = 1\n[[rule]]\nchoose = 'parser'\nurl = '('", "rule 1 (): url: error parsing regexp"},
		{"version = 1\n[[rule]]\nchoose = 'parser'\nstatus = ['x']", `status "x"`},
		{"version = 1\n[[rule]]\nchoose = 'parser'\nfound = ['x']", `found "x"`},
		{"version = 1\n[[rule]]\nchoose = 'parser'\nsigns = ['x']", `sign "x" is not known`},
		{"version = 1\n[[rule]]\nchoose = 'parser'\nmimes = ['x']", `"rule.mimes" is not known`},
		{"version = 1\n[[rule\n", "f.toml, line 3"},
		{"version = 1\n[gain]\nmin-gain = 'x'", "f.toml"},
	} {
		if _, err := Load("f.toml", strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.want)
		}
	}
}

// ev is an answer for tests.
func ev(url, mime, hops, body string) *collect.Evidence {
	e := &collect.Evidence{Answer: collect.Answer{URL: url, MIME: mime, Hops: hops, Status: 200, Content: []byte(body)}, Pages: 10, Elapsed: time.Minute}
	if mime == "text/html" {
		e.Info, _ = links.Extract(links.Document{URL: url, MIME: mime, Body: e.Content}, func(links.Link) {})
	}
	return e
}

const appPage = `<noscript>enable JavaScript</noscript><div id=root></div><script src=/a.js></script>`

func TestDefaultRules(t *testing.T) {
	r := New(Default(), Auto, nil, Browser, Media, API)
	for _, tt := range []struct {
		e    *collect.Evidence
		want string
	}{
		{ev("http://e.example/", "text/html", "", "<p>x</p>"), ""},
		{ev("http://e.example/", "text/html", "", appPage), Browser},
		{ev("http://e.example/f", "text/html", "LE", appPage), ""},
		{ev("http://e.example/f", "text/html", "LX", appPage), ""},
		{ev("http://e.example/f", "text/html", "LE", `<video></video><script>fetch("f.json").then(function (r) { document.querySelector("video").src = r })</script>`), Browser + "+" + Media},
		{ev("http://e.example/o", "text/html", "L", `<object data="RTMP://e.example/live" type=x></object>`), Media},
		{ev("http://e.example/o", "text/html", "L", `<embed type="Video/x-ms-wmv" src=/f.wmv>`), Media},
		{ev("http://e.example/o", "text/html", "L", `<object data="/o.bin" type=application/x-thing></object>`), ""},
		{ev("http://e.example/v.m3u8", "application/vnd.apple.mpegurl", "LE", "#EXTM3U"), Media},
		{ev("http://e.example/v.m3u8?t=1", "text/plain", "LE", "#EXTM3U"), Media},
		{ev("http://e.example/v.mpd", "application/dash+xml", "LE", "<MPD/>"), Media},
		{ev("http://e.example/v.mp4", "video/mp4", "LE", ""), ""},
		{ev("http://e.example/x.json", "application/json", "L", "{}"), ""}, // no finder
		{ev("http://e.example/x.css", "text/css", "E", ""), ""},
	} {
		if c := r.Choose(tt.e); c.Collector != tt.want || tt.want != "" && c.Why == "" {
			t.Errorf("%s %s: %+v, want %q", tt.e.URL, tt.e.MIME, c, tt.want)
		}
	}
	e := ev("http://e.example/", "text/html", "", appPage)
	e.Status = 404
	if c := r.Choose(e); c.Collector != "" {
		t.Errorf("an error page: %+v", c)
	}
}

// Rules of the user come first; all conditions must hold.
func TestUserRules(t *testing.T) {
	own, err := Load("own.toml", strings.NewReader(`
version = 1
[gain]
min-gain = 0.7
[[rule]]
name = "the parser takes over"
pages-over = 1000
choose = "parser"
[[rule]]
name = "late"
after = "2h"
mime = ["text/html"]
choose = "parser"
[[rule]]
name = "shop"
host = "*.shop.example"
path = '^/item/\d+$'
found = ["link", "seed"]
status = ["200-299"]
links-under = 5
choose = "browser"
time = "90s"
why = "items are shown by script"
[[rule]]
name = "signs"
signs = ["needs-script"]
any-sign = ["module", "player"]
choose = "browser"
`))
	if err != nil {
		t.Fatal(err)
	}
	rules := own.Before(Default())
	if rules.params.MinGain != 0.7 || len(rules.list) != len(own.list)+len(Default().list) {
		t.Errorf("%+v", rules.params)
	}
	r := New(rules, Auto, nil, Browser)
	for _, tt := range []struct {
		name string
		e    *collect.Evidence
		edit func(*collect.Evidence)
		want string
	}{
		{"fits", ev("http://a.shop.example:81/item/7", "text/html", "L", "x"), nil, "items are shown by script"},
		{"other host", ev("http://shop.test/item/7", "text/html", "L", "x"), nil, ""},
		{"other path", ev("http://a.shop.example/item/7/x", "text/html", "L", "x"), nil, ""},
		{"found otherwise", ev("http://a.shop.example/item/7", "text/html", "LE", "x"), nil, ""},
		{"many links", ev("http://a.shop.example/item/7", "text/html", "L", "x"), func(e *collect.Evidence) { e.Info.Counts[links.HopLink] = 5 }, ""},
		{"many pages", ev("http://a.shop.example/item/7", "text/html", "L", appPage), func(e *collect.Evidence) { e.Pages = 1001 }, ""},
		{"too late", ev("http://a.shop.example/item/7", "text/html", "L", appPage), func(e *collect.Evidence) { e.Elapsed = 3 * time.Hour }, ""},
		{"signs", ev("http://e.example/", "text/html", "L", "<noscript>JavaScript</noscript><video></video><script></script>"), nil, "rule signs"},
	} {
		if tt.edit != nil {
			tt.edit(tt.e)
		}
		if c := r.Choose(tt.e); c.Why != tt.want || (c.Collector != "") != (tt.want != "") {
			t.Errorf("%s: %+v, want %q", tt.name, c, tt.want)
		}
	}
	if c := r.Choose(ev("http://a.shop.example/item/7", "text/html", "L", "x")); c.Time != 90*time.Second {
		t.Errorf("time %v", c.Time)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(defaults)
	f.Add("version = 1\n[[rule]]\nchoose='measure'\nsigns=['asks']\nstatus=['1-2']\nhost='*'\n")
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := Load("f", strings.NewReader(text))
		if err != nil {
			return
		}
		New(rules, Auto, nil, Browser).Choose(ev("http://e.example/a?b", "text/html", "LE", appPage))
	})
}
