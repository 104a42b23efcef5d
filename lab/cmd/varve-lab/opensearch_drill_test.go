package main

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"varve"
	"varve/cli"
	"varve/cluster"
	"varve/derive"
	"varve/index/cdx"
	"varve/index/cdx/cdxtest"
	"varve/index/fulltext"
	"varve/index/fulltext/texttest"
	"varve/lab/chance"
	"varve/lab/eval/cpu"
	"varve/lab/opensearchd"
	"varve/serve"
)

// engineDrill is an archive of strangers' texts, and an OpenSearch that is killed while it is loaded.
type engineDrill struct {
	t       *testing.T
	archive string
	server  *opensearchd.Server
	bulks   atomic.Int64
	killAt  int64 // number of the lot during which the server is killed; 0: never
}

// TestDrillOpenSearch loads an archive into a real OpenSearch, kills it meanwhile, goes on, and asks both the same 500 questions about texts and 500 about captures.
func TestDrillOpenSearch(t *testing.T) {
	samples := os.Getenv("VARVE_SAMPLES")
	speeches := filepath.Join(samples, "..", "data", "evolution", "ungdc", "2010s.jsonl.gz")
	if _, err := os.Stat(speeches); samples == "" || err != nil {
		t.Skip("drill: VARVE_SAMPLES names the folder of samples; the speeches are beside it")
	}
	d := &engineDrill{t: t, server: opensearchd.Start(t), archive: filepath.Join(t.TempDir(), "archive")}
	d.make(samples, speeches)
	proxy := httptest.NewServer(d.between())
	defer proxy.Close()
	toml := "[index]\naddress = \"" + proxy.URL + "\"\nreplicas = 0\ntimeout = \"120s\"\n"
	if err := os.WriteFile(filepath.Join(d.archive, "varve.toml"), []byte(toml), 0o644); err != nil {
		t.Fatal(err)
	}
	d.load()
	d.compare()
	d.serve()
}

// varve runs a command.
func (d *engineDrill) varve(args ...string) (string, error) {
	root := cli.New()
	var out bytes.Buffer
	root.SetArgs(append(args, "--archive", d.archive))
	root.SetOut(&out)
	root.SetErr(io.Discard)
	err := root.ExecuteContext(d.t.Context())
	return out.String(), err
}

func (d *engineDrill) must(args ...string) string {
	d.t.Helper()
	out, err := d.varve(args...)
	if err != nil {
		d.t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return out
}

// make makes the archive.
func (d *engineDrill) make(samples, speeches string) {
	warc := filepath.Join(d.t.TempDir(), "speeches.warc.gz")
	f, err := os.Create(warc)
	if err != nil {
		d.t.Fatal(err)
	}
	n, err := writeSpeeches(f, []string{speeches}, 2012, 2015)
	if err != nil || f.Close() != nil {
		d.t.Fatal(err)
	}
	d.t.Logf("%d speeches", n)
	d.must("import", "--collection", "speeches", warc)
	for _, pattern := range []string{"*.warc", "*.warc.gz", "*.arc", "*.arc.gz"} {
		files, err := filepath.Glob(filepath.Join(samples, pattern))
		if err != nil {
			d.t.Fatal(err)
		}
		for _, f := range files { // some are broken on purpose
			if _, err := d.varve("import", "--collection", "samples", f); err != nil {
				d.t.Logf("%s: %v", filepath.Base(f), err)
			}
		}
	}
	for _, name := range []string{"samples", "speeches"} {
		for _, command := range []string{"derive", "index"} {
			if _, err := d.varve(command, "--collection", name); err != nil && !strings.Contains(err.Error(), varve.ErrFindings.Error()) {
				d.t.Fatal(command, name, err)
			}
		}
	}
}

// between hands requests on, and kills the server in the middle of a lot.
func (d *engineDrill) between() http.Handler {
	to, err := url.Parse(d.server.Address)
	if err != nil {
		d.t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) } // as if nobody were between
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/_bulk") && d.bulks.Add(1) == d.killAt {
			go func() { _ = d.server.Kill() }()
		}
		proxy.ServeHTTP(w, r)
	})
}

