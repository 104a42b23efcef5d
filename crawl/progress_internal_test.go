package crawl

import (
	"testing"
	"time"
)

// The rate is that of the last seconds for whoever reads it every half second, as a terminal does, and for whoever does every ten seconds, as a
// log does: a crawl of which nothing comes any more has none, and says what it waits for instead of a time that only grows.
func TestRateOfTheLastSeconds(t *testing.T) {
	for _, every := range []time.Duration{500 * time.Millisecond, 3 * time.Second, 10 * time.Second} {
		var m rateMeter
		now, urls := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), int64(0)
		m.rate(now, urls, rateSpan)
		for end := now.Add(time.Minute); now.Before(end); { // 4 a second
			now, urls = now.Add(every), urls+int64(4*every/time.Second)
			if got := m.rate(now, urls, rateSpan); got != 4 {
				t.Fatalf("read every %v: %v a second instead of 4", every, got)
			}
		}
		for stood := every; stood < time.Minute; stood += every { // then nothing
			now = now.Add(every)
			if got := m.rate(now, urls, rateSpan); stood >= 2*rateSpan && got != 0 {
				t.Errorf("read every %v: %v a second though nothing came for %v", every, got, stood)
			}
		}
		if n := len(m.at); n > 2+int(rateSpan/(500*time.Millisecond)) {
			t.Errorf("read every %v: %d readings are kept", every, n)
		}
		now = now.Add(-365 * 24 * time.Hour) // the clock is set back
		m.rate(now, urls, rateSpan)
		if got := m.rate(now.Add(time.Second), urls+7, rateSpan); got != 7 {
			t.Errorf("read every %v: %v a second instead of 7 after the clock was set back", every, got)
		}
	}
}

// A crawl that takes 2 a second on the whole, in bursts with rests between them, has one time left and not five.
func TestTimeLeftIsSteady(t *testing.T) {
	var m rateMeter
	now, urls := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), int64(0)
	m.rate(now, urls, paceSpan)
	least, most := 1e9, 0.0
	for second := range 1200 {
		now = now.Add(time.Second)
		if second%30 < 6 { // six seconds of work, 24 of rest
			urls += 10
		}
		if got := m.rate(now, urls, paceSpan); second >= 120 {
			least, most = min(least, got), max(most, got)
		}
	}
	if least < 1.6 || most > 2.5 {
		t.Errorf("the pace is between %.2f and %.2f a second", least, most)
	}
}

// The time left is that until a limit, where one comes before the end of the queue: a first crawl of 50 pages is not told to take as long as the
// whole site would.
func TestTimeLeftKnowsLimits(t *testing.T) {
	for _, c := range []struct {
		name     string
		limits   Limits
		t        Counts
		queued   int64
		revisits int64
		n        float64
		until    string
	}{
		{"no limit", Limits{}, Counts{URLs: 100, Pages: 50}, 400, 0, 400, ""},
		{"half of the pages", Limits{MaxPages: 50}, Counts{URLs: 60, Pages: 25}, 600, 0, 60, "max-pages"},
		{"a limit that is far", Limits{MaxPages: 5000}, Counts{URLs: 60, Pages: 25}, 600, 0, 600, ""},
		{"each visit brings a revisit", Limits{MaxPages: 50}, Counts{URLs: 60, Pages: 25}, 600, 60, 180, "max-pages"},
		{"only revisits are left", Limits{MaxPages: 50}, Counts{URLs: 150, Pages: 50, Again: 30}, 560, 40, 40, "max-pages"},
		{"addresses", Limits{MaxURLs: 100}, Counts{URLs: 95, Again: 15, Pages: 9}, 1000, 0, 20, "max-urls"},
		{"bytes", Limits{MaxBytes: 3000}, Counts{URLs: 10, Bytes: 1000}, 1000, 0, 20, "max-bytes"},
		{"nothing came yet", Limits{MaxPages: 10}, Counts{}, 7, 0, 7, ""},
	} {
		if n, until := c.limits.toDo(c.t, c.queued, c.revisits); n != c.n || until != c.until {
			t.Errorf("%s: %v %q, want %v %q", c.name, n, until, c.n, c.until)
		}
	}
}
