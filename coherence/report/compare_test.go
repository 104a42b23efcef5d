package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/clock"
	"varve/coherence/evidence"
	"varve/coherence/evidence/fixture"
	"varve/coherence/report"
	"varve/lab/websim"
	"varve/lab/websim/server"
	"varve/lab/websim/truth"
	"varve/text/layer"
)

// printed is the JSON of a comparison, as users read it.
type printed struct {
	Pages     int            `json:"pages"`
	OnlyA     int            `json:"only_a"`
	OnlyB     int            `json:"only_b"`
	Identical map[string]int `json:"identical"`
	Changed   []struct {
		URL, Layer, Defect string
		A, B               struct {
			Time           time.Time
			Digest, Record string
		}
	} `json:"changed"`
}

func evidenceOf(t *testing.T, sides ...[]string) *evidence.Set {
	t.Helper()
	return evidenceWith(t, evidence.Options{Memory: 1}, sides...)
}

func evidenceWith(t *testing.T, o evidence.Options, sides ...[]string) *evidence.Set {
	t.Helper()
	o.Dir, o.Workers = t.TempDir(), 2
	var sources []evidence.Source
	for side, paths := range sides {
		for _, p := range paths {
			sources = append(sources, evidence.Source{Path: p, Side: side})
		}
	}
	set, err := evidence.Read(t.Context(), sources, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = set.Close() })
	return set
}

func compare(t *testing.T, a, b []string) printed {
	t.Helper()
	p, again := compareSet(t, evidenceOf(t, a, b)), compareSet(t, evidenceWith(t, evidence.Options{Lazy: true}, a, b))
	if fmt.Sprint(p) != fmt.Sprint(again) {
		t.Errorf("lazy reading gives\n%v, want\n%v", again, p)
	}
	return p
}

func compareSet(t *testing.T, set *evidence.Set) printed {
	t.Helper()
	cmp, err := report.Compare(t.Context(), set, layer.Config{}, t.TempDir(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer cmp.Close()
	var out bytes.Buffer
	if err := cmp.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var p printed
	dec := json.NewDecoder(&out)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	if len(p.Changed) != p.Pages-p.Identical["bytes"] {
		t.Errorf("%d changed of %d pages, %d identical", len(p.Changed), p.Pages, p.Identical["bytes"])
	}
	return p
}

func page(title string, paragraphs ...string) string {
	return "<html><head><title>" + title + "</title></head><body><main><p>" + strings.Join(paragraphs, "</p><p>") + "</p></main></body></html>"
}

// One page of each kind of change; layers and defects are known by construction.
func TestCompareKinds(t *testing.T) {
	text := "The quick brown fox jumps over the lazy dog while the band plays on and nobody in the town cares about it."
	for _, c := range []struct {
		name, a, b    string
		statusB       int
		layer, defect string
		identical     string // layers
	}{
		{"same", page("t", text), page("t", text), 200, "", "", "bytes dom text main links"},
		{"comment", page("t", text), page("t", text) + "<!-- rendered in 5 ms -->", 200, "bytes", "content", "dom text main links"},
		{"content", page("t", text), page("t", "Something else altogether was written here in the night by people who had nothing to say."), 200, "main", "content", "links"},
		{"links", page("t", text), page("t", text+`<a href="/new">`+"</a>"), 200, "dom", "links", "text main"},
		{"gone", page("t", text), "no such page", 404, "main", "missing", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := fixture.New(t, "a.warc.gz"), fixture.New(t, "b.warc.gz")
			idA := a.Response(fixture.Answer{URL: "http://a.test/", At: fixture.At(0), Body: c.a})
			idB := b.Response(fixture.Answer{URL: "http://a.test/", At: fixture.At(9), Body: c.b, Status: c.statusB})
			dir := t.TempDir()
			got := compare(t, []string{a.Write(dir)}, []string{b.Write(dir)})
			for _, l := range []string{"bytes", "dom", "text", "main", "links"} {
				want := 0
				if strings.Contains(" "+c.identical+" ", " "+l+" ") {
					want = 1
				}
				if got.Identical[l] != want {
					t.Errorf("identical %s: %d, want %d", l, got.Identical[l], want)
				}
			}
			if c.layer == "" {
				return
			}
			ch := got.Changed[0]
			if ch.Layer != c.layer || ch.Defect != c.defect {
				t.Errorf("%s %s, want %s %s", ch.Layer, ch.Defect, c.layer, c.defect)
			}
			if ch.A.Record != idA || ch.B.Record != idB || !ch.A.Time.Equal(fixture.At(0)) || !ch.B.Time.Equal(fixture.At(9)) || ch.A.Digest != fixture.Digest(c.a) {
				t.Errorf("sides %+v", ch)
			}
		})
	}
}

// Random captures, revisits without any reference among them, against a comparison of the contents
// that are known to the test.
func TestCompareAgainstTruth(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		a, b := fixture.New(t, "a.warc.gz"), fixture.New(t, "b.warc.gz")
		var want printed
		want.Identical = map[string]int{}
		for n := range 80 {
			url := fmt.Sprintf("https://a.test/%d?q=1", n)
			body := page(fmt.Sprint("Page ", n), fmt.Sprint("words of page ", n), "and more of it")
			at, later := fixture.At(float64(n)), fixture.At(float64(1000+n))
			switch r.IntN(6) {
			case 0:
				a.Response(fixture.Answer{URL: url, At: at, Body: body})
				want.OnlyA++
				continue
			case 1:
				b.Response(fixture.Answer{URL: url, At: at, Body: body})
				want.OnlyB++
				continue
			case 2: // a bare 304
				a.Response(fixture.Answer{URL: url, At: at, Body: body})
				b.Revisit(fixture.Answer{URL: url, At: later, Status: 304}, fixture.Refers{})
				count(&want, "bytes dom text main links")
			case 3: // a digest alone, of content under another address
				a.Response(fixture.Answer{URL: url, At: at, Body: body})
				a.Response(fixture.Answer{URL: url + "&copy", At: at, Body: "<p>copy</p>" + fmt.Sprint(n)})
				want.OnlyA++
				b.Revisit(fixture.Answer{URL: url, At: later}, fixture.Refers{Digest: fixture.Digest("<p>copy</p>" + fmt.Sprint(n))})
				count(&want, "links")
			case 4:
				a.Response(fixture.Answer{URL: url, At: at, Body: body})
				b.Response(fixture.Answer{URL: url, At: later, Body: body + "<!-- " + fmt.Sprint(n) + " -->"})
				count(&want, "dom text main links")
			case 5:
				a.Response(fixture.Answer{URL: url, At: at, Body: body, MIME: "text/plain"})
				b.Response(fixture.Answer{URL: url, At: later, Body: body + "!", MIME: "text/plain"})
				count(&want, "")
			}
		}
		dir := t.TempDir()
		got := compare(t, []string{a.Write(dir)}, []string{b.Write(dir)})
		if got.Pages != want.Pages || got.OnlyA != want.OnlyA || got.OnlyB != want.OnlyB || fmt.Sprint(got.Identical) != fmt.Sprint(want.Identical) {
			t.Errorf("seed %d:\ngot  %d %d %d %v\nwant %d %d %d %v", seed, got.Pages, got.OnlyA, got.OnlyB, got.Identical,
				want.Pages, want.OnlyA, want.OnlyB, want.Identical)
		}
	}
}

