package crawl_test

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/warc"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
)

// crawlOf crawls a site of its own from its front page on.
func crawlOf(t *testing.T, place crawl.Place, mode scope.Mode, answer http.HandlerFunc, change func(*crawl.Definition)) *crawl.Report {
	t.Helper()
	s := httptest.NewServer(answer)
	defer s.Close()
	client, err := fetch.New(fetch.Config{UserAgent: "test", AllowPrivate: true, Clock: clock.Real()})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	e := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(0), Clock: clock.Real(), Log: slog.New(slog.DiscardHandler)})
	def := hostScope(s.URL + "/")
	def.Scope, def.Retries, def.Contact = scope.Definition{Mode: mode}, -1, "x@example.org"
	if change != nil {
		change(&def)
	}
	return wait(t, start(t, e, place, def))
}

func gapOf(rep *crawl.Report, cause string) crawl.Gap {
	for _, g := range rep.Gaps {
		if strings.HasPrefix(g.Cause, cause) {
			return g
		}
	}
	return crawl.Gap{}
}

// TestGaps: a crawl that lost nothing but could not have everything says so, by cause, and is not called complete.
func TestGaps(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead := silent.Addr().String()
	silent.Close()
	const front = `<a href=/fine>fine</a><a href=/gone>gone</a>%s`
	for _, c := range []struct {
		name, cause string
		extra       string
		mode        scope.Mode
		change      func(*crawl.Definition)
	}{
		{name: "nothing", mode: scope.Host}, // a page that is not there is not missing
		{"a host that does not answer", "no answer: connect", `<a href="http://DEAD/">dead</a>`, scope.Web, func(d *crawl.Definition) { d.IgnoreRobots, d.AllowPrivate = true, true }},
		{"robots.txt", "host given up: robots.txt", "", scope.Host, nil},
		{"overloaded", "status 503 at every attempt", `<a href=/busy>busy</a>`, scope.Host, func(d *crawl.Definition) { d.RetryAfter = 1 }},
		{"too long", "answer cut short", `<a href=/long>long</a>`, scope.Host, func(d *crawl.Definition) { d.MaxBody = 10_000 }},
		{"a limit of the crawl", "left in the queue: max-urls", `<a href=/more>more</a>`, scope.Host, func(d *crawl.Definition) { d.MaxURLs = 2 }},
		{"a budget of the host", "budget of the host", `<a href=/more>more</a>`, scope.Host, func(d *crawl.Definition) {
			one := int64(1)
			d.Scope.Domains = map[string]scope.Settings{"127.0.0.1": {MaxPages: &one}}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			place := placeIn(t.TempDir())
			closed := c.name == "robots.txt"
			rep := crawlOf(t, place, c.mode, func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/robots.txt":
					if closed {
						w.WriteHeader(500)
						return
					}
					http.NotFound(w, r)
				case "/":
					w.Header().Set("Content-Type", "text/html")
					fmt.Fprintf(w, front, strings.ReplaceAll(c.extra, "DEAD", dead))
				case "/busy":
					w.WriteHeader(503)
				case "/long":
					w.Write(make([]byte, 100_000))
				case "/gone":
					http.NotFound(w, r)
				}
			}, c.change)
			if c.cause == "" {
				if !rep.Complete || len(rep.Gaps) > 0 {
					t.Errorf("%+v", rep)
				}
				return
			}
			g := gapOf(rep, c.cause)
			if rep.Complete || g.Count < 1 {
				t.Errorf("complete %v, gaps %+v", rep.Complete, rep.Gaps)
			}
			if again, err := crawl.ReadReport(place.Dir); err != nil || gapOf(again, c.cause).Count != g.Count || again.Finished != rep.Finished {
				t.Errorf("report.json: %+v %v", again, err)
			}
		})
	}
}

// TestLinksCut: links that a limit keeps out are counted in the metadata record, crawl.log, events and report.
func TestLinksCut(t *testing.T) {
	var many strings.Builder
	for i := range 100_123 {
		fmt.Fprintf(&many, "<a href=/p%d>", i)
	}
	long := "<a href=/" + strings.Repeat("x", 9000) + "><a href='data:text/plain," + strings.Repeat("y", 9000) + "'>"
	for _, c := range []struct {
		name, page, cause string
		count             int64
		words             []string
	}{
		{"too many", many.String(), "links beyond", 123, []string{"links-cut: 123", "outlinks-not-listed: 95000"}},
		{"too long", long, "links beyond", 1, []string{"links-cut: 1"}},
		{"too far down", strings.Repeat(" ", 33<<20) + "<a href=/far>", "content not looked at", 1, []string{"content-looked-at: "}},
		{"few", "<a href=/p1>", "", 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			place := placeIn(t.TempDir())
			rep := crawlOf(t, place, scope.Page, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/" {
					http.NotFound(w, r)
					return
				}
				w.Header().Set("Content-Type", "text/html")
				w.Write([]byte("<title>t</title>" + c.page))
			}, func(d *crawl.Definition) { d.Timeout = scope.Duration(time.Minute) })
			if c.cause == "" {
				if !rep.Complete {
					t.Errorf("%+v", rep.Gaps)
				}
				return
			}
			if g := gapOf(rep, c.cause); g.Count != c.count || rep.Complete {
				t.Errorf("gaps %+v", rep.Gaps)
			}
			meta := ""
			eachRecord(t, place.WarcDir, func(rec *warc.Record) {
				if rec.Type() == warc.TypeMetadata {
					b, _ := io.ReadAll(rec.Block)
					meta += string(b)
				}
			})
			for _, w := range c.words {
				if !strings.Contains(meta, w) {
					t.Errorf("the metadata record does not say %q", w)
				}
			}
			log, _ := os.ReadFile(filepath.Join(place.Dir, "crawl.log"))
			events, _ := os.ReadFile(filepath.Join(place.Dir, "events.jsonl"))
			if !strings.Contains(string(log), "Cut") || !strings.Contains(string(events), `"event":"cut"`) {
				t.Errorf("log %s\nevents %s", log, events)
			}
		})
	}
}

// TestRobotsCut: a robots.txt that is longer than is read is told with what is missing.
func TestRobotsCut(t *testing.T) {
	place := placeIn(t.TempDir())
	rep := crawlOf(t, place, scope.Page, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			w.Write([]byte("User-agent: *\nDisallow: /x\n" + strings.Repeat("# filling\n", 60_000) + "Sitemap: /beyond.xml\n"))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("<title>t</title>"))
	}, func(*crawl.Definition) {})
	events, _ := os.ReadFile(filepath.Join(place.Dir, "events.jsonl"))
	if g := gapOf(rep, "robots.txt not read"); g.Count != 1 || rep.Complete || !strings.Contains(string(events), `"event":"cut"`) {
		t.Errorf("gaps %+v\n%s", rep.Gaps, events)
	}
}

// A part of a page that lies on another domain and is not to be had is named, and the site is complete.
func TestPartsElsewhere(t *testing.T) {
	t.Parallel()
	rep := crawlOf(t, placeIn(t.TempDir()), scope.Host, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<title>a</title><img src="http://avatars.invalid/1.png"><img src="http://avatars.invalid/2.png">`)
	}, nil)
	if !rep.Complete || len(rep.Gaps) != 1 || !rep.Gaps[0].Elsewhere || rep.Gaps[0].Count != 2 || len(rep.Gaps[0].Examples) != 1 {
		t.Errorf("complete %v, gaps %+v", rep.Complete, rep.Gaps)
	}
}