// load loads the archive; the server is killed twice meanwhile.
func (d *engineDrill) load() {
	t := d.t
	for _, at := range []int64{2, 3} { // captures and texts of speeches come in several lots
		d.bulks.Store(0)
		d.killAt = at
		out, err := d.varve("index", "--collection", "speeches", "--to", "opensearch")
		if err == nil {
			t.Fatalf("the server was killed in lot %d, and nobody says so: %s", at, out)
		}
		t.Logf("killed in lot %d: %v (%s)", at, err, varve.HintOf(err))
		if !strings.Contains(varve.HintOf(err), "goes on where it was") || varve.KindOf(err) != varve.Unavailable {
			t.Errorf("%v (%s)", err, varve.HintOf(err))
		}
		d.killAt = 0
		if err := d.server.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := d.server.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	used, err := cpu.Measure(func() error {
		t.Log(d.must("index", "--collection", "speeches", "--to", "opensearch"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("loaded the rest: %.1f s of CPU of varve, %.1f s", used.CPU.Seconds(), used.Wall.Seconds())
	if _, err := d.varve("index", "--collection", "samples", "--to", "opensearch"); err != nil && !strings.Contains(err.Error(), varve.ErrFindings.Error()) {
		t.Fatal(err)
	}
	if out := d.must("index", "--collection", "speeches", "--to", "opensearch", "--json"); !strings.Contains(strings.Join(strings.Fields(out), ""), `"sent":0`) {
		t.Errorf("a run with nothing new sends something: %s", out)
	}
}

// compare asks both.
func (d *engineDrill) compare() {
	t := d.t
	engine, err := cluster.OpenIndexes(d.archive)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	seed := chance.Rand(t, 24).Uint64() >> 32
	var a, b []fulltext.Source
	var rows []derive.VersionRow
	for _, name := range []string{"speeches", "samples"} {
		base := filepath.Join(d.archive, "collections", name)
		ix, err := fulltext.Open(filepath.Join(base, "index", "fulltext"))
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		other, err := engine.Text(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		a, b = append(a, fulltext.Source{Name: name, Index: ix}), append(b, fulltext.Source{Name: name, Index: other})
		err = derive.Rows(filepath.Join(base, "derived", "versions.parquet"), func(v *derive.VersionRow) (bool, error) {
			own := *v
			for _, s := range []*string{&own.URL, &own.SURT, &own.Host, &own.Title, &own.Text, &own.Anchors, &own.Language} {
				*s = strings.Clone(*s) // the row is used again
			}
			rows = append(rows, own)
			return true, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		captures, err := engine.Captures(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := cdx.Open(filepath.Join(base, "index", "cdx"))
		if err != nil {
			t.Fatal(err)
		}
		got := cdxtest.Compare(t, seed, 250, lines, captures)
		t.Logf("captures of %s: seed %d, %d questions, %d found something, %d equal; %v embedded, %v OpenSearch a question", name, seed, got.Queries, got.Found, got.Equal, got.A/250, got.B/250)
		if err := lines.Close(); err != nil {
			t.Error(err)
		}
	}
	got := texttest.Compare(t, seed, 500, a, b, rows, nil)
	t.Logf("texts: seed %d, %d versions, %d questions, %d found something, %d equal; %v embedded, %v OpenSearch a question", seed, len(rows), got.Queries, got.Found, got.Equal, got.A/500, got.B/500)
	for i := range a { // a visitor from whom a third of the pages and half of the links are withheld
		v := &fulltext.View{Key: "a third", May: func(surt string, _ time.Time) bool { return sum(surt)%3 > 0 }, Mixed: func() func(string) bool { return func(surt string) bool { return sum(surt)%2 > 0 } }}
		a[i].View, b[i].View = v, v
	}
	got = texttest.Compare(t, seed+1, 100, a, b, rows, nil)
	t.Logf("texts, a third withheld: %d questions, %d found something, %d equal", got.Queries, got.Found, got.Equal)
	d.speed(seed, a, b, rows)
}

func sum(s string) uint32 {
	h := fnv.New32a()
	_, _ = io.WriteString(h, s)
	return h.Sum32()
}

// speed prints what questions cost the process of varve, and how long they take.
func (d *engineDrill) speed(seed uint64, a, b []fulltext.Source, rows []derive.VersionRow) {
	list, err := texttest.Questions(seed+2, 100, rows)
	if err != nil {
		d.t.Fatal(err)
	}
	for name, sources := range map[string][]fulltext.Source{"embedded": a, "OpenSearch": b} {
		var took []time.Duration
		used, err := cpu.Measure(func() error {
			for _, q := range list {
				began := time.Now()
				if _, err := fulltext.Search(d.t.Context(), sources, q); err != nil {
					return fmt.Errorf("%+v: %w", q, err)
				}
				took = append(took, time.Since(began))
			}
			return nil
		})
		if err != nil {
			d.t.Error(err)
			continue
		}
		slices.Sort(took)
		d.t.Logf("%s: %.2f ms of CPU of varve a question; p50 %v, p95 %v", name, used.CPU.Seconds()*10, took[50].Round(time.Millisecond/10), took[95].Round(time.Millisecond/10))
	}
}

// serve asks a server with the engine, takes the engine away, and asks again.
func (d *engineDrill) serve() {
	t := d.t
	engine, err := cluster.OpenIndexes(d.archive)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	ctx, stop := context.WithCancel(t.Context())
	start := func(e serve.Engine) *serve.Server {
		s, err := serve.Listen(ctx, serve.Config{Archive: d.archive, Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", Engine: e, Version: cli.Version})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	with, without := start(engine), start(nil)
	done := make(chan struct{}, 2)
	for _, s := range []*serve.Server{with, without} {
		go func() { _ = s.Run(ctx); done <- struct{}{} }()
	}
	defer func() { stop(); <-done; <-done }()
	get := func(base, path string) (int, string) {
		t.Helper()
		r, err := http.Get(strings.TrimSuffix(base, "/") + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(b)
	}
	search, screen := "/api/search?q=peace&facets=host&trend=year&collection=speeches", "/search?q=peace&collection=speeches"
	lines := "/samples/cdx?url=*.archive.org"
	for _, path := range []string{search} {
		_, x := get(with.URL(), path)
		_, y := get(without.URL(), path)
		if !strings.Contains(x, `"total"`) || field(x, "total") != field(y, "total") || field(x, "total") == "0" {
			t.Errorf("%s: %.300s and %.300s", path, x, y)
		}
	}
	if _, x := get(with.ReplayURL(), lines); true {
		if _, y := get(without.ReplayURL(), lines); x != y || x == "" {
			t.Errorf("%s: %.300s and %.300s", lines, x, y)
		}
	}
	if err := d.server.Kill(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for base, path := range map[string]string{with.URL(): search, with.ReplayURL(): lines} {
		if status, text := get(base, path); status != http.StatusServiceUnavailable || !strings.Contains(text, "OpenSearch") {
			t.Errorf("%s while it is away: %d %.300s", path, status, text)
		}
	}
	if status, text := get(with.URL(), screen); !strings.Contains(text, "OpenSearch") {
		t.Errorf("the screen while it is away: %d %.2000s", status, text)
	}
	t.Logf("three answers while it is away: %v", time.Since(began).Round(time.Millisecond))
	if status, text := get(without.URL(), search); status != http.StatusOK {
		t.Errorf("the embedded index while OpenSearch is away: %d %.300s", status, text)
	}
}

// field is the value of a field of JSON, as it is written.
func field(text, name string) string {
	_, rest, _ := strings.Cut(text, `"`+name+`":`)
	rest, _, _ = strings.Cut(rest, ",")
	return strings.TrimSpace(rest)
}
