package serve_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/catalog"
	"varve/archive/history"
	"varve/archive/scan"
	"varve/clock"
	"varve/coherence"
	"varve/crawl"
	"varve/crawl/control"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/curate/notes"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/derive/quads"
	entities "varve/entity/base"
	"varve/index/fulltext"
	"varve/kb/rdf"
	"varve/kb/triplestore"
	"varve/language"
	"varve/serve/access"
	"varve/serve/retention"
	"varve/spam/desk"
)

// The pages with secrets. Each has words that stand nowhere else, one for each field.
const (
	prefixed = "qzprefix" // pages below one folder of an open host
	hosted   = "qzhost"   // a host of its own
	timed    = "qztime"   // an open page, as the second crawl found it
	linked   = "qzlinked" // a page of the folder whose address an open page tells

	person = "Qzprefixperson" // somebody who is named on a page of the folder: a row of mentions, a value of a facet
)

// secret is the word of a field of a page.
func secret(page, field string) string { return page + field }

// place is a web address of the site with secrets.
func place(name string) string {
	switch name {
	case prefixed:
		return "http://open.test/hush/" + secret(prefixed, "path") + "?q=" + secret(prefixed, "query")
	case hosted:
		return "http://" + secret(hosted, "name") + ".test/" + secret(hosted, "path")
	case linked:
		return "http://open.test/hush/" + secret(linked, "path")
	}
	return "http://open.test/" + name
}

// secrets are the words, and which pages they belong to.
var secrets = func() map[string]string {
	out := map[string]string{secret(linked, "path"): linked, person: prefixed}
	for _, f := range []string{"path", "query", "title", "body", "description", "alt", "header", "anchor", "target", "media", "poster", "film", "redirect", "failed", "parent", "deep", "note", "person", "topic"} {
		out[secret(prefixed, f)] = prefixed
	}
	for _, f := range []string{"name", "path", "title", "body", "anchor", "person", "topic"} {
		out[secret(hosted, f)] = hosted
	}
	for _, f := range []string{"title", "body", "anchor", "new", "person", "topic"} {
		out[secret(timed, f)] = timed
	}
	return out
}()

// filler makes pages that are worth an index.
func filler(seed string) string {
	return strings.Repeat("<p>The council of the town met in the hall and spoke about "+seed+" for the people of the river and the bridge. </p>", 4)
}

// hush is the web with secrets. It changes once; the host slow.test waits until the test ends.
type hush struct {
	mu     sync.Mutex
	second bool
	wait   chan struct{}
}

