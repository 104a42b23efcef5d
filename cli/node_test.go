package cli

import (
	"strings"
	"testing"

	"varve/lab/natsd"
)

// A crawl by one node over its limit and on, as an operator would make it: the limit of the crawl ends it, status says so, a higher one lets it go on, a pause waits, and
// what cannot be done is told with exit code 2.
func TestNodeOrders(t *testing.T) {
	c, err := natsd.Start(t.TempDir(), natsd.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	web := newServerLog(t, 20, nil)
	dir := t.TempDir()
	of := func(args ...string) []string { return append(args, "--join", c.URL(), "--crawl", "small") }
	node := of("node", web.URL+"/", "--archive", dir, "--delay", "0s", "--max-pages", "5", "--polite-dir", "none", "--min-disk", "0", "--no-index", "--quiet", "--capture", "parser")
	says := func(code int, want string, args ...string) {
		t.Helper()
		if out := run(t, code, args...); !strings.Contains(out, want) {
			t.Errorf("%s: no %q in\n%s", strings.Join(args[:2], " "), want, out)
		}
	}
	says(2, "", of("node", "pause")...)
	says(1, "", node...)
	says(0, "max-pages reached", of("node", "status")...)
	says(0, "limits of the crawl: 5 pages", of("node", "status")...)
	says(0, "order 1", of("node", "limits", "--max-pages", "9")...)
	says(1, "", of("node", "--archive", dir, "--polite-dir", "none", "--quiet")...)
	says(0, "together: 9 pages", of("node", "status")...)
	says(2, "", of("node", "limits", "--max-pages", "-1")...)
	says(0, "order 2", of("node", "stop")...)
	says(1, "", of("node", "--archive", dir, "--polite-dir", "none", "--quiet")...)
	says(0, "stopped by ", of("node", "status")...)
	says(0, "order 3", of("node", "resume")...)
	says(0, "order 4", of("node", "limits")...)
	says(0, "", of("node", "--archive", dir, "--polite-dir", "none", "--quiet")...)
	says(0, "complete", of("node", "status")...)
	says(2, "", of("node", "resume")...)
	says(0, `"pages": 21`, of("node", "report")...)
}
