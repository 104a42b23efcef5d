package browser_test

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"varve/crawl/browser"
	"varve/crawl/browser/behave"
)

// Starting a browser takes longer than a test, so the tests have two between them.
var common, other lazy

// lazy is a collector that is made when it is needed and lives until the tests are over.
type lazy struct {
	sync.Mutex
	c *browser.Collector
}

func (l *lazy) get(t testing.TB, cfg browser.Config) *browser.Collector {
	t.Helper()
	if _, err := browser.Find(""); err != nil {
		t.Skip("no chromium: apt-get install chromium")
	}
	l.Lock()
	defer l.Unlock()
	if l.c == nil {
		c, err := browser.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		l.c = c
	}
	return l.c
}

// shared gives a collector with the defaults.
func shared(t testing.TB) *browser.Collector {
	t.Helper()
	return common.get(t, browser.Config{Text: true})
}

// special gives a collector with one tab, a seed, pictures, and rules for a site.
func special(t testing.TB) *browser.Collector {
	t.Helper()
	own, err := behave.Parse("own", []byte("[[site]]\nhost = \"*.test\"\nstep = [{selector = \".odd\", times = 3}, {selector = \".veil\", hide = true}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	builtin, err := behave.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return other.get(t, browser.Config{Text: true, Screenshot: true, Seed: 7, Tabs: 1, Rules: builtin.With(own)})
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, l := range []*lazy{&common, &other} {
		if l.c == nil {
			continue
		}
		if err := l.c.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}
