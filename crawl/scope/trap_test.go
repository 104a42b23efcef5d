package scope

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"varve/text/near"
)

var now = time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)

func TestTrapURL(t *testing.T) {
	for url, want := range map[string]TrapKind{
		"http://h/a/b/c/d":                              "",
		"http://h/":                                     "",
		"http://h/a/b/a/b/a/b/":                         TrapRepeat,
		"http://h/x/a/b/a/b/a/b/y":                      TrapRepeat,
		"http://h/a/a/a":                                TrapRepeat,
		"http://h/a/a/b":                                "",
		"http://h/a/b/a/b/":                             "",
		"http://h/tiles/3/3/3.png":                      "",
		"http://h/3/3/3/3/3/3/":                         "",
		"http://h/x///////y":                            TrapRepeat,
		"http://h/a/1/a/2/a/3/a/4/a/5":                  TrapRepeat,
		"http://h/a/1/a/2/a/3/a/4/":                     "",
		"http://h/news/2026/04/12/x":                    "",
		"http://h/cal/2031/04":                          TrapCalendar,
		"http://h/cal/2031-04-12":                       TrapCalendar,
		"http://h/cal/20310412":                         TrapCalendar,
		"http://h/cal?year=2031&month=4":                TrapCalendar,
		"http://h/cal?m=4&Y=2031":                       TrapCalendar,
		"http://h/cal?year=2027&month=4":                "",
		"http://h/id/5021/07":                           "",
		"http://h/id/2031/77":                           "",
		"http://h/id/20317712":                          "",
		"http://h/id/203104120":                         "",
		"http://h/1871/05/01":                           "",
		"http://h/?" + strings.Repeat("a=1&", 31) + "b": TrapParams,
		"http://h/" + strings.Repeat("x", 2000):         TrapLong,
	} {
		got := NewTraps(TrapLimits{}).URL(parseURL(t, url), now)
		switch {
		case want == "" && len(got) > 0:
			t.Errorf("%s: suspected: %v", url, got)
		case want != "" && (len(got) != 1 || got[0].Kind != want || got[0].Why == ""):
			t.Errorf("%s: got %v, want %s", url, got, want)
		}
	}
	deep := "http://h"
	for i := range 26 {
		deep += fmt.Sprintf("/s%d", i)
	}
	if got := NewTraps(TrapLimits{}).URL(parseURL(t, deep), now); len(got) != 1 || got[0].Kind != TrapDeep {
		t.Errorf("deep: %v", got)
	}
}

func TestTrapGrowth(t *testing.T) {
	traps := NewTraps(TrapLimits{Growth: 100})
	day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	at := 0
	for i := range 200 {
		u := parseURL(t, "http://h/events/"+day.AddDate(0, 0, -i).Format("2006/01/02"))
		if s := traps.URL(u, now); len(s) > 0 {
			at = i
			break
		}
	}
	if at != 101 {
		t.Errorf("a calendar running backwards is suspected at step %d", at)
	}
	// A news archive in no order moves its ends rarely.
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		u := parseURL(t, "http://n/"+day.AddDate(0, 0, -rng.IntN(4000)).Format("2006/01/02")+"/story")
		if s := traps.URL(u, now); len(s) > 0 {
			t.Fatalf("a news archive is suspected: %v", s)
		}
	}
}

func TestTrapParams(t *testing.T) {
	traps := NewTraps(TrapLimits{Queries: 300, NameSets: 20})
	suspected := 0
	for i := range 400 {
		if s := traps.URL(parseURL(t, fmt.Sprintf("http://h/list?page=%d", i)), now); len(s) > 0 {
			suspected++
		}
	}
	if suspected != 100 {
		t.Errorf("%d of 400 pages suspected, want those behind the 300th", suspected)
	}
	suspected = 0
	for i := range 200 {
		var q []string
		for b := range 8 {
			if i>>b&1 == 1 {
				q = append(q, fmt.Sprintf("f%d=1", b))
			}
		}
		if s := traps.URL(parseURL(t, "http://h/facets?"+strings.Join(q, "&")), now); len(s) > 0 {
			suspected++
		}
	}
	if suspected == 0 || suspected > 180 {
		t.Errorf("%d of 200 filter combinations suspected", suspected)
	}
}

