package concept_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"varve/evolution/concept"
)

func documents(list ...string) (out []concept.Document) {
	for _, l := range list {
		out = append(out, concept.Document{Source: "news", Terms: strings.Fields(l)})
	}
	return out
}

// TestWorkedExample is that of the package comment.
func TestWorkedExample(t *testing.T) {
	m := concept.New(concept.Default())
	for week := range 4 {
		if c := m.Add(documents("rain sun", "sun wind")); len(c) > 0 {
			t.Fatalf("week %d: %v", week+1, c)
		}
	}
	event := documents("tsunami reactor japan", "japan reactor tsunami sun", "sun wind")
	if c := m.Add(event); len(c) > 0 {
		t.Fatalf("week 5: %v", c)
	}
	got := m.Add(event)
	if len(got) != 1 || !slices.Equal(got[0].Terms, []string{"japan", "reactor", "tsunami"}) || got[0].First != 4 || got[0].Cognition != 2 {
		t.Fatalf("week 6: %+v", got)
	}
	if again := m.Add(event); len(again) > 0 {
		t.Errorf("told twice: %v", again)
	}
}

// TestNotEmerging: what is there from the beginning, and what comes back after it was away, does not emerge.
func TestNotEmerging(t *testing.T) {
	m := concept.New(concept.Default())
	always, away := "election vote party", "storm flood rescue"
	for week := range 12 {
		docs := documents(always, always, "x y", "y z")
		if week == 3 || week > 6 {
			docs = append(docs, documents(away, away)...)
		}
		if c := m.Add(docs); len(c) > 0 {
			t.Errorf("week %d: %v", week, c)
		}
	}
}

// TestDrift: a concept that changes a term a slice stays the same as long as it deviates little from the last slices.
func TestDrift(t *testing.T) {
	m := concept.New(concept.Default())
	m.Add(documents("a b", "b c"))
	m.Add(documents("p q r s t", "p q r s t"))
	if c := m.Add(documents("p q r s u", "p q r s u")); len(c) != 1 || c[0].First != 1 {
		t.Errorf("%v", c)
	}
	m = concept.New(concept.Default())
	m.Add(documents("a b", "b c"))
	m.Add(documents("p q r", "p q r"))
	if c := m.Add(documents("p u v", "p u v")); len(c) > 0 {
		t.Errorf("another concept is taken for the same: %v", c)
	}
}

// TestForget holds no more than it may, and says so.
func TestForget(t *testing.T) {
	o := concept.Default()
	o.Most = 3
	m := concept.New(o)
	for i := range 10 {
		m.Add(documents(fmt.Sprintf("a%d b%d", i, i), fmt.Sprintf("a%d b%d", i, i)))
	}
	if m.Dropped != 7 {
		t.Errorf("dropped %d, want 7", m.Dropped)
	}
}

// TestHot: a topic is hot for a concept of which it has more than half of the terms; half is not more.
func TestHot(t *testing.T) {
	topics := []concept.Topic{
		{Name: "energy", Extension: map[string]bool{"nuclear": true, "plant": true, "disaster": true}},
		{Name: "geology", Extension: map[string]bool{"tsunami": true, "japan": true}},
	}
	if got := concept.Hot([]string{"nuclear", "disaster", "plant", "japan", "plant"}, topics, 0.5); !slices.Equal(got, []int{0}) {
		t.Errorf("%v", got)
	}
	if got := concept.Hot([]string{"tsunami", "japan", "nuclear", "plant"}, topics, 0.5); len(got) > 0 {
		t.Errorf("two of four: %v", got)
	}
	if got := concept.Hot(nil, topics, 0.5); len(got) > 0 {
		t.Errorf("of nothing: %v", got)
	}
}
