package navigate_test

import (
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/navigate"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/crawl/webapp"
)

// board is a forum whose pages link as those of phpBB do: every post by an address of its own, every list in every order, and forms.
type board struct {
	mu    sync.Mutex
	asked map[string]int
}

func (b *board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.asked[r.URL.RequestURI()]++
	b.mu.Unlock()
	if r.URL.Path == "/robots.txt" || r.URL.Path == "/style.css" {
		fmt.Fprint(w, "")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, `<html><head><link rel=stylesheet href=/style.css?sid=7></head><body id="phpbb" class="section-x">`)
	defer fmt.Fprint(w, `<p class=copyright><a href="https://www.phpbb.com/">phpBB</a></body></html>`)
	for _, form := range []string{"/ucp.php?mode=login", "/search.php", "/memberlist.php?mode=contactadmin"} {
		fmt.Fprintf(w, "<a href=%q>x</a>", form)
	}
	q := r.URL.Query()
	switch r.URL.Path {
	case "/", "/viewforum.php":
		for t := range 6 {
			fmt.Fprintf(w, `<a href="/viewtopic.php?t=%d">topic</a> <a href="/viewtopic.php?p=%d">last post</a>`, t, 10*t+4)
		}
		for _, order := range []string{"a", "t", "r", "s"} {
			fmt.Fprintf(w, `<a href="/viewforum.php?f=1&amp;sk=%s&amp;sd=a">order</a> <a href="/viewforum.php?f=1&amp;sk=%s&amp;sd=d">order</a>`, order, order)
		}
	case "/viewtopic.php":
		var t int
		if _, err := fmt.Sscan(q.Get("t"), &t); err != nil {
			_, _ = fmt.Sscan(q.Get("p"), &t)
			t /= 10
		}
		for i := range 5 {
			p := 10*t + i
			fmt.Fprintf(w, `<div class="post" id="p%d"><p class="author">by <span class="username">u%d</span></p><div class="content">Post %d</div><a href="/viewtopic.php?p=%d#p%d">link</a>
				<a href="/posting.php?mode=quote&amp;p=%d">quote</a> <a href="/report.php?p=%d">report</a></div>`, p, i, p, p, p, p, p)
		}
		fmt.Fprintf(w, `<a href="/viewtopic.php?t=%d&amp;view=print">print</a> <a href="/viewforum.php?f=1">back</a>`, t)
	}
}

// crawlBoard crawls a board and returns how many requests it took, what was asked for, and the report.
func crawlBoard(t *testing.T, stage crawl.Stage, rules ...scope.Rule) (int, map[string]int, *crawl.Report) {
	t.Helper()
	b := &board{asked: map[string]int{}}
	rep := crawlSite(t, b, nil, stage, rules...)
	n := 0
	for _, times := range b.asked {
		n += times
	}
	return n, b.asked, rep
}