func TestTrapAlike(t *testing.T) {
	traps := NewTraps(TrapLimits{Alike: 10})
	url := func(i int) string { return fmt.Sprintf("http://h/a/%sx%d.html", strings.Repeat("b/", i%3), i) }
	rng := rand.New(rand.NewPCG(3, 1))
	for i := range 11 {
		if s := traps.URL(parseURL(t, url(i)), now); len(s) > 0 {
			t.Fatalf("page %d: %v", i, s)
		}
		traps.Page(parseURL(t, "http://h/a/b/x"+fmt.Sprint(i)+".html"), 0xabcdef^1<<rng.IntN(2), 100)
	}
	if s := traps.URL(parseURL(t, "http://h/a/b/a/b/x99.html"), now); len(s) != 1 || s[0].Kind != TrapAlike {
		t.Errorf("growing path with the same content: %v", s)
	}
	if s := traps.URL(parseURL(t, "http://h/other/x99.html"), now); len(s) != 0 {
		t.Errorf("another shape: %v", s)
	}
	traps.Page(parseURL(t, "http://h/a/b/x7.html"), 0x123456789abcdef0, 100)
	if s := traps.URL(parseURL(t, "http://h/a/b/x98.html"), now); len(s) != 0 {
		t.Errorf("new content does not end the suspicion: %v", s)
	}
	for i := range 100 {
		traps.Page(parseURL(t, fmt.Sprintf("http://g/photo/%d", i)), 7, 3)
	}
	if s := traps.URL(parseURL(t, "http://g/photo/999"), now); len(s) != 0 {
		t.Errorf("short texts: %v", s)
	}
}

func TestTrapMemory(t *testing.T) {
	traps := NewTraps(TrapLimits{Hosts: 10, Shapes: 5})
	for i := range 2000 {
		u := parseURL(t, fmt.Sprintf("http://h%d.example/p%c/%s?x=%d", i%50, 'a'+i%26, strings.Repeat("z", i%17), i))
		traps.URL(u, now)
		traps.Page(u, near.Simhash(i), 50)
	}
	if n := len(traps.hosts.at); n != 10 || traps.hosts.order.Len() != 10 {
		t.Errorf("%d hosts remembered", n)
	}
	for e := traps.hosts.order.Front(); e != nil; e = e.Next() {
		if n := len(e.Value.(pair[string, *hostState]).value.states.at); n > 5 {
			t.Errorf("%d shapes remembered", n)
		}
	}
}

// Every visit gets a new session id: a few are let through, also in path parameters. One and the
// same id on many pages is no trap.
func TestTrapSession(t *testing.T) {
	suspected := func(format string, n int) int {
		traps, found := NewTraps(TrapLimits{}), 0
		for i := range n {
			found += len(traps.URL(parseURL(t, fmt.Sprintf(format, i)), now))
		}
		return found
	}
	for format, want := range map[string]int{
		"http://e.org/a?sid=%016x":             70,
		"http://e.org/a?page=2&PHPSESSID=%08d": 70,
		"http://e.org/a;jsessionid=%032x":      70,
		"http://e.org/a?sid=%d":                0, // too short for an id
		"http://e.org/a?sid=0123456789&p=%d":   0,
		"http://e.org/%d?sid=0123456789abcdef": 0,
		"http://e.org/a/b/c/d/e/f/g/h/i/j/%d":  0,
	} {
		if got := suspected(format, 120); got != want {
			t.Errorf("%s: %d of 120 suspected, want %d", format, got, want)
		}
	}
	if got := suspected("http://e.org/a/b/c/d/e/f/g/h/i/j/%d", 1500); got != 500 {
		t.Errorf("%d of 1500 deep paths suspected, want 500", got)
	}
}
