package review_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/crawl"
	"varve/crawl/frontier"
	"varve/serve/holdings"
	"varve/serve/review"
)

var now = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// made is a crawl that ended well n days ago.
func made(n int, change ...func(*holdings.Crawl)) *holdings.Crawl {
	at := now.AddDate(0, 0, -n)
	k := &holdings.Crawl{
		ID: at.Format("20060102T150405Z"), Collection: "news", Name: "daily", State: holdings.Complete, Why: "all done", Started: at, Ended: at.Add(time.Hour), Pages: 100,
		Definition: &crawl.Definition{Name: "daily", Seeds: []string{"https://a.example/"}},
		Report:     &crawl.Report{Totals: crawl.Totals{Seeds: map[string]crawl.Seed{"https://a.example/": {Outcome: "ok", Links: 9}}}},
	}
	for _, f := range change {
		f(k)
	}
	return k
}

func seed(s crawl.Seed) func(*holdings.Crawl) {
	return func(k *holdings.Crawl) { k.Report.Seeds["https://a.example/"] = s }
}

func state(s holdings.State, why string) func(*holdings.Crawl) {
	return func(k *holdings.Crawl) {
		k.State, k.Why, k.Queued = s, why, 7
		if s == holdings.Interrupted || s == holdings.Live {
			k.Report, k.Ended = nil, time.Time{}
		}
	}
}

// again makes a crawl one that fetches what another lacks.
func again(k *holdings.Crawl) {
	k.Name = holdings.MendingName("20260301T060000Z")
	k.Definition.Name = k.Name
}

func pages(n int64) func(*holdings.Crawl) { return func(k *holdings.Crawl) { k.Pages = n } }

func coherent(n int64) func(*holdings.Crawl) {
	return func(k *holdings.Crawl) { k.Coherence = &holdings.Tally{Coherent: n, Content: 100 - n} }
}

func host(done, failed int64) func(*holdings.Crawl) {
	return func(k *holdings.Crawl) {
		k.Report.Hosts = append(k.Report.Hosts, frontier.HostStats{Host: "b.example", Done: done, Failed: failed})
	}
}

func collection(crawls ...*holdings.Crawl) review.Collection {
	return review.Collection{Collection: &holdings.Collection{Name: "news", Title: "News", Crawls: crawls}}
}

func planned(next time.Time, written time.Time, crawls ...*holdings.Crawl) review.Collection {
	c := collection(crawls...)
	c.Planned = written
	c.Plans = []holdings.Planned{{Name: "daily", Every: 24 * time.Hour, Next: next}}
	return c
}

func with(c review.Collection, change func(*review.Collection)) review.Collection {
	change(&c)
	return c
}

