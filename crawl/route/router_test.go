package route

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/crawl/collect"
)

// A section is executed until three pages brought nothing; then only probes.
func TestRouterStops(t *testing.T) {
	r := New(Default(), Auto, nil, Browser)
	var why []string
	executed := 0
	for i := range 200 {
		e := ev(fmt.Sprintf("http://e.example/p/%d", i), "text/html", "L", appPage)
		c := r.Choose(e)
		if c.Collector != Browser {
			if c.Why == "" {
				t.Fatalf("page %d: no reason", i)
			}
			continue
		}
		executed++
		why = append(why, fmt.Sprintf("%d: %s", i, c.Why))
		r.Learn(c, collect.Yield{Cost: collect.Cost{CPU: time.Second}})
	}
	if executed < 4 || executed > 7 {
		t.Errorf("executed %d:\n%s", executed, strings.Join(why, "\n"))
	}
	if !strings.Contains(why[0], "the root of an application is empty") || !strings.Contains(why[3], "probe after 16 pages; 0 of 3 executed pages") {
		t.Errorf("reasons:\n%s", strings.Join(why, "\n"))
	}
}

// While a page of a section is executed that has brought nothing yet, the others wait for what it brings.
func TestRouterWaits(t *testing.T) {
	r := New(Default(), Auto, nil, Browser)
	page := func(i int) *collect.Evidence {
		return ev(fmt.Sprintf("http://e.example/p/%d", i), "text/html", "L", appPage)
	}
	first := r.Choose(page(1))
	second := r.Choose(page(2))
	if first.Collector != Browser || second.Collector != "" || !second.Wait {
		t.Fatalf("%+v, %+v", first, second)
	}
	again := page(2)
	again.Again = true
	if c := r.Choose(again); !c.Wait {
		t.Errorf("nothing was learned: %+v", c)
	}
	r.Learn(first, collect.Yield{Links: 3})
	for range 3 { // it pays: nobody waits any more
		if c := r.Choose(again); c.Collector != Browser {
			t.Errorf("%+v", c)
		}
	}
}

// What one section shows counts for its siblings with the same signs.
func TestSiblings(t *testing.T) {
	r := New(Default(), Auto, nil, Browser)
	executed := 0
	for i := range 40 { // each a section of its own
		c := r.Choose(ev("http://e.example/"+strings.Repeat("x", 1+i%20)+string(rune('a'+i/20)), "text/html", "L", appPage))
		if c.Collector == Browser {
			executed++
			r.Learn(c, collect.Yield{})
		}
	}
	if executed > 12 {
		t.Errorf("%d of 40 sections without gain were tried", executed)
	}
}

// Modes, and collectors that are not there.
func TestModes(t *testing.T) {
	plain, app := ev("http://e.example/", "text/html", "", "<p>x"), ev("http://e.example/", "text/html", "", appPage)
	hls := ev("http://e.example/v.m3u8", "application/vnd.apple.mpegurl", "E", "#EXTM3U")
	for _, tt := range []struct {
		r    *Router
		want [3]string
	}{
		{New(Default(), Auto, nil, Browser, Media), [3]string{"", Browser, Media}},
		{New(Default(), Everywhere, nil, Browser, Media), [3]string{Browser, Browser, Media}},
		{New(Default(), ParserOnly, nil, Browser, Media), [3]string{"", "", Media}},
		{New(Default(), Auto, nil, Media), [3]string{"", "", Media}},
		{New(Default(), Everywhere, nil), [3]string{"", "", ""}},
	} {
		for i, e := range []*collect.Evidence{plain, app, hls} {
			if c := tt.r.Choose(e); c.Collector != tt.want[i] {
				t.Errorf("%s %v: %d: %+v", tt.r.mode, tt.r.have, i, c)
			}
		}
	}
}

