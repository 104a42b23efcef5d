package emerging_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"varve/evolution"
	"varve/evolution/emerging"
)

// titles makes 100 documents a year from 1985 to 1999; keys has phrases, with the years in which one document has each.
func titles(keys map[string][]int) (out []*evolution.Document) {
	for y := 1985; y < 2000; y++ {
		for i := range 100 {
			d := &evolution.Document{ID: fmt.Sprint(y, i), Year: y, Sentences: []evolution.Sentence{{{Key: fmt.Sprint("topic", i)}}}}
			if i == 0 {
				for key, years := range keys {
					if slices.Contains(years, y) {
						d.Sentences[0] = append(d.Sentences[0], evolution.Phrase{Key: key})
					}
				}
			}
			out = append(out, d)
		}
	}
	return out
}

func read(t *testing.T, docs []*evolution.Document, o emerging.Options) *emerging.Counts {
	t.Helper()
	c, err := emerging.Read(evolution.Of(docs), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestRule has the worked example of the package comment.
func TestRule(t *testing.T) {
	from := func(year int) (out []int) {
		for y := year; y < 2000; y++ {
			out = append(out, y)
		}
		return out
	}
	docs := titles(map[string][]int{"web": from(1995), "radar": {1990, 1991, 1992}, "old tree": from(1985), "gap": {1995, 1996, 1997, 1999}})
	c := read(t, docs, emerging.Default())
	for phrase, want := range map[string][]int{"web": {1993, 1994, 1995, 1996}, "radar": nil, "old tree": nil, "tree": nil, "gap": nil, "absent": nil} {
		if got := c.Rule(phrase); !slices.Equal(got, want) {
			t.Errorf("%s emerges in %v, want %v", phrase, got, want)
		}
	}
	// of all later years together it holds for what was gone after three years, too, if it is looked at from two years before
	o := emerging.Default()
	o.Together = true
	together := read(t, docs, o)
	for phrase, want := range map[string][]int{"web": {1993, 1994, 1995, 1996}, "radar": {1988}, "gap": {1993, 1994}, "tree": nil} {
		if got := together.Rule(phrase); !slices.Equal(got, want) {
			t.Errorf("%s emerges in %v by all later years together, want %v", phrase, got, want)
		}
	}
	first, err := emerging.First(evolution.Of(docs), []string{"web", "tree"}, 2)
	if err != nil || !slices.Equal(first["web"], []string{"1995 0", "1996 0"}) || len(first["tree"]) != 2 {
		t.Errorf("first documents %v, %v", first, err)
	}
	if !slices.Contains(c.Phrases(), "tree") || c.Documents("tree", 1990) != 1 || c.Share("web", 1996) != 0.01 {
		t.Errorf("%q", c.Phrases())
	}
}

// TestInside: "machine translation" is counted inside of longer phrases once some phrase ends with it, "statistical machine" never.
func TestInside(t *testing.T) {
	years := []int{1990, 1991, 1992, 1993}
	c := read(t, titles(map[string][]int{"statistical machine translation system": years, "machine translation": {1995, 1996}}), emerging.Default())
	if n := c.Documents("machine translation", 1991); n != 1 {
		t.Errorf("%d documents of 1991 have machine translation, want 1", n)
	}
	if slices.Contains(c.Phrases(), "statistical machine") {
		t.Error("statistical machine is no phrase")
	}
}

// lasting makes 40 years of 200 documents. Each year six phrases begin; two are said by many sources and stay, four by one source, and are gone after two years.
func lasting() (out []*evolution.Document) {
	r := rand.New(rand.NewPCG(7, 1)) // the bounds below are for this draw
	for y := range 40 {
		begin := len(out)
		for i := range 200 {
			out = append(out, &evolution.Document{ID: fmt.Sprint(y, i), Source: fmt.Sprint("s", i%40), Year: 1960 + y, Sentences: []evolution.Sentence{{{Key: fmt.Sprint("topic", r.IntN(50))}}}})
		}
		say := func(i int, key string) {
			d := out[begin+i]
			d.Sentences[0] = append(d.Sentences[0], evolution.Phrase{Key: key})
		}
		for b := 3; b <= y; b++ {
			for k := range 6 {
				key := fmt.Sprintf("w%d-%d", b, k)
				switch {
				case k < 2:
					for n := range 3 {
						say((r.IntN(60)*3+n)%200, key) // three sources
					}
				case y < b+2:
					for n := range 3 {
						say(k+40*n, key) // the same source
					}
				}
			}
		}
	}
	return out
}

// TestFlags learns which of the starts go on.
func TestFlags(t *testing.T) {
	c := read(t, lasting(), emerging.Default())
	flags, err := c.Flags()
	if err != nil {
		t.Fatal(err)
	}
	stays, goes := 0, 0
	for _, f := range flags {
		if f.Probability == 0 {
			continue // nothing was known yet
		}
		if c.Rule(f.Phrase) != nil || f.Year >= 1998 && (f.Phrase[len(f.Phrase)-1] < '2') {
			stays++
		} else {
			goes++
		}
	}
	if stays < 40 || goes > 4 {
		t.Errorf("%d that stay and %d that go were flagged, of about 46 and 92", stays, goes)
	}
}

// TestNothingOfLater: what is told of a year is the same without the years behind it.
func TestNothingOfLater(t *testing.T) {
	whole, err := read(t, lasting(), emerging.Default()).Flags()
	if err != nil {
		t.Fatal(err)
	}
	for _, years := range []int{12, 25, 33} {
		docs := slices.DeleteFunc(lasting(), func(d *evolution.Document) bool { return d.Year >= 1960+years })
		part, err := read(t, docs, emerging.Default()).Flags()
		if err != nil {
			t.Fatal(err)
		}
		want := slices.DeleteFunc(slices.Clone(whole), func(f emerging.Flag) bool { return f.Year >= 1960+years })
		if !slices.Equal(part, want) {
			t.Errorf("up to %d: %d flags, and of the whole %d", 1960+years, len(part), len(want))
		}
	}
}

func TestNoDocuments(t *testing.T) {
	c := read(t, nil, emerging.Default())
	if flags, err := c.Flags(); err != nil || len(flags) > 0 || c.Rule("x") != nil {
		t.Errorf("%v %v", flags, err)
	}
	far := []*evolution.Document{{Year: 1000}, {Year: 2000}}
	if _, err := emerging.Read(evolution.Of(far), emerging.Default()); err == nil {
		t.Error("a thousand years are compared")
	}
}
