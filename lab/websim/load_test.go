package websim_test

import (
	"strings"
	"testing"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/truth"
)

func TestLoadErrorsSayWhereAndWhat(t *testing.T) {
	const site = "[[site]]\nhost='a.sim.test'\n"
	for _, c := range []struct{ text, want string }{
		{"", "no [[site]]"},
		{"[[site]\n", "column 7"},
		{site + "pagse=3", `unknown key "site.pagse"`},
		{"span='1d'\n[[site]]\nhost='A b'", "host"},
		{"[[site]]\nhost='www.a.test'", "host"},
		{site + site, "described twice"},
		{site + "pages=3000000", "pages: want"},
		{site + "count=20000", "more than 10000 sites"},
		{site + "count=3", "needs {n}"},
		{"[[site]]\nhost='{n}.test'\ncount=9000\n" + strings.Repeat("[[site.page]]\npath='/a'\n", 300), "pages and redirects"},
		{site + "addr='10.0.0.1'", "only loopback"},
		{site + "addr='x'", "addr"},
		{site + "lang='xx'", "lang: want de, en, fr"},
		{site + "mix={exe=1}", "mix.exe"},
		{site + "size.html={mean=-1}", "size.html"},
		{site + "[[site.change]]\nevery='1ms'", "change 1: every: want at least 1s"},
		{site + "[[site.change]]\nevery='-1h'", "duration"},
		{site + "[[site.change]]\nevery='1s'\nburst={every='1h',lasts='1m',factor=1000}", "rate: want at most"},
		{site + "[[site.change]]\nslot='1h'\np=1.5", "p: want 0 to 1"},
		{site + "[[site.change]]\nslot='1h'\np=nan", "p: want 0 to 1"},
		{site + "[[site.change]]\nevery='1d'\nkinds={vanish=1}", "kinds.vanish"},
		{site + "[[site.life]]\nvanish='1s'", "life 1: vanish"},
		{site + "[[site.serve]]\netag='maybe'", "serve 1: etag: want strong, weak or off"},
		{site + "[[site.serve]]\npath='********'", "6 stars"},
		{site + "[[site.fault]]\nkind='x'", "fault 1: kind: want slow, drip"},
		{site + "[[site.fault]]\nkind='slow'\nat='no slash'", "fault 1: at"},
		{site + "[[site.trap]]\nkind='x'\nat='/'", "trap 1"},
		{site + "[[site.redirect]]\nfrom='/a'\nto='x y'", "redirect 1"},
		{site + "[[site.page]]\npath='x'", "page 1"},
		{"epoch=1066-10-14T00:00:00Z\n" + site, "epoch"},
		{"-- site.toml --\n" + site + "-- nohost --\n", "file nohost"},
		{"-- a.test/x@soon --\nx\n", "duration"},
		{strings.Repeat("#", 2<<20), "bytes of TOML"},
	} {
		_, err := websim.Load("x.toml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "x.toml: ") {
			t.Errorf("%.60q: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestTxtarPages(t *testing.T) {
	w := load(t, 1, `
-- site.toml --
[[site]]
host = "made.sim.test"
pages = 5
-- made.sim.test/about.html --
<p>first</p>
-- made.sim.test/about.html@30d --
<p>second</p>
-- made.sim.test/robots.txt --
User-agent: *
-- Alone.sim.test/ --
<p>home</p>
-- alone.sim.test/late.css@2d --
p { color: red }
`)
	at := func(d time.Duration) time.Time { return w.Epoch().Add(d) }
	for _, c := range []struct {
		url    string
		after  time.Duration
		status int
		body   string
	}{
		{"http://made.sim.test/about.html", 0, 200, "<p>first</p>\n"},
		{"http://made.sim.test/about.html", 30*oneDay - time.Second, 200, "<p>first</p>\n"},
		{"http://made.sim.test/about.html", 30 * oneDay, 200, "<p>second</p>\n"},
		{"http://made.sim.test/robots.txt", 0, 200, "User-agent: *\n"},
		{"http://alone.sim.test/", 0, 200, "<p>home</p>\n"},
		{"http://alone.sim.test/late.css", oneDay, 404, ""},
		{"http://alone.sim.test/late.css", 3 * oneDay, 200, "p { color: red }\n"},
	} {
		a := w.Get(c.url, at(c.after))
		if a.Status != c.status || c.status == 200 && string(a.Body) != c.body {
			t.Errorf("%s after %v: %d %q", c.url, c.after, a.Status, a.Body)
		}
	}
	about, _ := w.Lookup("made.sim.test", "/about.html")
	if !w.Changed(about, at(0), at(40*oneDay), truth.Main) || w.Changed(about, at(0), at(20*oneDay), truth.Bytes) {
		t.Error("the history does not tell the change")
	}
	if !strings.Contains(string(w.Get("http://made.sim.test/", at(0)).Body), "/about.html") {
		t.Error("the home page does not link to it")
	}
}

func TestDurations(t *testing.T) {
	for text, want := range map[string]time.Duration{"90s": 90 * time.Second, "1.5d": 36 * time.Hour, "2w": 14 * oneDay, "1y": 365 * oneDay, "0": 0} {
		if got, err := websim.ParseDuration(text); err != nil || got != want {
			t.Errorf("%s: %v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "d", "-1d", "NaNd", "1e300y", "101y", "5 d"} {
		if got, err := websim.ParseDuration(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Whatever a description says, loading it ends soon, and a small web made from it can be asked
// anything.
func FuzzLoad(f *testing.F) {
	for _, name := range websim.Presets() {
		text, _ := websim.PresetText(name)
		f.Add(text)
	}
	f.Add([]byte("-- site.toml --\n[[site]]\nhost='a.test'\n-- a.test/x@1d --\nx\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		spec, err := websim.Load("fuzz", data)
		if err != nil {
			return
		}
		pages := 0
		for i := range spec.Sites {
			pages += spec.Sites[i].Pages + spec.Sites[i].Assets
		}
		if pages > 500 || len(spec.Sites) > 20 || largest(spec) > 1<<20 || spec.Span > websim.Duration(400*oneDay) {
			return
		}
		w, err := websim.New(spec, 1, websim.WithCache(1<<20))
		if err != nil {
			t.Fatalf("loaded but not made: %v", err)
		}
		at := w.Epoch().Add(time.Duration(spec.Span) / 2)
		for i := range min(w.Len(), 20) {
			w.Look(id(i), at)
			w.Links(id(i), at)
			w.Get(w.URL(id(i), at), at).Wire("GET", 1<<16)
		}
		for _, h := range w.Hosts() {
			w.Get("http://"+h.Name+"/robots.txt", at)
			w.Get("http://"+h.Name+"/sitemap.xml", at)
		}
	})
}

// largest is the largest body a description asks for.
func largest(spec *websim.Spec) int {
	n := 0
	for i := range spec.Sites {
		for _, z := range spec.Sites[i].Size {
			n = max(n, z.Mean<<uint(z.Sigma*3))
		}
		for _, p := range spec.Sites[i].Page {
			n = max(n, p.Size)
		}
		for _, f := range spec.Sites[i].Fault {
			n = max(n, int(f.Bytes>>6))
		}
	}
	return n
}
