package websim_test

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
	"time"

	"varve/lab/websim/truth"
)

type urlset struct {
	URL []struct {
		Loc        string    `xml:"loc"`
		Lastmod    time.Time `xml:"lastmod"`
		Changefreq string    `xml:"changefreq"`
	} `xml:"url"`
	Sitemap []struct {
		Loc string `xml:"loc"`
	} `xml:"sitemap"`
}

func TestSitemap(t *testing.T) {
	w := load(t, 1, "news")
	at := w.Epoch().Add(200 * oneDay)
	var index urlset
	if err := xml.Unmarshal(w.Get("http://news.sim.test/sitemap.xml", at).Body, &index); err != nil || len(index.Sitemap) != 4 {
		t.Fatalf("%v, %d files", err, len(index.Sitemap))
	}
	seen := 0
	freqs := map[string]int{}
	for _, f := range index.Sitemap {
		var set urlset
		if err := xml.Unmarshal(w.Get(f.Loc, at).Body, &set); err != nil {
			t.Fatal(err)
		}
		for _, u := range set.URL {
			seen++
			freqs[u.Changefreq]++
			page, ok := w.Lookup("news.sim.test", strings.TrimPrefix(u.Loc, "http://news.sim.test"))
			if !ok || w.URL(page, at) != u.Loc || w.Version(page, at).State != truth.Live {
				t.Fatalf("%s is not there", u.Loc)
			}
			if last, ok := w.LastChange(page, at, truth.Main); ok && !last.Truncate(time.Second).Equal(u.Lastmod) {
				t.Fatalf("%s: lastmod %v, changed %v", u.Loc, u.Lastmod, last)
			}
		}
	}
	live := 0
	for i := range 2000 {
		if w.Version(id(i), at).State == truth.Live {
			live++
		}
	}
	if seen != live || freqs["hourly"] == 0 || freqs["monthly"] == 0 {
		t.Errorf("%d of %d pages, %v", seen, live, freqs)
	}
	for _, path := range []string{"/sitemap-0.xml", "/sitemap-5.xml", "/sitemap-x.xml", "/sitemap-1.txt"} {
		if s := w.Get("http://news.sim.test"+path, at).Status; s != 404 {
			t.Errorf("%s: %d", path, s)
		}
	}
}

func TestRobotsAndFeed(t *testing.T) {
	w := load(t, 1, "ministry")
	want := "User-agent: *\nDisallow: /intern/\nDisallow: /suche\nCrawl-delay: 1\n\nSitemap: http://ministry.sim.test/sitemap.xml\n"
	if got := string(w.Get("http://ministry.sim.test/robots.txt", w.Epoch()).Body); got != want {
		t.Errorf("robots.txt\n%s", got)
	}
	p := load(t, 1, "polite")
	for host, status := range map[string]int{"norobots": 404, "brokenrobots": 503, "own": 200} {
		if a := p.Get("http://"+host+".sim.test/robots.txt", p.Epoch()); a.Status != status {
			t.Errorf("%s: %d", host, a.Status)
		}
	}
	b := load(t, 1, "blog")
	var feed struct {
		Items []struct {
			Link    string `xml:"link"`
			PubDate string `xml:"pubDate"`
		} `xml:"channel>item"`
	}
	at := b.Epoch().Add(100 * oneDay)
	if err := xml.Unmarshal(b.Get("http://blog.sim.test/feed.xml", at).Body, &feed); err != nil || len(feed.Items) != 10 {
		t.Fatalf("%v, %d items", err, len(feed.Items))
	}
	last := at
	for _, it := range feed.Items {
		when, err := time.Parse(time.RFC1123Z, it.PubDate)
		if err != nil || when.After(last) || b.Get(it.Link, at).Status != 200 {
			t.Errorf("%s at %s: %v", it.Link, it.PubDate, err)
		}
		last = when
	}
}

// Traps never end: each page leads to pages not seen before.
func TestTraps(t *testing.T) {
	w := load(t, 1, "bad")
	for _, start := range []string{"/calendar", "/deeper/", "/session", "/list"} {
		seen := map[string]bool{start: true}
		queue := []string{start}
		for len(queue) > 0 && len(seen) < 300 {
			a := w.Get("http://bad.sim.test"+queue[0], w.Epoch())
			if a.Status != 200 {
				t.Fatalf("%s: %d", queue[0], a.Status)
			}
			queue = queue[1:]
			for part := range strings.SplitSeq(string(a.Body), `href="`) {
				href, _, ok := strings.Cut(part, `"`)
				href = strings.ReplaceAll(href, "&amp;", "&")
				if ok && strings.HasPrefix(href, "/") && !seen[href] {
					seen[href] = true
					queue = append(queue, href)
				}
			}
		}
		if len(seen) < 300 {
			t.Errorf("%s: only %d places", start, len(seen))
		}
	}
}

// Dates in the content tell the truth, or lie, as the description says.
func TestContentDates(t *testing.T) {
	for _, c := range []struct{ say, want string }{{"true", "truth"}, {"constant", "2024-09-23T00:00:00Z"}, {"now", "now"}, {"published", "published"}} {
		w := load(t, 1, fmt.Sprintf("[[site]]\nhost='a.sim.test'\n[[site.change]]\nevery='5d'\n[[site.serve]]\ndates=['meta','jsonld','time','footer']\ndates_say='%s'", c.say))
		at := w.Epoch().Add(99 * oneDay)
		body := string(w.Get("http://a.sim.test/", at).Body)
		last, _ := w.LastChange(0, at, truth.Main)
		published := between(body, `published_time" content="`)
		want := map[string]string{"truth": last.Truncate(time.Second).Format(time.RFC3339), "now": at.Format(time.RFC3339), "published": published}[c.want]
		if want == "" {
			want = c.want
		}
		footer, _ := time.Parse("2 January 2006 15:04 MST", between2(body, "Last modified: ", "<"))
		if between(body, `modified_time" content="`) != want || between(body, `dateModified":"`) != want || !strings.HasPrefix(want, footer.Format("2006-01-02T15:04")) {
			t.Errorf("%s: %s %s %v, want %s", c.say, between(body, `modified_time" content="`), between(body, `dateModified":"`), footer, want)
		}
	}
}

func between(s, start string) string { return between2(s, start, `"`) }

func between2(s, start, end string) string {
	_, rest, _ := strings.Cut(s, start)
	out, _, _ := strings.Cut(rest, end)
	return out
}