func (h *hush) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	second := h.second
	h.mu.Unlock()
	page := func(title, head, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		// Pages are those of a blog, so that what people wrote on them can be asked for.
		fmt.Fprintf(w, `<!doctype html><html lang=en><head><title>%s</title><meta name="generator" content="WordPress 6.1">%s</head><body class="single"><article id="post-1" class="hentry"><h1 class="entry-title">%s</h1><div class="entry-content">%s</div></article></body></html>`, title, head, title, body)
	}
	p := func(f string) string { return secret(prefixed, f) }
	switch host, _, _ := strings.Cut(r.Host, ":"); {
	case r.URL.Path == "/robots.txt":
		http.NotFound(w, r)
	case host == secret(hosted, "name")+".test":
		page("A host "+secret(hosted, "title"), "", filler("host "+secret(hosted, "body"))+`<a href="http://open.test/one">`+secret(hosted, "anchor")+`</a>`)
	case r.URL.Path == "/hush/"+p("path"):
		w.Header().Set("X-Note", p("header"))
		page("The report "+p("title"), `<meta name="description" content="`+p("description")+`">`, filler("report "+p("body"))+"<p>Mr. John "+person+" met Angela Merkel in London on Monday, and "+person+" said that he was glad to be there. John "+person+" married Angela Merkel in 1999.</p>"+
			`<img src="/hush/pic.png" alt="`+p("alt")+`"><a href="http://open.test/one">see `+p("anchor")+`</a>
			<a href="http://elsewhere.test/`+p("target")+`">elsewhere</a><a href="/hush/moved">moved</a><a href="/hush/`+p("failed")+`">failed</a>
			<a href="/hush/`+p("parent")+`/`+p("deep")+`">deep</a>
			<video src="/hush/`+p("film")+`.mp4" title="`+p("media")+`" poster="/hush/`+p("poster")+`.png"></video>`)
	case r.URL.Path == "/hush/moved":
		http.Redirect(w, r, "/hush/"+p("redirect"), http.StatusFound)
	case r.URL.Path == "/hush/"+p("failed"):
		http.Error(w, "broken", http.StatusInternalServerError)
	case r.URL.Path == "/hush/"+p("film")+".mp4":
		w.Header().Set("Content-Type", "video/mp4")
		_, _ = w.Write(append([]byte("\x00\x00\x00\x18ftypmp42"), make([]byte, 2000)...))
	case strings.HasPrefix(r.URL.Path, "/hush/"):
		page("A page of the folder", "", filler("folder"))
	case host == "slow.test":
		page("Slow", "", filler("slowness"))
		if h.wait != nil {
			select {
			case <-h.wait:
			case <-r.Context().Done():
			}
		}
	case r.URL.Path == "/changing" && second:
		page("Changed "+secret(timed, "title"), "", filler("change "+secret(timed, "body"))+`<a href="/one">`+secret(timed, "anchor")+`</a><a href="/`+secret(timed, "new")+`">new</a>`)
	case r.URL.Path == "/changing":
		page("Changing", "", filler("weather")+`<a href="/one">the first page</a>`)
	case r.URL.Path == "/":
		page("Open home", "", filler("openness")+`<a href="/one">one</a><a href="/changing">changing</a><a href="/hush/`+secret(linked, "path")+`">a folder</a>`)
	default:
		page("An open page", "", filler("nothing much")+`<a href="/">home</a>`)
	}
}

// toldFacets are those of a toy analysis: pages with secrets name somebody and think something of a topic that no other page knows.
var toldFacets = derive.FacetTable{Job: "told", Facets: []derive.Facet{
	{Name: "figure", Title: "Figures", Kind: derive.FacetNames}, {Name: "mood", Title: "Mood", Kind: derive.FacetNumbers},
}}

func toldJob() job.Job {
	mapper := scan.New(scan.Mapper{Name: "told", Needs: []string{"pages"}}, func() func(context.Context, *scan.Item) (*[]derive.FacetValue, error) {
		return func(_ context.Context, it *scan.Item) (*[]derive.FacetValue, error) {
			row, ok := it.Result("pages").(*derive.Row)
			if !ok || row.Page.Text == "" {
				return nil, nil
			}
			out := []derive.FacetValue{{Facet: "figure", Value: "Mary Mayor"}, {Facet: "mood", Number: 0.2}}
			for _, page := range []string{prefixed, hosted, timed} {
				if strings.Contains(row.Page.Title, secret(page, "title")) {
					out = append(out, derive.FacetValue{Facet: "figure", Value: "Jo " + secret(page, "person")}, derive.FacetValue{Facet: "mood", Value: secret(page, "topic"), Number: -0.5})
				}
			}
			return &out, nil
		}
	})
	return job.Job{Name: "told", Version: 1, Scan: &job.Scan{Mapper: mapper, Open: func(t *job.Task) (job.Sink, error) {
		w, err := toldFacets.Create(t)
		return toldSink{w}, err
	}}}
}

type toldSink struct{ *derive.FacetWriter }

func (s toldSink) Take(t *scan.Taken) error {
	if list, ok := t.Result.(*[]derive.FacetValue); ok && list != nil {
		return s.Put(t, *list)
	}
	return nil
}

// hushed is an archive with secrets.
type hushed struct {
	dir    string
	crawls []string
	note   string
	hold   string
	live   *crawl.Run
}

