package replay_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"varve/serve/replay/replaytest"
)

// probesDir is where the probes lie: they are not of this project, so they are read where they are.
const probesDir = "../../../shared/probes"

// knownProbes are what scripts see otherwise in replay than live, and why.
var knownProbes = map[string]string{
	"Date year":  "time is that of the capture",
	"style attr": "addresses come back absolute",
	"style text": "addresses come back absolute",
}

// Each probe records what a script sees; live and replayed from a WARC of the same page it should be the same.
func TestBrowserProbes(t *testing.T) {
	if _, err := os.Stat(probesDir); err != nil {
		t.Skipf("the probes are not here: %v", err)
	}
	p := newRecorder(t)
	ctx := browser(t, p)
	const site = "probe.sim.test"
	types := map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript"}
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := os.ReadFile(filepath.Join(probesDir, path.Base(r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", types[path.Ext(r.URL.Path)])
		w.Write(text)
	}))
	defer live.Close()
	var pages []replaytest.Answer
	for _, name := range []string{"page.html", "blank.html", "probes.js"} {
		text, err := os.ReadFile(filepath.Join(probesDir, name))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, replaytest.Answer{URL: "http://" + site + "/dir/" + name, Time: "2020-02-03T04:05:06Z", Header: "Content-Type: " + types[path.Ext(name)] + "\n", Body: string(text)})
	}
	p.allow(site+":80", live.Listener.Addr().String())
	navigate(t, ctx, "http://"+site+"/dir/page.html")
	const ready = "document.getElementById('out') && document.getElementById('out').textContent.startsWith('RES')"
	waitFor(t, ctx, ready)
	want := eval[[][]any](t, ctx, "R")
	p.leave(t, ctx)

	_, host, addr := serveReplay(t, replaytest.Write(t, pages...), "")
	p.only(host, addr)
	navigate(t, ctx, "http://"+host+"/n/20200203040506/http://"+site+"/dir/page.html")
	in := inside(t, ctx, "mp_/http://"+site+"/dir/page.html")
	waitFor(t, in, ready)
	got := eval[[][]any](t, in, "R")
	if len(got) != len(want) {
		t.Fatalf("%d probes replayed, %d live", len(got), len(want))
	}
	var known []string
	differ := 0
	for i, w := range want {
		if fmt.Sprint(got[i]) == fmt.Sprint(w) {
			continue
		}
		differ++
		name := fmt.Sprint(w[0])
		if why := knownProbes[name]; why != "" {
			known = append(known, name+" ("+why+")")
			continue
		}
		t.Errorf("%s: %v, live it was %v", name, got[i][1], w[1])
	}
	t.Logf("%d probes, %d differ: known are %s", len(want), differ, strings.Join(known, ", "))
}
