package plan

import (
	"testing"
	"time"

	"varve/coherence/changerate"
	"varve/page"
)

// TestStatedChange: what a page says of its last change is taken, what a publisher says of publication or of the future is not.
func TestStatedChange(t *testing.T) {
	at := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	for html, want := range map[string]string{
		`<meta property="article:modified_time" content="2026-03-01T08:00:00Z"><p>text`:  "2026-03-01T08:00:00Z",
		`<meta property="article:published_time" content="2026-02-01T08:00:00Z"><p>text`: "",
		`<meta property="article:modified_time" content="2027-03-01T08:00:00Z"><p>text`:  "",
		`<p>text`: "",
	} {
		read, err := page.NewReader().Read(page.Input{URL: "http://a.test/", MIME: "text/html", Body: []byte(html)}, page.Want{Dates: true})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if s := statedChange(read.Dates, at); !s.IsZero() {
			got = s.Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", html, got, want)
		}
	}
}

// TestLearnsWhileItRuns: a first crawl knows the rate of a page from what the page and those like it say of their last changes.
func TestLearnsWhileItRuns(t *testing.T) {
	pool := &changerate.Pool{Prior: PriorRate}
	e := &Estimated{Pool: pool}
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	rate := func(url string, stated time.Time) float64 {
		return e.Rate(Known{URL: url, Visited: now, Stated: stated, Lasts: time.Hour}).Value
	}
	if got := e.Rate(Known{URL: "http://a.test/live/x"}); got.Known() {
		t.Errorf("before anything was met: %v", got)
	}
	for _, p := range []struct {
		url string
		age time.Duration
	}{{"http://a.test/live/a", time.Minute}, {"http://a.test/live/b", 5 * time.Minute}, {"http://a.test/old/a", 5000 * time.Hour}, {"http://a.test/old/b", 9000 * time.Hour}} {
		pool.Learn(changerate.Subject{URL: p.url}, p.age.Seconds())
	}
	live, old := rate("http://a.test/live/x", time.Time{}), rate("http://a.test/old/x", time.Time{})
	if live < 20*old {
		t.Errorf("a page of a live section %v, of an old one %v", live, old)
	}
	if fresh, stale := rate("http://a.test/old/x", now.Add(-time.Minute)), rate("http://a.test/old/x", now.Add(-9000*time.Hour)); fresh < 1.5*old || stale > old {
		t.Errorf("of an old section: changed a minute ago %v, a year ago %v, not said %v", fresh, stale, old)
	}
}
