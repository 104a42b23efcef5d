package event_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/scan"
	"varve/lab/chance"
	"varve/language/event"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// told is a telling on a day of November 2026: "3 berlin.test meet: Merkel+Obama > Scholz @2 in Berlin"; @ is a day, or a year.
func told(line string) event.Telling {
	var t event.Telling
	var n int
	head, rest, _ := strings.Cut(line, ": ")
	f := strings.Fields(head)
	_, _ = fmt.Sscan(f[0], &n)
	t.Date, t.Document, t.Verb, t.Class = day("2026-11-01").AddDate(0, 0, n-1), f[1], f[2], event.Class(f[2])
	if verb, class, ok := strings.Cut(f[2], "/"); ok {
		t.Verb, t.Class = verb, event.Class(class)
	}
	rest, t.Place, _ = strings.Cut(rest, " in ")
	rest, when, _ := strings.Cut(rest, " @")
	if _, err := fmt.Sscan(when, &n); err == nil && n > 31 {
		t.Earliest, t.Latest = time.Date(n, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(n+1, 1, 1, 0, 0, 0, 0, time.UTC)
	} else if err == nil {
		t.Earliest = day("2026-11-01").AddDate(0, 0, n-1)
		t.Latest = t.Earliest.AddDate(0, 0, 1)
	}
	names := func(s string) []string {
		if s = strings.TrimSpace(s); s == "" {
			return nil
		}
		return strings.Split(s, "+")
	}
	who, whom, _ := strings.Cut(rest, ">")
	t.Who, t.Whom = names(who), names(whom)
	return t
}

func group(o event.GroupOptions, lines ...string) (out []event.Grouped) {
	return slices.Collect(event.Group(func(yield func(event.Telling) bool) {
		for _, l := range lines {
			if !yield(told(l)) {
				return
			}
		}
	}, o))
}

// One event told by several pages in other words is one; what differs in actors, roles, place or time is another.
func TestGroup(t *testing.T) {
	for _, c := range []struct {
		why   string
		lines []string
		want  string // documents of each event
	}{
		{"three pages, other words and sides", []string{"3 a meet: Angela Merkel > Barack Obama @2 in Berlin", "4 b visit/meet: Barack Obama > angela  merkel in Berlin", "5 c meet: Angela Merkel+Barack Obama > @2"}, "a b c"},
		{"another day", []string{"3 a meet: Merkel > Obama @2", "4 b meet: Merkel > Obama @3"}, "a | b"},
		{"another place", []string{"3 a meet: Merkel > Obama @2 in Berlin", "3 b meet: Merkel > Obama @2 in Paris"}, "a | b"},
		{"another actor", []string{"3 a arrest/justice: > Ann @2", "3 b arrest/justice: > Bob @2"}, "a | b"},
		{"roles turned round", []string{"3 a attack/conflict: Rome > Gaul @2", "3 b attack/conflict: Gaul > Rome @2"}, "a | b"},
		{"a year is not enough", []string{"3 a die/life: Ann > @2020", "4 b pass away/life: Ann > @2020"}, "a | b"},
		{"a year and the same verb and place", []string{"3 a die/life: Ann > @2020 in Rome", "4 b die/life: Ann > @2020 in Rome"}, "a b"},
		{"no time, near in date", []string{"3 a arrest/justice: Police > Ann", "5 b arrest/justice: Police > Ann"}, "a b"},
		{"no time, far in date", []string{"3 a arrest/justice: Police > Ann", "15 b arrest/justice: Police > Ann"}, "a | b"},
		{"speech of a day is not one speech", []string{"3 a say: Ann > @2", "3 b say: Ann > @2"}, "a | b"},
		{"speech to somebody somewhere", []string{"3 a say: Ann > Bob @2 in Rome", "3 b tell/say: Ann > Bob @2 in Rome"}, "a b"},
		{"no names", []string{"3 a arrest/justice: > @2 in Rome", "3 b arrest/justice: > @2 in Rome"}, "a | b"},
		{"one page twice", []string{"3 a arrest/justice: Police > Ann @2", "3 a arrest/justice: Police > Ann @2"}, "a"},
		{"best of two", []string{"3 a meet: Ann > Bob @2", "3 b meet: Ann > Cid @2 in Rome", "3 c meet: Ann > Cid @2"}, "a | b c"},
	} {
		var got []string
		n := 0
		for _, g := range group(event.GroupOptions{}, c.lines...) {
			got = append(got, strings.Join(g.Documents, " "))
			n += g.Tellings
		}
		if s := strings.Join(got, " | "); s != c.want || n != len(c.lines) {
			t.Errorf("%s: %s, want %s; %d tellings", c.why, s, c.want, n)
		}
	}
	g := group(event.GroupOptions{}, "3 a meet: Ann > Bob @2026", "4 b meet: Bob > Ann+Cid @2 in Rome")
	want := []event.Grouped{{
		Class: event.Meet, Verb: "meet", Who: []string{"Ann", "Bob"}, Whom: []string{"Bob", "Ann", "Cid"}, Place: "Rome", Earliest: day("2026-11-02"), Latest: day("2026-11-03"),
		First: day("2026-11-03"), Last: day("2026-11-04"), Documents: []string{"a", "b"}, Tellings: 2,
	}}
	if !reflect.DeepEqual(g, want) {
		t.Errorf("%+v", g)
	}
}

// What waits is bounded, events are handed out while tellings still come, and nobody is forced to take them all.
func TestGroupIsBounded(t *testing.T) {
	given, closed := 0, 0
	tellings := func(yield func(event.Telling) bool) {
		for i := range 1000 {
			given++
			if !yield(event.Telling{Document: "d", Date: day("2026-11-01").Add(time.Duration(i) * time.Minute), Class: event.Meet, Who: []string{fmt.Sprint("p", i)}}) {
				return
			}
		}
	}
	early := 0
	for g := range event.Group(tellings, event.GroupOptions{Most: 10}) {
		if closed++; given-closed > 11 {
			t.Fatalf("%d given, %d closed", given, closed)
		}
		if g.Early {
			early++
		}
	}
	if closed != 1000 || early != 990 {
		t.Errorf("%d closed, %d early", closed, early)
	}
	for g := range event.Group(tellings, event.GroupOptions{Keep: 5 * time.Minute}) {
		if given = 0; g.Early {
			t.Error("early")
		}
		break
	}
}

// Every telling is in one event, and the answer is the same each time.
func TestGroupAtRandom(t *testing.T) {
	r := chance.Rand(t, 1)
	var list []event.Telling
	date := day("2026-11-01")
	names := []string{"Ann", "Bob", "Cid", "Dan", ""}
	for i := range 3000 {
		date = date.Add(time.Duration(r.IntN(120)) * time.Minute)
		e := event.Telling{Document: fmt.Sprint(i % 700), Date: date, Class: event.Classes()[r.IntN(11)], Verb: names[r.IntN(5)], Place: names[r.IntN(5)]}
		for range r.IntN(3) {
			e.Who, e.Whom = append(e.Who, names[r.IntN(5)]), append(e.Whom, names[r.IntN(5)])
		}
		if r.IntN(2) == 0 {
			e.Earliest = date.AddDate(0, 0, -r.IntN(5))
			e.Latest = e.Earliest.AddDate(0, 0, 1)
		}
		list = append(list, e)
	}
	for _, o := range []event.GroupOptions{{}, {Keep: 24 * time.Hour}, {Most: 20}} {
		first := slices.Collect(event.Group(slices.Values(list), o))
		n := 0
		for _, g := range first {
			n += g.Tellings
			if g.Last.Before(g.First) || !g.Earliest.IsZero() && !g.Earliest.Before(g.Latest) {
				t.Errorf("%+v", g)
			}
		}
		if n != len(list) || len(first) == len(list) {
			t.Errorf("%+v: %d tellings in %d events", o, n, len(first))
		}
		if !reflect.DeepEqual(first, slices.Collect(event.Group(slices.Values(list), o))) {
			t.Errorf("%+v: another answer", o)
		}
	}
}

// One name in all events does not make the search long.
func TestGroupIsLinear(t *testing.T) {
	cost := func(n int) time.Duration {
		return scan.CPUTime(func() {
			for range event.Group(func(yield func(event.Telling) bool) {
				for i := range n {
					if !yield(event.Telling{Document: "d", Date: day("2026-11-01"), Class: event.Say, Who: []string{"Ann"}, Verb: fmt.Sprint(i)}) {
						return
					}
				}
			}, event.GroupOptions{Most: 1 << 20}) {
			}
		})
	}
	if short, long := cost(1<<11), cost(1<<15); long > 64*(short+time.Millisecond) {
		t.Errorf("%v, 16 times as much %v", short, long)
	}
}