func TestAlerts(t *testing.T) {
	dead, ok := seed(crawl.Seed{Outcome: "dead", Status: 404}), seed(crawl.Seed{Outcome: "ok", Links: 3})
	for name, c := range map[string]struct {
		of   review.Collection
		want string // kind subject@day of since, worst first
		says string
	}{
		"all is well":           {of: collection(made(2), made(1))},
		"nothing was done":      {of: collection()},
		"a crawl runs":          {of: collection(made(1), made(0, state(holdings.Live, "")))},
		"killed":                {collection(made(1, state(holdings.Interrupted, ""))), "crawl-failed 20260309T120000Z@09", "without a report"},
		"broke":                 {collection(made(1, state(holdings.Stopped, "failed: disk"))), "crawl-failed 20260309T120000Z@09", "failed: disk"},
		"stopped by a person":   {collection(made(1, state(holdings.Stopped, "by request"))), "crawl-stopped 20260309T120000Z@09", "7 addresses left"},
		"limit reached":         {collection(made(1, state(holdings.Stopped, "max-pages reached"))), "crawl-stopped 20260309T120000Z@09", "max-pages reached"},
		"made good later":       {of: collection(made(2, state(holdings.Stopped, "failed: disk")), made(1))},
		"another definition":    {collection(made(2, state(holdings.Stopped, "failed: disk")), made(1, func(k *holdings.Crawl) { k.Name = "weekly" })), "crawl-failed 20260308T120000Z@08", ""},
		"seed dead":             {collection(made(3), made(2, dead), made(1, dead)), "seed-failed https://a.example/@08", "status 404"},
		"nobody seeded it":      {of: collection(made(2), made(1, dead, state(holdings.Finished, ""), again))},
		"a recrawl broke":       {collection(made(1, dead, state(holdings.Stopped, "failed: disk"), again)), "crawl-failed 20260309T120000Z@09", "failed: disk"},
		"seed came back":        {of: collection(made(2, dead), made(1, ok))},
		"seed out of reach":     {collection(made(1, seed(crawl.Seed{Outcome: "unreachable", Why: "dns-no-name"}))), "seed-failed https://a.example/@09", "dns-no-name"},
		"seed blocked":          {collection(made(1, seed(crawl.Seed{Outcome: "blocked", Why: "robots.txt: /"}))), "seed-failed https://a.example/@09", "robots.txt"},
		"seed leads nowhere":    {collection(made(2, ok), made(1, seed(crawl.Seed{Outcome: "zero pages"}))), "seed-failed https://a.example/@09", "no links"},
		"seed is a single page": {of: collection(made(2, seed(crawl.Seed{Outcome: "zero pages"})), made(1, seed(crawl.Seed{Outcome: "zero pages"})))},
		"seed moved":            {collection(made(1, seed(crawl.Seed{Outcome: "redirected", To: "https://casino.test/"}))), "seed-moved https://a.example/@09", "casino.test"},
		"seed to www":           {of: collection(made(1, seed(crawl.Seed{Outcome: "redirected", To: "https://www.a.example/de/"})))},
		"host silent":           {collection(made(4, host(5, 2)), made(3, host(5, 5)), made(2, host(5, 5)), made(1, host(4, 4))), "host-unreachable b.example@07", "4 addresses failed"},
		"host silent twice":     {of: collection(made(3, host(5, 2)), made(2, host(5, 5)), made(1, host(4, 4)))},
		"host answers":          {of: collection(made(3, host(5, 5)), made(2, host(5, 5)), made(1, host(4, 3)))},
		"pages halved":          {collection(made(2), made(1, pages(50))), "pages-dropped 20260309T120000Z@09", "50 pages"},
		"pages fewer":           {of: collection(made(2), made(1, pages(51)))},
		"few pages":             {of: collection(made(2, pages(9)), made(1, pages(0)))},
		"pages by definition": {
			collection(made(2), made(1, pages(10), func(k *holdings.Crawl) { k.Definition.MaxPages = 10 })), "pages-dropped 20260309T120000Z@09", "definition was changed",
		},
		"coherence fell":            {collection(made(2, coherent(90)), made(1, coherent(70))), "coherence-dropped 20260309T120000Z@09", "70 %"},
		"coherence as it is":        {of: collection(made(2, coherent(90)), made(1, coherent(81)))},
		"not measured":              {of: collection(made(2, coherent(90)), made(1))},
		"ended before its revisits": {of: collection(made(2, coherent(90)), made(1, func(k *holdings.Crawl) { k.Coherence = &holdings.Tally{Coherent: 30, Content: 2, Unknown: 68} }))},
		"overdue":                   {planned(now.Add(-5*time.Hour), now.AddDate(0, -1, 0), made(2)), "overdue daily@10", "did not run"},
		"simulated clock": {of: with(planned(now.Add(-5*time.Hour), now.AddDate(0, -1, 0), made(2)), func(c *review.Collection) {
			c.Collection.Clock = crawl.SimulatedClock
		})},
		"simulated, late by its own clock": {with(planned(now.AddDate(0, 0, -5), now.AddDate(0, -1, 0), made(6), made(2, func(k *holdings.Crawl) { k.Name = "other" })), func(c *review.Collection) {
			c.Collection.Clock = crawl.SimulatedClock
		}), "overdue daily@05", "did not run"},
		"due just now":  {of: planned(now.Add(-time.Hour), now.AddDate(0, -1, 0), made(2))},
		"runs now":      {of: planned(now.Add(-5*time.Hour), now.AddDate(0, -1, 0), made(1), made(0, state(holdings.Live, "")))},
		"never ran":     {planned(now, now.AddDate(0, 0, -3)), "overdue daily@07", "never ran"},
		"planned today": {of: planned(now, now.Add(-time.Minute))},
		"audit": {with(collection(), func(c *review.Collection) {
			c.Findings = []review.Finding{{"warc/a.warc.gz", "missing", "", now.AddDate(0, 0, -1)}, {"warc/b.warc.gz", "changed", "3 bytes", now.AddDate(0, 0, -2)}}
		}), "audit warc/b.warc.gz@08, audit warc/a.warc.gz@09", "changed: 3 bytes"},
		"index behind": {with(collection(), func(c *review.Collection) {
			c.Behind = []review.File{{"b.warc.gz", now.AddDate(0, 0, -1)}, {"a.warc.gz", now.AddDate(0, 0, -2)}, {"c.warc.gz", now}}
		}), "index-behind index@08", "2 files are not indexed, the first is a.warc.gz"},
		"index at work":   {of: with(collection(), func(c *review.Collection) { c.Behind = []review.File{{"c.warc.gz", now}} })},
		"plan unreadable": {with(collection(), func(c *review.Collection) { c.Problem = "line 3" }), "unreadable collection.toml@10", "line 3"},
		"report unreadable": {
			collection(made(1, state(holdings.Interrupted, ""), func(k *holdings.Crawl) { k.Problem = "report.json: x" })), "unreadable crawl 20260309T120000Z@09", "report.json",
		},
		"worst first": {
			collection(made(2), made(1, pages(1), dead, state(holdings.Stopped, "max-time reached"))),
			"seed-failed https://a.example/@09, pages-dropped 20260309T120000Z@09, crawl-stopped 20260309T120000Z@09", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := review.Alerts(review.State{Now: now, Collections: []review.Collection{c.of}})
			if s := told(got); s != c.want {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
			for _, a := range got {
				if a.ID == "" || a.Act == "" || a.Weight < 1 || a.Weight > 100 || a.Collection != "news" || a.Since.IsZero() {
					t.Errorf("not whole: %+v", a)
				}
			}
			if len(got) > 0 && !strings.Contains(got[0].What, c.says) {
				t.Errorf("%q does not say %q", got[0].What, c.says)
			}
		})
	}
}

