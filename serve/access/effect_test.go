package access

import (
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"varve/lab/chance"
	"varve/web/canon"
)

func seen(collection string, urls ...string) iter.Seq2[Capture, error] {
	return func(yield func(Capture, error) bool) {
		for i, u := range urls {
			if !yield(Capture{collection, canon.SURT(u), u, time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)}, nil) {
				return
			}
		}
	}
}

func TestEffect(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	all := []string{"http://a.example/", "http://a.example/", "http://a.example/x/1", "http://b.example/"}
	for _, c := range []struct {
		name    string
		inForce []Rule
		rule    Rule
		want    [4]int64 // withheld captures and pages, taken captures, opened captures
	}{
		{"takedown of a host", nil, Rule{Prefix: "a.example", Level: Blocked}, [4]int64{3, 2, 3, 0}},
		{"takedown of all", nil, Rule{Level: Blocked}, [4]int64{4, 3, 4, 0}},
		{"for curators", nil, Rule{Prefix: "http://a.example/x/", Level: Curators}, [4]int64{1, 1, 0, 0}},
		{"embargo that is over for some", nil, Rule{Embargo: 57}, [4]int64{1, 1, 0, 0}},
		{"withheld already", []Rule{{Level: Curators}}, Rule{Prefix: "a.example", Level: ReadingRoom}, [4]int64{0, 0, 0, 0}},
		{"takedown of what is withheld", []Rule{{Level: Curators}}, Rule{Level: Blocked}, [4]int64{0, 0, 4, 0}},
		{"opens", []Rule{{Level: Curators, Role: Admin}}, Rule{Prefix: "b.example", Level: Open, Role: Admin}, [4]int64{0, 0, 0, 1}},
		{"a curator does not open what an administrator closed", []Rule{{Level: Curators, Role: Admin}}, Rule{Prefix: "b.example", Level: Open, Role: Curator}, [4]int64{0, 0, 0, 0}},
		{"another collection", nil, Rule{Collection: "other", Level: Blocked}, [4]int64{0, 0, 0, 0}},
	} {
		for i := range c.inForce {
			if err := c.inForce[i].valid(); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.rule.valid(); err != nil {
			t.Fatal(err)
		}
		e, err := NewRuleSet(c.inForce).Effect(c.rule, seen("news", all...), now)
		if got := [4]int64{e.Withheld.Captures, e.Withheld.Pages, e.Taken.Captures, e.Opened.Captures}; err != nil || got != c.want {
			t.Errorf("%s: %v, %v, want %v", c.name, got, err, c.want)
		}
	}
	broken := func(yield func(Capture, error) bool) { yield(Capture{}, errors.New("the index is gone")) }
	if _, err := (*RuleSet)(nil).Effect(Rule{Level: Blocked}, broken, now); err == nil {
		t.Error("an index that cannot be read has no effect")
	}
}

// Every key that a rule is about lies in its range.
func TestRuleKeys(t *testing.T) {
	rnd := chance.Rand(t, 1)
	hosts := []string{"example.org", "www.example.org", "example.org:8080", "example-a.org", "exampl.org", "org", "a.example.org:81", "x.test"}
	paths := []string{"", "/", "/a", "/a/", "/a/b", "/a?x=1", "/ab", "/a/?y", "/A", "/b"}
	pick := func(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }
	met := 0
	for range 3000 {
		rule := Rule{Prefix: pick(rnd, []string{"", "http://"}) + pick(rnd, hosts) + pick(rnd, paths), Level: Blocked}
		if rule.valid() != nil {
			continue
		}
		after, until := rule.Keys()
		key := canon.SURT("http://" + pick(rnd, hosts) + pick(rnd, paths))
		if !rule.covers(key) {
			continue
		}
		met++
		if key <= after || until != "" && key >= until {
			t.Fatalf("%s is about %s, which is not between %q and %q", rule.Prefix, key, after, until)
		}
	}
	if met < 100 {
		t.Errorf("only %d keys were met", met)
	}
	if e := (Effect{Withheld: Change{Captures: 999}}); e.Large() || slices.Contains(e.Collections, "") {
		t.Error("a small effect is large")
	}
}