func count(p *printed, layers string) {
	p.Pages++
	for _, l := range []string{"bytes", "dom", "text", "main", "links"} {
		if _, ok := p.Identical[l]; !ok {
			p.Identical[l] = 0
		}
	}
	for l := range strings.FieldsSeq(layers) {
		p.Identical[l]++
	}
}

// The files of a crawler that we did not write, of a web whose changes are known. wget finds the
// simulated hosts through a proxy, which is the simulator itself.
func TestCompareFilesOfWget(t *testing.T) {
	wget, err := exec.LookPath("wget")
	if err != nil {
		t.Skip("no wget here")
	}
	spec, err := websim.Preset("layers")
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 3)
	if err != nil {
		t.Fatal(err)
	}
	at := [2]time.Time{web.Epoch().Add(240 * time.Hour), web.Epoch().Add(260 * time.Hour)}
	timeline := server.NewTimeline(clock.Real(), at[0], 0)
	s, err := server.Listen(web, server.Options{Timeline: timeline})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command(wget, append([]string{
			"-q", "-r", "-l", "2", "--no-verbose", "-e", "robots=off", "-e", "use_proxy=on",
			"-e", "http_proxy=http://" + s.Addr(), "--delete-after", "-P", filepath.Join(dir, "tree"),
		}, append(args, s.Seeds()[0])...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 8 { // 8: some answers were errors
			t.Fatalf("wget: %v: %s", err, out)
		}
	}
	run("--warc-file=a", "--warc-cdx")
	timeline.Set(at[1])
	run("--warc-file=b", "--warc-dedup=a.cdx") // revisits of what did not change

	got := compare(t, []string{filepath.Join(dir, "a.warc.gz")}, []string{filepath.Join(dir, "b.warc.gz")})
	if got.Pages < 100 {
		t.Fatalf("only %d pages: did wget crawl?", got.Pages)
	}
	changed := map[string]string{}
	for _, c := range got.Changed {
		changed[c.URL] = c.Layer
	}
	rescued := 0
	for p, err := range evidenceOf(t, []string{filepath.Join(dir, "a.warc.gz")}).Pages() {
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(p.URL)
		if err != nil {
			t.Fatal(err)
		}
		id, ok := web.Lookup(u.Host, u.RequestURI())
		if !ok || strings.HasPrefix(u.Path, "/health/") { // these change with every request
			continue
		}
		layerNow, isChanged := changed[p.URL]
		if byTruth := web.Changed(id, at[0], at[1], truth.Bytes); byTruth && !isChanged {
			t.Errorf("%s changed and was called identical", p.URL)
		} else if !byTruth && isChanged {
			t.Errorf("%s did not change and was called changed on %s", p.URL, layerNow)
		}
		if isChanged && !web.Changed(id, at[0], at[1], truth.Text) {
			rescued++
			if layerNow == "text" || layerNow == "main" {
				t.Errorf("%s changed only in its noise and was called changed on %s", p.URL, layerNow)
			}
		}
	}
	if rescued == 0 {
		t.Error("no page with noise alone: the test proves nothing about layers")
	}
}
