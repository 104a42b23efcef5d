package country

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"varve/lab/websim"
)

func newWeb(t *testing.T, scale float64) *websim.Web {
	t.Helper()
	c, err := New(Config{Scale: scale}, 7)
	if err != nil {
		t.Fatal(err)
	}
	web, err := c.Web()
	if err != nil {
		t.Fatal(err)
	}
	return web
}

var href = regexp.MustCompile(`(?:href|src)="([^"]+)"`)

// offline is what may be gone: the newspaper takes some articles off and goes on linking to them.
var offline = regexp.MustCompile(`^http://news\.sim\.test/20\d\d/`)

// walk follows all links from the home pages at an instant and gives the bodies by URL.
func walk(t *testing.T, web *websim.Web, at time.Time) map[string]string {
	t.Helper()
	var queue []string
	for _, h := range web.Hosts() {
		queue = append(queue, strings.Replace(h.Seed, "https:", "http:", 1))
	}
	seen := map[string]string{}
	for len(queue) > 0 {
		url := queue[0]
		queue = queue[1:]
		if _, ok := seen[url]; ok {
			continue
		}
		host := strings.Split(url, "/")[2]
		a := web.Fetch(&websim.Request{Scheme: "https", Host: host, Target: strings.TrimPrefix(url, "http://"+host)}, at)
		seen[url] = string(a.Body)
		switch {
		case a.Status != 200 && !strings.Contains(url, "/img/") && !strings.Contains(url, Islands) && !strings.Contains(url, "/forms/") && !offline.MatchString(url):
			t.Errorf("%s at %s: %d", url, at.Format(time.DateOnly), a.Status)
		case a.Status == 200 && strings.Contains(a.Get("Content-Type"), "html"):
			if bytes.Contains(a.Body, []byte("{")) {
				t.Errorf("%s: a place is not filled: %s", url, a.Body)
			}
			for _, m := range href.FindAllStringSubmatch(string(a.Body), -1) {
				to := strings.ReplaceAll(m[1], "&amp;", "&")
				if strings.HasPrefix(to, "/") {
					to = "http://" + host + to
				}
				queue = append(queue, to)
			}
		}
	}
	return seen
}

// Every page leads to pages that are there, at any time, and the country grows.
func TestNoDeadLinks(t *testing.T) {
	web := newWeb(t, 0.3)
	before := 0
	for _, d := range []string{"2023-01-09", "2023-12-11", "2024-05-27", "2024-11-11", "2026-02-02"} {
		n := len(walk(t, web, day(d)))
		if n < before {
			t.Errorf("%s: %d pages, fewer than before (%d)", d, n, before)
		}
		before = n
	}
	if before < 150 {
		t.Errorf("%d pages in the end", before)
	}
}

// What the walk-throughs ask for is told, at its time.
func TestStory(t *testing.T) {
	web := newWeb(t, 0.3)
	for _, c := range []struct{ date, url, has, hasNot string }{
		{"2023-04-01", "http://ministry.sim.test/law/tenancy-act.html", "at most ten percent", "eight percent"},
		{"2023-12-01", "http://ministry.sim.test/law/tenancy-act.html", "at most eight percent", "register of flats"},
		{"2024-08-01", "http://ministry.sim.test/law/tenancy-act.html", "In force since 1 July 2024", "amended"},
		{"2025-06-01", "http://ministry.sim.test/law/tenancy-act.html", "at most nine percent", ""},
		{"2024-10-29", "http://ministry.sim.test/law/questions.html", "in an older contract", ""},
		{"2024-10-31", "http://ministry.sim.test/law/questions.html", "after 1 July 2024", "in an older contract"},
		{"2024-10-31", "http://ministry.sim.test/law/questions.html", "Last change: 12 February 2024", ""},
		{"2023-02-01", "https://shop.sim.test/terms", "within 30 days", "arbitrator"},
		{"2025-07-01", "https://shop.sim.test/terms", "to partners", ""},
		{"2025-07-01", "https://shop.sim.test/terms", "Version of 2 December 2024", ""},
		{"2024-09-20", "http://forum.sim.test/user/harbourmouse", "banned since 3 June 2024", ""},
		{"2025-01-01", "http://ministry.sim.test/minister.html", "Maren Okafor", "Lindqvist"},
	} {
		scheme, rest, _ := strings.Cut(c.url, "://")
		host, path, _ := strings.Cut(rest, "/")
		body := string(web.Fetch(&websim.Request{Scheme: scheme, Host: host, Target: "/" + path}, day(c.date)).Body)
		if !strings.Contains(body, c.has) || c.hasNot != "" && strings.Contains(body, c.hasNot) {
			t.Errorf("%s on %s: want %q, not %q, in\n%s", c.url, c.date, c.has, c.hasNot, body)
		}
	}
}

