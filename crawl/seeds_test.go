package crawl_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"varve"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/stages"
	"varve/lab/websim/server"
)

// What became of each seed is in the report.
func TestSeedReport(t *testing.T) {
	t.Parallel()
	s := simulateText(t, `
-- site.toml --
[[site]]
host = "good.sim.test"
pages = 4
robots = { disallow = ["/private/"] }
[[site.redirect]]
from = "/moved"
to = "/"
[[site.fault]]
kind = "reset-early"
at = "/broken"
link = false
-- good.sim.test/empty.html --
<p>no link at all</p>
`)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := closed.Addr().String()
	closed.Close()
	e, err := engineFor(append([]string{"nobody.sim.test=" + nobody}, s.Resolve()...), nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"http://good.sim.test/":             "ok",
		"http://good.sim.test/moved":        "redirected",
		"http://good.sim.test/missing":      "dead",
		"http://good.sim.test/private/x":    "blocked",
		"http://good.sim.test/broken":       "unreachable",
		"http://nobody.sim.test/":           "unreachable",
		"http://good.sim.test/empty.html":   "zero pages",
		"http://good.sim.test/?a=1#section": "ok",
	}
	var seeds []string
	for url := range want {
		seeds = append(seeds, url)
	}
	place := placeIn(t.TempDir())
	rep := complete(t, e, place, hostScope(seeds...))
	if len(rep.Seeds) != len(want) {
		t.Errorf("%d seeds reported, want %d", len(rep.Seeds), len(want))
	}
	for url, outcome := range want {
		url, _, _ = strings.Cut(url, "#") // which is not asked for
		if got := rep.Seeds[url]; got.Outcome != outcome {
			t.Errorf("%s: %+v, want %s", url, got, outcome)
		}
	}
	if rep.Seeds["http://good.sim.test/moved"].To != "http://good.sim.test/" || rep.Seeds["http://good.sim.test/broken"].Why != "reset" {
		t.Errorf("seeds %+v", rep.Seeds)
	}
}

func TestSeedList(t *testing.T) {
	t.Parallel()
	got, err := crawl.ReadSeeds(strings.NewReader("# list\n\nhttps://example.org/\n  example.net/a b\nlocalhost:8080\n"))
	if err != nil || len(got) != 3 {
		t.Errorf("%q, %v", got, err)
	}
	for text, line := range map[string]string{
		"http://a.example/\nhttp://[::1/\n":         "line 2",
		"\n#\nftp://a.example/\n":                   "line 3",
		"http://\n":                                 "line 1",
		"ok.example\n" + strings.Repeat("x", 2<<20): "line 2",
	} {
		if _, err := crawl.ReadSeeds(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), line) {
			t.Errorf("%.40q: %v, want %s", text, err, line)
		}
	}
}

// far is a fetcher for which all names are on the open web.
type far struct{ crawl.Fetcher }

func (f far) Resolve(context.Context, string) (*fetch.Answer, error) {
	return &fetch.Answer{Addrs: []netip.Addr{netip.MustParseAddr("93.184.215.14")}}, nil
}

func farEngine(t *testing.T, s *server.Server) *crawl.Engine {
	t.Helper()
	cfg, err := fetchConfig(s.Resolve(), s.Pool())
	if err != nil {
		t.Fatal(err)
	}
	client, err := fetch.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return crawl.NewEngine(engineConfig(far{client}, noDelay()))
}

// Outside of loopback there must be a contact.
func TestContactIsNeeded(t *testing.T) {
	t.Parallel()
	s := simulate(t, "tiny", 1)
	e := farEngine(t, s)
	_, err := e.StartIn(context.Background(), "test", placeIn(t.TempDir()), hostScope(s.Seeds()...), crawl.Options{Stages: stages.Set{}.Of})
	var told *varve.Error
	if !errors.As(err, &told) || told.Kind != varve.Invalid || !strings.Contains(told.Hint, "--contact") {
		t.Errorf("without a contact: %v", err)
	}
	def := hostScope(s.Seeds()...)
	def.Contact = "mailto:archive@example.org"
	complete(t, e, placeIn(t.TempDir()), def)
	for _, entry := range s.Log().Entries() {
		if !strings.Contains(entry.UserAgent, "varve") {
			t.Errorf("User-Agent %q", entry.UserAgent)
		}
	}
}

// A public page cannot make us reach this machine or its network.
func TestPublicPageCannotReachPrivate(t *testing.T) {
	t.Parallel()
	secret := simulateText(t, "[[site]]\nhost = \"secret.sim.test\"\npages = 2\n")
	s := simulateText(t, `
-- site.toml --
[[site]]
host = "public.sim.test"
pages = 2
-- public.sim.test/lure.html --
<img src="http://`+secret.Addr()+`/a.png"><script src="http://localhost:1/b.js"></script>
<img src="http://169.254.169.254/latest/meta-data/"><img src="http://10.0.0.1/c.png"><img src="http://[::1]/d.png">
<iframe src="http://0x7f000001/e"></iframe>
`)
	place := placeIn(t.TempDir())
	def := hostScope("http://public.sim.test/lure.html")
	def.Contact = "https://archive.example.org/"
	rep := complete(t, farEngine(t, s), place, def)
	refused := 0
	for _, l := range crawlLog(t, place) {
		if strings.HasPrefix(l.url, "http://public.sim.test/") {
			continue
		}
		if l.code != "-5000" || l.note != "guard" {
			t.Errorf("%s: %s %s", l.url, l.code, l.note)
		}
		refused++
	}
	if refused < 6 || rep.Errors["guard"] < 6 {
		t.Errorf("%d refused, %v", refused, rep.Errors)
	}
	if n := secret.Log().Len(); n > 0 {
		t.Errorf("the private server was asked %d times", n)
	}
}

// TestSeedLines: what people write into seed lists, and which address it means.
func TestSeedLines(t *testing.T) {
	list := "\ufeffhttp://a.test/\r\n" +
		"\r\n   \t\r\n" +
		"# all of it a comment\n" +
		"  # this too\n" +
		"http://b.test/x # a comment\n" +
		"http://c.test/x\t# a comment after a tab\n" +
		"\thttp://d.test/ \t \n" +
		"http://e.test/x#fragment\n" +
		"http://f.test/x#fragment # and a comment\n" +
		"g.test/x   #c\n" +
		"http://h.test/?q=%23 # encoded\n" +
		"http://i.test/last"
	seeds, err := crawl.ReadSeeds(strings.NewReader(list))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range seeds {
		u, err := crawl.ParseSeed(s)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, u.String())
	}
	want := []string{
		"http://a.test/", "http://b.test/x", "http://c.test/x", "http://d.test/", "http://e.test/x", "http://f.test/x",
		"https://g.test/x", "http://h.test/?q=%23", "http://i.test/last",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if u, err := crawl.ParseSeed("http://b.test/x # of a definition"); err != nil || u.String() != "http://b.test/x" {
		t.Errorf("%v %v", u, err)
	}
}
