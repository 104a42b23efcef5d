package emerging

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

func at(day int) time.Time { return time.Date(2020, 1, day, 0, 0, 0, 0, time.UTC) }

func one(day int, document, name, words, with string) Occurrence {
	o := Occurrence{Document: document, Time: at(day), Name: name, Type: "PER", Count: 1, Words: strings.Fields(words)}
	for w := range strings.SplitSeq(with, ",") {
		if w != "" {
			o.With = append(o.With, w)
		}
	}
	return o
}

var texts = []Occurrence{
	one(3, "c", "Ada Fox", "goal league season", "united"),
	one(1, "a", "Ada Fox", "laboratory machine", "turing"),
	one(2, "b", "Ada Fox", "laboratory computer", "turing"),
	one(4, "d", "Fox", "machine laboratory", "turing"),
	one(5, "e", "Fox", "hen forest night", "grimm"),
	one(6, "f", "Berta Lind", "opera", ""),
}

func clusters(t *testing.T, list []Occurrence) []Cluster {
	t.Helper()
	out, err := Clusters(context.Background(), list, Default())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func told(list []Cluster) (out []string) {
	for _, c := range list {
		var docs []string
		for _, o := range c.Occurrences {
			docs = append(docs, o.Document)
		}
		out = append(out, c.Name+": "+strings.Join(docs, " "))
	}
	return out
}

func TestClusters(t *testing.T) {
	got := clusters(t, texts)
	want := []string{"Ada Fox: a b d", "Ada Fox: c", "Berta Lind: f", "Fox: e"}
	if !reflect.DeepEqual(told(got), want) {
		t.Fatalf("%q", told(got))
	}
	c := got[0]
	if !c.First.Equal(at(1)) || !c.Last.Equal(at(4)) || c.Mentions != 3 || c.Documents != 3 || c.Type != "PER" {
		t.Errorf("%+v", c)
	}
	if c.With[0] != "turing" || c.Phrases[0] != "laboratory" {
		t.Errorf("keyphrases are %v with %v", c.Phrases, c.With)
	}
	if !reflect.DeepEqual(c.Names, []Counted{{"Ada Fox", 2}, {"Fox", 1}}) {
		t.Errorf("names are %v", c.Names)
	}
}

// Two things of one name on the same day have two ids, and the order of what comes in changes nothing.
func TestOrder(t *testing.T) {
	list := append([]Occurrence{}, texts...)
	for i := range list {
		list[i].Time = at(1)
	}
	want := clusters(t, list)
	ids := map[string]bool{}
	for _, c := range want {
		if ids[c.ID] {
			t.Errorf("id %s is there twice", c.ID)
		}
		ids[c.ID] = true
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if got := clusters(t, list); !reflect.DeepEqual(got, want) {
			t.Fatalf("in another order: %q, before %q", told(got), told(want))
		}
	}
}

// Brute force beside the algorithm: the likeness of two clusters is the cosine of their sums, written out.
func TestLike(t *testing.T) {
	vectors, terms := weigh(texts)
	a, b := newGroup(0, "PER", vectors[0]), newGroup(1, "PER", vectors[1])
	a.join(newGroup(2, "PER", vectors[2]))
	b.join(newGroup(3, "PER", vectors[3]))
	sum := func(g *group) []float64 {
		dense := make([]float64, len(terms))
		for _, i := range g.members {
			for _, x := range vectors[i] {
				dense[x.at] += x.value
			}
		}
		return dense
	}
	x, y := sum(a), sum(b)
	var xy, xx, yy float64
	for i := range terms {
		xy, xx, yy = xy+x[i]*y[i], xx+x[i]*x[i], yy+y[i]*y[i]
	}
	if got, want := a.like(b), xy/math.Sqrt(xx*yy); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, written out %v", got, want)
	}
}

// A name with more occurrences than are compared with each other loses none.
func TestMost(t *testing.T) {
	var list []Occurrence
	for i := range 50 {
		list = append(list, one(1+i%28, fmt.Sprintf("d%02d", i), "Ada Fox", []string{"laboratory machine", "goal league"}[i%2], ""))
	}
	o := Default()
	o.Most = 5
	got, err := Clusters(context.Background(), list, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Documents != 25 || got[1].Documents != 25 {
		t.Errorf("%q", told(got))
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Clusters(ctx, list, o); err == nil {
		t.Error("stopped, it goes on")
	}
}