// At the last crawl of the demonstration the forms of the ministry are out of reach, and later they are back: something to crawl again.
func TestOutOfReach(t *testing.T) {
	web := newWeb(t, 1)
	for date, want := range map[string]int{"2025-10-13": 503, "2025-11-01": 200} {
		if a := web.Get("http://ministry.sim.test/forms/claim-for-a-deposit.pdf", day(date).Add(20*time.Hour)); a.Status != want {
			t.Errorf("%s: %d, want %d", date, a.Status, want)
		}
	}
}

// Posts follow opinions: nobody asks Calder to resign before the affair, many do after it, and trust falls.
func TestOpinionsShift(t *testing.T) {
	c, err := New(Config{}, 7)
	if err != nil {
		t.Fatal(err)
	}
	var before, after, resignBefore, resignAfter, trustBefore, trustAfter float64
	for _, th := range c.threads {
		if th.topic != "election" {
			continue
		}
		for _, p := range th.posts {
			text := sentence(p.text)
			resign, trust := strings.Contains(strings.ToLower(text), "resign"), strings.Contains(text, "I trust")
			switch {
			case p.at.Before(affair):
				before++
				resignBefore += one(resign)
				trustBefore += one(trust)
			case p.at.Before(election):
				after++
				resignAfter += one(resign)
				trustAfter += one(trust)
			}
		}
	}
	if before < 20 || after < 20 || resignBefore > 0 || resignAfter/after < 0.08 || trustAfter/after >= trustBefore/before {
		t.Errorf("before %v posts, %v resign, %v trust; after %v, %v, %v", before, resignBefore, trustBefore, after, resignAfter, trustAfter)
	}
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func TestOpinionAt(t *testing.T) {
	for _, c := range []struct {
		date         string
		calder, wren float64
	}{{"2020-01-01", 44, 25}, {"2024-05-12", 34.5, 31}, {"2024-09-22", 30.1, 39.4}, {"2030-01-01", 36, 28}} {
		if o := OpinionAt(day(c.date)); math.Abs(o.Calder-c.calder) > 1e-9 || math.Abs(o.Wren-c.wren) > 1e-9 {
			t.Errorf("%s: %+v, want %v and %v", c.date, o, c.calder, c.wren)
		}
	}
}

// The tables of dates are dates, and rise.
func TestDates(t *testing.T) {
	check := func(what string, list ...string) {
		var last time.Time
		for _, s := range list {
			if at := day(s); at.IsZero() || at.Before(last) {
				t.Errorf("%s: %q", what, s)
			} else {
				last = at
			}
		}
	}
	for _, o := range opinions {
		check("opinions", o.day)
	}
	for i := 1; i < len(laws); i++ {
		check("laws", laws[i-1].from, laws[i].from)
	}
	for _, d := range discussions {
		check("discussions", d.from)
	}
	events, err := Events()
	if err != nil || len(events) < 20 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	at := day("2025-03-03")
	a, b := newWeb(t, 0.3), newWeb(t, 0.3)
	for url, body := range walk(t, a, at) {
		host, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
		if got := string(b.Fetch(&websim.Request{Scheme: "https", Host: host, Target: "/" + path}, at).Body); got != body {
			t.Errorf("%s differs", url)
		}
	}
}

func TestScaleRefused(t *testing.T) {
	if _, err := New(Config{Scale: 100}, 1); err == nil {
		t.Error("a country of any size")
	}
	for _, text := range []string{"a paragraph", "2023-13-01 politics x | title", "2023 x | t"} {
		if _, err := readChronicle(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	if _, err := readPhrases("words"); err == nil {
		t.Error("a sentence without subject was read")
	}
}

func FuzzChronicle(f *testing.F) {
	f.Add(chronicleText)
	f.Add("2023-01-01 a b | c\nd")
	f.Fuzz(func(t *testing.T, text string) {
		if events, err := readChronicle(text); err == nil {
			for _, e := range events {
				_ = slug(e.Title)
			}
		}
		_, _ = readPhrases(text)
		c := &Country{say: phrases{"x": {text}}}
		_ = c.say.draw(c.fill(1), "x")
	})
}