// What was learned is the same after State and Restore.
func TestState(t *testing.T) {
	r := New(Default(), Auto, nil, Browser)
	for i := range 3 {
		c := r.Choose(ev(fmt.Sprintf("http://e.example/p/%d", i), "text/html", "L", appPage))
		r.Learn(c, collect.Yield{Links: i, Cost: collect.Cost{CPU: time.Second}})
	}
	r.Choose(ev("http://e.example/a.js", "text/javascript", "E", "fetch('/x')"))
	b, err := r.State()
	if err != nil {
		t.Fatal(err)
	}
	s := New(Default(), Auto, nil, Browser)
	if err := s.Restore(b); err != nil {
		t.Fatal(err)
	}
	e := ev("http://e.example/p/9", "text/html", "L", appPage)
	if a, b := r.Explain(e), s.Explain(e); a.Gain != b.Gain || a.Why != b.Why || a.Record == nil || *a.Record != *b.Record || len(a.Signs) != len(b.Signs) {
		t.Errorf("%+v\n%+v", a, b)
	}
	for _, bad := range []string{"", "{", `{"version":9}`} {
		if err := s.Restore([]byte(bad)); err == nil {
			t.Errorf("%q: restored", bad)
		}
	}
}

// A script file that asks the server makes its pages worth a look.
func TestScriptFiles(t *testing.T) {
	r := New(Default(), Auto, nil, Browser)
	page := `<script src="/js/list.js"></script>` + strings.Repeat(`<p>words and more words<a href=/x>x</a><a href=/y>y</a><a href=/z>z</a></p>`, 30)
	if c := r.Choose(ev("http://e.example/a/1", "text/html", "L", page)); c.Collector != "" {
		t.Fatalf("%+v", c)
	}
	r.Choose(ev("http://e.example/js/list.js", "text/javascript", "LE", "new XMLHttpRequest; el.innerHTML = x"))
	if c := r.Choose(ev("http://e.example/a/2", "text/html", "L", page)); c.Collector != Browser || !strings.Contains(c.Why, "a script file asks the server") {
		t.Errorf("%+v", c)
	}
}

// An empty page with a script in it is executed, whatever the script looks like; one with words is not.
func TestNothingButScript(t *testing.T) {
	r := New(Default(), Auto, nil, Browser)
	script := "<script>(function (l, p) { l.go(p) })(there, 'x')</script>"
	if c := r.Choose(ev("http://e.example/door", "text/html", "L", script)); c.Collector != Browser {
		t.Errorf("%+v", c)
	}
	words := strings.Repeat("<p>words and words<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a></p>", 20)
	if c := r.Choose(ev("http://e.example/page", "text/html", "L", script+words)); c.Collector != "" {
		t.Errorf("%+v", c)
	}
}

// finder knows pages that name an interface.
type finder struct{}

func (finder) Find(e *collect.Evidence) (string, bool) {
	return "an interface", strings.Contains(string(e.Content), "wp-json")
}

func TestInterfaces(t *testing.T) {
	r := New(Default(), Auto, finder{}, Browser, API)
	for _, tt := range []struct{ mime, body, want string }{
		{"application/json", `{"wp-json":1}`, API},
		{"application/json", `{}`, ""},
		{"text/html", "<p>wp-json", API},
		{"text/html", appPage + "wp-json", Browser + "+" + API},
		{"text/html", "<p>", ""},
	} {
		if c := r.Choose(ev("http://e.example/", tt.mime, "", tt.body)); c.Collector != tt.want {
			t.Errorf("%s %s: %+v", tt.mime, tt.body, c)
		}
	}
}

// Many workers ask and learn at once; memory is bounded.
func TestConcurrent(t *testing.T) {
	rules := Default()
	rules.params.MostSections = 50
	r := New(rules, Auto, nil, Browser)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 300 {
				c := r.Choose(ev(fmt.Sprintf("http://h%d.example/s%c/%d", w, 'a'+i%26, i), "text/html", "L", appPage))
				if c.Collector != "" {
					r.Learn(c, collect.Yield{Links: i % 2})
				}
			}
		})
	}
	wg.Wait()
	if n := len(r.sections); n > 60 {
		t.Errorf("%d sections are remembered", n)
	}
}