func told(list []review.Alert) string {
	var out []string
	for _, a := range list {
		out = append(out, fmt.Sprintf("%s %s@%s", a.Kind, a.Subject, a.Since.Format("02")))
	}
	return strings.Join(out, ", ")
}

func TestDisk(t *testing.T) {
	for free, want := range map[int64]int{20 << 30: 0, 5 << 30: 60, 1 << 30: 90} {
		got := review.Alerts(review.State{Now: now, Disk: review.Disk{Free: free, Size: 100 << 30}})
		weight := 0
		if len(got) == 1 {
			weight = got[0].Weight
		}
		if weight != want {
			t.Errorf("%d free: %+v", free, got)
		}
	}
	if got := review.Alerts(review.State{Now: now}); len(got) != 0 {
		t.Errorf("an unknown disk: %+v", got)
	}
}

// The order of what is read does not matter, and nothing is told twice.
func TestDeterminate(t *testing.T) {
	c := collection(made(1))
	for i := range 120 {
		c.Findings = append(c.Findings, review.Finding{fmt.Sprintf("warc/%03d.warc.gz", i), "missing", "", now.AddDate(0, 0, -1)})
	}
	c.Findings = append(c.Findings, c.Findings[0])
	a := review.Alerts(review.State{Now: now, Collections: []review.Collection{c}})
	slices.Reverse(c.Findings)
	b := review.Alerts(review.State{Now: now, Collections: []review.Collection{c}})
	if told(a) != told(b) || len(a) != 51 {
		t.Fatalf("%d alerts\n%s\n%s", len(a), told(a), told(b))
	}
	seen := map[string]bool{}
	for i := range a {
		if a[i].ID != b[i].ID || seen[a[i].ID] {
			t.Errorf("%d: %s and %s", i, a[i].ID, b[i].ID)
		}
		seen[a[i].ID] = true
	}
	if !slices.ContainsFunc(a, func(a review.Alert) bool { return a.Subject == "others" && strings.Contains(a.What, "70 more") }) {
		t.Errorf("the rest is not counted: %s", told(a))
	}
}

// A trouble that goes on keeps its id; one that came back has another.
func TestOccasion(t *testing.T) {
	dead := seed(crawl.Seed{Outcome: "dead", Status: 410})
	id := func(crawls ...*holdings.Crawl) string {
		t.Helper()
		got := review.Alerts(review.State{Now: now, Collections: []review.Collection{collection(crawls...)}})
		if len(got) != 1 {
			t.Fatalf("%s", told(got))
		}
		return got[0].ID
	}
	first := id(made(5), made(4, dead))
	if on := id(made(5), made(4, dead), made(3, dead)); on != first {
		t.Errorf("it goes on: %s, was %s", on, first)
	}
	if again := id(made(5), made(4, dead), made(3), made(2, dead)); again == first {
		t.Error("it came back and is the same")
	}
}

func BenchmarkAlerts(b *testing.B) {
	var crawls []*holdings.Crawl
	for i := range 1000 {
		crawls = append(crawls, made(1000-i, func(k *holdings.Crawl) {
			for s := range 20 {
				k.Report.Seeds[fmt.Sprintf("https://s%d.example/", s)] = crawl.Seed{Outcome: "dead", Status: 404}
			}
		}))
	}
	s := review.State{Now: now, Collections: []review.Collection{collection(crawls...)}}
	for b.Loop() {
		if got := review.Alerts(s); len(got) != 20 {
			b.Fatal(told(got))
		}
	}
}