// crawlSite crawls what a handler serves, with a jar unless it is nil.
func crawlSite(t *testing.T, site http.Handler, jar *fetch.Jar, stage crawl.Stage, rules ...scope.Rule) *crawl.Report {
	t.Helper()
	s := httptest.NewServer(site)
	defer s.Close()
	client, err := fetch.New(fetch.Config{UserAgent: "test", AllowPrivate: true, Clock: clock.Real()})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	e := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(0), Clock: clock.Real(), Log: slog.New(slog.DiscardHandler)})
	dir := t.TempDir()
	place := crawl.Place{Dir: filepath.Join(dir, "crawl"), WarcDir: filepath.Join(dir, "warc")}
	def := crawl.Definition{Seeds: []string{s.URL + "/"}, Contact: "x@example.org", Scope: scope.Definition{Mode: scope.Host, Rules: rules}}
	run, err := e.StartIn(t.Context(), "test", place, def, crawl.Options{Jar: jar, Stages: func(crawl.Definition) []crawl.Stage {
		if stage == nil {
			return nil
		}
		return []crawl.Stage{stage}
	}})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-run.Done():
	case <-time.After(5 * time.Minute):
		t.Fatal("the crawl does not end")
	}
	rep, err := run.Wait()
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// Once a forum is recognised, its topics are visited, and not every post by an address of its own, every order of a list and every form.
func TestBoard(t *testing.T) {
	plain, _, _ := crawlBoard(t, nil, scope.Rule{Name: "actions too", Do: scope.Accept, Trap: []string{"action"}})
	few, asked, rep := crawlBoard(t, navigate.New(webapp.Default()))
	t.Logf("%d requests, %d without knowing the forum", few, plain)
	if 3*few > plain {
		t.Errorf("%d requests, %d without knowing the forum: less than 3 times fewer", few, plain)
	}
	for topic := range 6 {
		if asked[fmt.Sprintf("/viewtopic.php?t=%d", topic)] != 1 {
			t.Errorf("topic %d was not visited once: %v", topic, asked)
		}
	}
	if asked["/style.css?sid=7"] != 1 {
		t.Error("a part of pages was not fetched, because of its address")
	}
	if len(rep.Applications) != 1 || rep.Applications[0].Name != "phpBB" || rep.Applications[0].NotVisited == 0 || rep.Applications[0].Pages == 0 {
		t.Errorf("the report has %+v", rep.Applications)
	}
	if !rep.Complete {
		t.Errorf("what shows nothing new is told as missing: %+v", rep.Gaps)
	}
}

