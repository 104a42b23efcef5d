package scope

import "testing"

// Largest is the size from which on all sizes are out; what a later rule lets in again at some size is not cut off.
func TestLargest(t *testing.T) {
	c, err := CandidateOf("http://a.example/x", "L")
	if err != nil {
		t.Fatal(err)
	}
	seeds := NewSeeds(c.URL)
	for _, test := range []struct {
		name  string
		rules []Rule
		want  int64
	}{
		{"none", nil, 0},
		{"one limit", []Rule{{Do: Reject, LargerThan: 1000}}, 1000},
		{"two", []Rule{{Do: Reject, LargerThan: 5000}, {Do: Reject, LargerThan: 1000}}, 1000},
		{"let in again", []Rule{{Do: Reject, LargerThan: 1000}, {Do: Accept, LargerThan: 5000}}, 0},
		{"in between", []Rule{{Do: Reject, LargerThan: 1000}, {Do: Accept, LargerThan: 5000}, {Do: Reject, LargerThan: 9000}}, 9000},
		{"only small ones out", []Rule{{Do: Reject, SmallerThan: 1000}}, 0},
		{"turned round", []Rule{{Do: Reject, Not: true, SmallerThan: 1000}}, 999},
		{"another place", []Rule{{Do: Reject, LargerThan: 1000, Host: []string{"b.example"}}}, 0},
		{"for its links", []Rule{{Do: Reject, LargerThan: 1000, Follow: new(true)}}, 0},
	} {
		set, err := NewSet(Definition{Rules: test.rules})
		if err != nil {
			t.Fatal(err)
		}
		if got := set.Largest(&c, seeds); got != test.want || c.Size.Set {
			t.Errorf("%s: %d, want %d; the candidate has size %v", test.name, got, test.want, c.Size)
		}
		if set.Asks("larger-than", "smaller-than") != (test.rules != nil) || set.Asks("mime") {
			t.Errorf("%s: asks about %v", test.name, set.asks)
		}
	}
}

// Follow splits what is kept from what is followed.
func TestFollow(t *testing.T) {
	c, err := CandidateOf("http://a.example/x", "L")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		do                   Word
		follow               *bool
		in, kept, isFollowed bool
	}{
		{Accept, nil, true, true, true},
		{Reject, nil, false, false, false},
		{Accept, new(false), true, true, false},
		{Reject, new(true), true, false, true},
	} {
		set, err := NewSet(Definition{Rules: []Rule{{Do: test.do, Follow: test.follow}}})
		if err != nil {
			t.Fatal(err)
		}
		d := set.Decide(&c, NewSeeds())
		if d.Accepted() != test.in || d.Keeps() != test.kept || d.Follows() != test.isFollowed {
			t.Errorf("%s follow %v: in %v, kept %v, followed %v", test.do, test.follow, d.Accepted(), d.Keeps(), d.Follows())
		}
	}
}
