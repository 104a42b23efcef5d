package replay_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"varve/serve/replay/replaytest"
)

// givenProbes is where the probes lie that are not of this project: they are read where they are. ownProbes are ours, of the same kinds
// and others.
const (
	givenProbes = "../../../shared/probes"
	ownProbes   = "testdata/probes"
)

// knownGiven and knownOwn are what scripts see otherwise in replay than live, and why.
var (
	knownGiven = map[string]string{
		"Date year": "time is that of the capture",
	}
	knownOwn = map[string]string{
		"undefined.location":        "the message names the name that scripts are given",
		"null.location":             "the same",
		"bg backgroundImage":        "properties of a style are its own, and browsers let nobody replace them",
		"rule style":                "the same",
		"style cssText set":         "the same",
		"mutation style":            "the same: an address in it is put right behind the script",
		"use href":                  "an animated string does not know its element: absolute",
		"setAttributeNS":            "the same",
		"isEqualNode":               "what the rewriter and what the shim puts in the place of an address differ by the host",
		`sel [style*="url(bg2"]`:    "selectors see the addresses of styles as they are rewritten",
		"error stack":               "the browser's own",
		"Object.prototype":          "scripts find the names they are given there",
		"crypto":                    "loopback is a secure context, and the live site is none",
		"navigator":                 "the same",
		"literal without prototype": "an object without prototype has no names of the shim",
		"link list of relations":    "browsers do ahead of time what a relation says, so it is another one",
		"mapped frame":              "the text of an import map has the addresses of the archive",
		"observer old value":        "the value before is told absolute",
	}
)

// Each probe records what a script sees; live and replayed from a WARC of the same page it should be the same.
func TestBrowserProbes(t *testing.T) {
	if _, err := os.Stat(givenProbes); err != nil {
		t.Skipf("the probes are not here: %v", err)
	}
	probe(t, givenProbes, knownGiven)
}

func TestBrowserOwnProbes(t *testing.T) { probe(t, ownProbes, knownOwn) }

// probeLink is a field of all answers that replay has, too, for purposes of its own.
const probeLink = `<http://probe.sim.test/dir/next.json>; rel="next"`

func probe(t *testing.T, dir string, known map[string]string) {
	p := newRecorder(t)
	ctx := browser(t, p)
	const site = "probe.sim.test"
	types := map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".json": "application/json"}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	var pages []replaytest.Answer
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if types[path.Ext(f.Name())] == "" {
			continue
		}
		texts[f.Name()] = string(text)
		pages = append(pages, replaytest.Answer{URL: "http://" + site + "/dir/" + f.Name(), Time: "2020-02-03T04:05:06Z", Header: "Content-Type: " + types[path.Ext(f.Name())] + "\nLink: " + probeLink + "\n", Body: string(text)})
	}
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := texts[path.Base(r.URL.Path)]
		if !ok || path.Dir(r.URL.Path) != "/dir" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", types[path.Ext(r.URL.Path)])
		w.Header().Set("Link", probeLink)
		io.WriteString(w, text)
	}))
	defer live.Close()
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
	var told []string
	differ := 0
	for i, w := range want {
		name := fmt.Sprint(w[0])
		why := known[name]
		if fmt.Sprint(got[i]) == fmt.Sprint(w) {
			if why != "" {
				t.Errorf("%s is the same, and said to differ", name)
			}
			continue
		}
		differ++
		if why != "" {
			told = append(told, name+" ("+why+")")
			continue
		}
		t.Errorf("%s: %v, live it was %v", name, got[i][1], w[1])
	}
	t.Logf("%d probes, %d differ: known are %s", len(want), differ, strings.Join(told, ", "))
}