// A wiki that answers for a page it does not have with status 200 is told as such, once, where its file knows by what.
func TestGone(t *testing.T) {
	wiki := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		class, text := "", `<a href="/doku.php?id=birds">Birds</a> <a href="/doku.php?id=gone">Gone</a>`
		if r.URL.Query().Get("id") == "gone" {
			class, text = "notFound", "This topic does not exist yet."
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<html><head><meta name="generator" content="DokuWiki"></head><body><div id="dokuwiki__site"><div id="dokuwiki__top" class="site dokuwiki mode_show %s"><div id="dokuwiki__content"><div class="page">%s</div></div></div></div></body></html>`, class, text)
	})
	rep := crawlSite(t, wiki, nil, navigate.New(webapp.Default()))
	if rep.Alike["soft-404"] != 1 {
		t.Errorf("%d pages are told as soft 404, one is: %+v", rep.Alike["soft-404"], rep.Alike)
	}
}

// A rule of the curator has the last word.
func TestRuleOverrules(t *testing.T) {
	_, asked, _ := crawlBoard(t, navigate.New(webapp.Default()), scope.Rule{Name: "prints", Do: scope.Accept, Regex: []string{"view=print"}})
	if asked["/viewtopic.php?t=1&view=print"] != 1 {
		t.Errorf("what a rule lets in was not visited")
	}
	for address := range asked {
		if strings.Contains(address, "sk=") {
			t.Errorf("%s was visited", address)
		}
	}
}

// trail is a wiki like DokuWiki: what a reader has seen stands on every page, by a cookie; every page has an empty picture that makes the server
// work, and links that act on it.
type trail struct {
	mu    sync.Mutex
	saw   map[string][]string // by session
	asked map[string]bool
}

func (w *trail) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked[r.URL.RequestURI()] = true
	if strings.HasPrefix(r.URL.Path, "/lib/") || r.URL.Path == "/robots.txt" {
		return
	}
	session := fmt.Sprint(len(w.saw))
	if c, err := r.Cookie("DokuWiki"); err == nil {
		session = c.Value
	}
	id := r.URL.Query().Get("id")
	w.saw[session] = append(w.saw[session], id)
	http.SetCookie(out, &http.Cookie{Name: "DokuWiki", Value: session, Path: "/"})
	out.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(out, `<html><head><meta name="generator" content="DokuWiki"></head><body>Trace: %s<img src="/lib/exe/taskrunner.php?id=%s&amp;17" alt=""><img src="/lib/images/logo.png">`, w.saw[session], id)
	for i := range 4 {
		fmt.Fprintf(out, `<a href="/doku.php?id=p%d">p</a> <a href="/doku.php?id=p%d&amp;do=">p</a> <a href="/doku.php?id=p%d&amp;idx=wiki">p</a> <a href="/doku.php?do=search&amp;q=p%d">p</a>`, i, i, i, i)
	}
}

// A wiki that writes a reader's way into its pages is captured as it shows itself to one who has just come. Cookies that the operator gave
// are sent all the same.
func TestTrailIsNotCaptured(t *testing.T) {
	for name, c := range map[string]struct {
		given string // cookies.txt
		trail int    // pages on the longest trail
		kept  int64  // cookies that were not sent, at least
	}{
		"a stranger": {trail: 1, kept: 4},
		"logged in":  {given: "127.0.0.1\tFALSE\t/\tFALSE\t0\tDokuWiki\tmine\n", trail: 5},
	} {
		t.Run(name, func(t *testing.T) {
			jar := fetch.NewJar(time.Now)
			if _, err := jar.ReadNetscape(strings.NewReader(c.given)); err != nil {
				t.Fatal(err)
			}
			w := &trail{saw: map[string][]string{}, asked: map[string]bool{}}
			rep := crawlSite(t, w, jar, navigate.New(webapp.Default()))
			longest := 0
			for _, pages := range w.saw {
				longest = max(longest, len(pages))
			}
			if longest != c.trail {
				t.Errorf("a page shows that %d were seen, want %d: %v", longest, c.trail, w.saw)
			}
			for address := range w.asked {
				if strings.Contains(address, "do=") || strings.Contains(address, "idx=") || strings.Contains(address, "taskrunner") {
					t.Errorf("%s was asked for", address)
				}
			}
			if !w.asked["/lib/images/logo.png"] || !w.asked["/doku.php?id=p3"] {
				t.Errorf("a page or a part of it was not asked for: %v", w.asked)
			}
			if !rep.Complete || len(rep.Applications) != 1 || rep.Applications[0].NotSent["DokuWiki"] < c.kept || c.kept == 0 && rep.Applications[0].NotSent != nil {
				t.Errorf("complete %v, %+v, gaps %+v", rep.Complete, rep.Applications, rep.Gaps)
			}
		})
	}
}

// A wiki that is not English is told by its own words which of its pages are about what a reader may do.
func TestSpecialPagesInTheWordsOfTheSite(t *testing.T) {
	for word, written := range map[string]string{"Special": "Special", "Spezial": "Spezial", "特別": "%E7%89%B9%E5%88%A5", "Сарнайы бет": "%D0%A1%D0%B0%D1%80%D0%BD%D0%B0%D0%B9%D1%8B_%D0%B1%D0%B5%D1%82"} {
		var mu sync.Mutex
		asked := map[string]bool{}
		rep := crawlSite(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			asked[r.URL.EscapedPath()] = true
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<html><head><meta name="generator" content="MediaWiki 1.39"></head><body class="mediawiki"><form id="searchform"><input type="hidden" name="title" value="%s:Suche"></form>
				<a href="/wiki/%s:Letzte">recent</a> <a href="/wiki/%s%%3AUpload">upload</a> <a href="/wiki/%s">an article</a> <a href="/wiki/Speziell:Haus">another</a>`, word, written, written, written)
		}), nil, navigate.New(webapp.Default()))
		want := map[string]bool{"/": true, "/robots.txt": true, "/wiki/" + written: true, "/wiki/Speziell:Haus": true}
		if !maps.Equal(asked, want) {
			t.Errorf("%s: asked for %v, want %v", word, asked, want)
		}
		if len(rep.Applications) != 1 || rep.Applications[0].NotVisited == 0 && word != "Special" {
			t.Errorf("%s: %+v", word, rep.Applications)
		}
	}
}
