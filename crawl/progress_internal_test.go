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