// named reports whether the secret person is a value of a facet, and judged.
func named(t *testing.T, derived string) bool {
	t.Helper()
	found := map[string]bool{}
	if err := derive.Rows(filepath.Join(derived, "facets.parquet"), func(r *derive.VersionFacetRow) (bool, error) {
		found[r.Facet] = found[r.Facet] || strings.Contains(r.Value, person)
		return true, nil
	}); err != nil {
		t.Fatal(err)
	}
	return found["person"] && found["opinion"] && found[annotate.FactFacet] && found[annotate.EntityFacet] && found[annotate.CalledFacet]
}

// hushedBase makes a base of the collection's own: it knows the secret person, and whom this one met.
func hushedBase(t *testing.T, collection string) *annotate.Linker {
	t.Helper()
	path := filepath.Join(collection, entities.Folder, entities.FileName)
	say := func(yield func([]byte, error) bool) {
		_ = yield([]byte("x:john\t2\tJohn "+person+"\t1"), nil) && yield([]byte("x:john\ta\t"+person+"\t1"), nil) && yield([]byte("x:merkel\t2\tAngela Merkel\t1"), nil)
	}
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		_, err = entities.Build(t.Context(), path, say, entities.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	l, err := annotate.OpenLinker(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// buildHushed crawls the web with secrets twice, derives and indexes everything, and starts a third crawl that stays under way.
func buildHushed(t *testing.T) *hushed {
	t.Helper()
	ctx := t.Context()
	dir, err := os.MkdirTemp("", "hush") // short: sockets have short names
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	web := &hush{}
	srv := httptest.NewServer(web)
	t.Cleanup(srv.Close)
	col, err := catalog.Open(dir).Collection("site")
	if err == nil {
		err = col.Create()
	}
	fatal := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	fatal(err)
	seeds := []string{place(""), place(prefixed), place(hosted), "http://slow.test/", place("hush/" + secret(prefixed, "failed"))}
	fatal(os.WriteFile(col.DefinitionFile(), []byte(fmt.Sprintf("title = \"Site\"\n\n[crawl.regular]\nseeds = [%q, %q, %q, %q, %q]\nevery = \"720h\"\nscope = \"host\"\ncontact = \"https://library.example/\"\n", seeds[0], seeds[1], seeds[2], seeds[3], seeds[4])), 0o644))
	h := &hushed{dir: dir}
	start := func(at time.Time) (*crawl.Run, func() error) {
		then := shifted{clock.Real(), time.Until(at)}
		override, err := fetch.ParseOverride("*.test=" + srv.Listener.Addr().String())
		fatal(err)
		// The crawl that runs must not end before the last question, however slow the machine is: it would ask for pages that it knows, secret names among them.
		long := fetch.Timeouts{FirstByte: 4 * time.Hour, Idle: 4 * time.Hour, Total: 4 * time.Hour}
		client, err := fetch.New(fetch.Config{UserAgent: "test", Clock: then, Timeouts: long, Overrides: []fetch.Override{override}})
		fatal(err)
		log := slog.New(slog.NewTextHandler(io.Discard, nil))
		store, err := history.Open(vfs.Default, col.HistoryDir(), history.Config{}, log)
		fatal(err)
		engine := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(0), Clock: then, Log: log, Software: "test"})
		run, err := engine.Start(ctx, col, crawl.Definition{
			Name: "regular", Seeds: seeds, Scope: scope.Definition{Mode: scope.Host}, MinDisk: -1, Workers: 2, Retries: -1, MaxGuess: -1,
			Coherence: crawl.Coherence{Revisit: coherence.LIFO},
		}, crawl.Options{History: store, Stages: stages.Set{}.Of})
		fatal(err)
		h.crawls = append(h.crawls, run.ID)
		return run, store.Close
	}
	for i, at := range []time.Time{firstCrawl, secondCrawl} {
		web.mu.Lock()
		web.second = i == 1
		web.mu.Unlock()
		run, end := start(at)
		_, err := run.Wait()
		fatal(err)
		fatal(end())
	}
	files, err := col.Files()
	fatal(err)
	derived := filepath.Join(col.Dir(), "derived")
	var opts derive.Options
	opts.More, opts.Facets = annotate.Jobs(language.Units())
	opts.More, opts.Facets = append(opts.More, toldJob()), append(opts.Facets, toldFacets)
	linker := hushedBase(t, col.Dir())
	linking, linked := linker.Job()
	opts.More, opts.Facets = append(opts.More, linking), append(opts.Facets, linked)
	typing, typed := annotate.TypesJob()
	opts.More, opts.Facets = append(opts.More, typing), append(opts.Facets, typed)
	telling, told, err := annotate.FactsJob(col.Dir())
	fatal(err)
	opts.More, opts.Facets = append(opts.More, telling), append(opts.Facets, told)
	_, err = derive.Run(ctx, job.Config{Dir: derived}, files, opts)
	fatal(err)
	if !named(t, derived) {
		t.Fatal("the person of the page was not found: no value of a facet is a secret")
	}
	base, err := triplestore.Open(vfs.Default, filepath.Join(dir, "kb"), triplestore.DefaultConfig(), rand.New(rand.NewPCG(1, 1)), nil)
	fatal(err)
	_, err = base.Load(ctx, func(string) iter.Seq2[rdf.Quad, error] {
		return (&quads.Export{Collection: col, Dir: derived}).Quads(ctx)
	})
	fatal(errors.Join(err, base.Close()))
	_, err = fulltext.Build(ctx, col.IndexDir("fulltext"), filepath.Join(derived, "versions.parquet"), nil)
	fatal(err)
	_, err = indexer(ctx, col)
	fatal(err)
	thread, err := notes.Open(col.Dir(), time.Now).Add(notes.Line{Kind: notes.Question, By: "carl", Subject: notes.Subject{URL: place(prefixed)}, Text: "Why is it there? " + secret(prefixed, "note"), Public: true})
	fatal(err)
	h.note = thread.ID
	kept, err := retention.Open(dir, access.OpenAudit(filepath.Join(dir, "access")), strings.NewReader("12345"), time.Now).AddHold(retention.Hold{Matter: "a dispute", Reason: "letter"}, "eva")
	fatal(err)
	h.hold = kept.ID
	other, truth := spamHosts(t, dir, 30)
	table, err := os.ReadFile(filepath.Join(desk.ModelDir(other.Dir()), "hosts.csv"))
	fatal(err)
	hosts := slices.Sorted(maps.Keys(truth))
	table = bytes.ReplaceAll(table, []byte(hosts[0]), []byte(secret(hosted, "name")+".test"))
	table = bytes.ReplaceAll(table, []byte(hosts[1]), []byte("open.test"))
	fatal(os.MkdirAll(desk.ModelDir(col.Dir()), 0o755))
	fatal(os.WriteFile(filepath.Join(desk.ModelDir(col.Dir()), "hosts.csv"), table, 0o644))
	web.mu.Lock()
	web.second, web.wait = false, make(chan struct{})
	web.mu.Unlock()
	run, end := start(time.Now())
	h.live = run
	crawlDir, err := col.CrawlDir(run.ID)
	fatal(err)
	l, err := net.Listen("unix", filepath.Join(crawlDir, "control.sock"))
	fatal(err)
	sock := &http.Server{Handler: control.Of(run).Handler()}
	go func() { _ = sock.Serve(l) }()
	t.Cleanup(func() {
		run.Stop("test ended")
		close(web.wait)
		_, _ = run.Wait()
		_ = sock.Close()
		_ = end()
	})
	until(t, func() bool {
		w := control.Of(run).Watch()
		return w.States.InFlight == 1 && w.States.Done >= 10
	}, func() any { return control.Of(run).Watch().States })
	return h
}

// When the crawls were.
var (
	firstCrawl  = time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
	secondCrawl = time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)
)

// until waits for something that another goroutine brings about.
func until(t *testing.T, ok func() bool, show func() any) {
	t.Helper()
	for range 800 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("it did not come about in half a minute: %+v", show())
}

// shifted is the machine's clock, set to another date.
type shifted struct {
	clock.Clock
	by time.Duration
}

func (s shifted) Now() time.Time { return s.Clock.Now().Add(s.by) }
