package base

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"varve/entity"
	"varve/lab/chance"
)

func say(subject string, says entity.Says, text string, n int64) entity.Statement {
	return entity.Statement{Subject: subject, Says: says, Text: text, Count: n}
}

// merkel is a small world: a chancellor under two ids, a namesake, a town, links and a redirect to a redirect.
var merkel = []entity.Statement{
	say("Q567", entity.HasLabel, "Angela Merkel", 1),
	say("Q567", entity.Describes, "Chancellor of Germany 2005-2021", 1),
	say("Q567", entity.IsA, "Q5", 1),
	say("Q567", entity.Begins, "1954-07-17", 1),
	say("Q567", entity.HasAlias, "Angela Dorothea Merkel", 1),
	say("Q567", entity.HasPhrase, "Christian Democratic Union", 2),
	say("enwiki:Angela Merkel", entity.SameAs, "Q567", 1),
	say("enwiki:Angela Merkel", entity.HasLabel, "Angela Merkel", 1),
	say("enwiki:Angela Merkel", entity.HasAnchor, "Merkel", 40),
	say("enwiki:Angela Merkel", entity.HasAnchor, "Merkel", 2),
	say("enwiki:Angela Merkel", entity.LinkedFrom, "enwiki:Templin", 1),
	say("enwiki:Angela Merkel", entity.LinkedFrom, "enwiki:Nowhere", 1),
	say("enwiki:A. Merkel", entity.SameAs, "enwiki:Angela Merkel", 1),
	say("enwiki:A. Merkel", entity.LinkedFrom, "Q1", 1),
	say("Q1", entity.HasLabel, "Max Merkel", 1),
	say("Q1", entity.HasAnchor, "Merkel", 3),
	say("Q1", entity.Begins, "1918", 1),
	say("Q1", entity.Ends, "2006-11", 1),
	say("Q1", entity.HasPhrase, "football coach", 1),
	say("Q1", entity.HasPhrase, "football", 4),
	say("enwiki:Templin", entity.HasLabel, "Templin", 1),
	say("enwiki:Templin", entity.LiesAt, "53.1167,13.5", 1),
	say("enwiki:Templin", entity.LinkedFrom, "enwiki:Angela Merkel", 1),
	say("enwiki:Nowhere", entity.HasAnchor, "nowhere", 1),
}

func linesOf(list []entity.Statement) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, s := range list {
			if !yield(s.AppendLine(nil), nil) {
				return
			}
		}
	}
}

func build(t *testing.T, list []entity.Statement, o Options) (*Base, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	if _, err := Build(t.Context(), path, linesOf(list), o); err != nil {
		t.Fatal(err)
	}
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b, path
}

func TestBase(t *testing.T) {
	b, _ := build(t, merkel, Options{Sources: []SourceNote{{"test", "us", "none"}}})
	if err := b.Verify(); err != nil {
		t.Fatal(err)
	}
	about := b.About()
	if about.Entities != 3 || about.Missing != 1 || about.Links != 3 || about.Circular != 0 || about.Names != 5 {
		t.Errorf("about: %+v", about)
	}
	n, ok, err := b.Find("enwiki:A. Merkel")
	if !ok || err != nil {
		t.Fatal("the redirect of a redirect is not found", err)
	}
	e, err := b.Entity(n)
	if err != nil {
		t.Fatal(err)
	}
	want := &entity.Entity{
		ID: "Q567", IDs: []string{"enwiki:A. Merkel", "enwiki:Angela Merkel"}, Label: "Angela Merkel", Description: "Chancellor of Germany 2005-2021", Kinds: []string{"Q5"}, Popularity: 3,
		Names:   []entity.Name{{Text: "Merkel", Origin: entity.Anchor, Count: 42}, {Text: "Angela Merkel", Origin: entity.Label}, {Text: "Angela Dorothea Merkel", Origin: entity.Alias}},
		Phrases: []entity.Phrase{{Text: "Christian Democratic Union", Count: 2}},
	}
	want.Existence.From, _, _ = entity.ParseDays("1954-07-17")
	if !reflect.DeepEqual(e, want) {
		t.Errorf("entity\n%+v, want\n%+v", e, want)
	}
	candidates, err := b.Candidates("MERKEL")
	if err != nil || len(candidates) != 2 || candidates[0].Count != 3 || candidates[1].Count != 42 || candidates[1].Entity != n {
		t.Errorf("candidates of Merkel: %+v, %v", candidates, err)
	}
	links, err := b.Inlinks(n)
	town, _, _ := b.Find("enwiki:Templin")
	coach, _, _ := b.Find("Q1")
	if err != nil || !slices.Equal(links, []uint32{coach, town}) {
		t.Errorf("inlinks %v, %v; want %v", links, err, []uint32{coach, town})
	}
	if in, n, err := b.Word("football"); in != 1 || n != 5 || err != nil {
		t.Errorf("football is in %d entities, %d times, %v", in, n, err)
	}
	var names []string
	for name, err := range b.Names("ang") {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name.Key)
	}
	if !slices.Equal(names, []string{"angela dorothea merkel", "angela merkel"}) {
		t.Errorf("names with ang: %q", names)
	}
	if c, err := b.Candidates("Nobody"); c != nil || err != nil {
		t.Errorf("Nobody is %v, %v", c, err)
	}
}

// Ids that are the same in a circle lose nothing, and are counted.
func TestCircle(t *testing.T) {
	b, _ := build(t, []entity.Statement{
		say("A", entity.SameAs, "B", 1), say("B", entity.SameAs, "A", 1), say("A", entity.HasLabel, "ay", 1), say("B", entity.HasLabel, "bee", 1), say("C", entity.SameAs, "C", 1), say("C", entity.HasLabel, "sea", 1),
	}, Options{})
	if b.Len() != 3 || b.About().Circular != 3 {
		t.Errorf("%+v", b.About())
	}
}

// A base of many entities, sorted in little memory, answers as maps do.
func TestAgainstMaps(t *testing.T) {
	rnd := chance.Rand(t, 1)
	type known struct {
		label   string
		names   map[string]int64
		phrases map[string]int64
		links   map[string]bool
	}
	world := map[string]*known{}
	var list []entity.Statement
	const many = 3000
	id := func(i int) string { return fmt.Sprintf("Q%d", i) }
	for i := range many {
		k := &known{fmt.Sprintf("Label %d", i%500), map[string]int64{}, map[string]int64{}, map[string]bool{}}
		world[id(i)] = k
		list = append(list, say(id(i), entity.HasLabel, k.label, 1))
		k.names[entity.Key(k.label)] = 0
		for range rnd.IntN(5) {
			name, n := fmt.Sprintf("name %d", rnd.IntN(900)), int64(1+rnd.IntN(9))
			list = append(list, say(id(i), entity.HasAnchor, name, n))
			k.names[name] += n
		}
		for range rnd.IntN(5) {
			p := fmt.Sprintf("phrase w%d", rnd.IntN(50))
			list = append(list, say(id(i), entity.HasPhrase, p, 1))
			k.phrases[p]++
		}
		for range rnd.IntN(8) {
			if from := id(rnd.IntN(many)); from != id(i) {
				list = append(list, say(id(i), entity.LinkedFrom, from, 1))
				k.links[from] = true
			}
		}
	}
	rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	b, _ := build(t, list, Options{Memory: 1}) // the least that a sorter takes: many runs
	numbers := map[string]uint32{}
	words := map[string]int64{}
	for id, k := range world {
		n, ok, err := b.Find(id)
		if !ok || err != nil {
			t.Fatalf("%s is missing, %v", id, err)
		}
		numbers[id] = n
		for p, c := range k.phrases {
			words["phrase"] += c
			words[strings.Fields(p)[1]] += c
		}
	}
	if sorted := slices.Sorted(maps.Keys(world)); numbers[sorted[0]] != 0 || numbers[sorted[many-1]] != many-1 {
		t.Error("numbers are not in the order of ids")
	}
	of := map[string][]Candidate{}
	for id, k := range world {
		e, err := b.Entity(numbers[id])
		if err != nil || e.ID != id || e.Label != k.label || len(e.Names) != len(k.names) || len(e.Phrases) != len(k.phrases) {
			t.Fatalf("%s: %+v, %v", id, e, err)
		}
		for name, n := range k.names {
			origin := entity.Anchor
			if name == entity.Key(k.label) {
				origin = entity.Label
			}
			of[name] = append(of[name], Candidate{numbers[id], origin, n})
		}
		var links []uint32
		for from := range k.links {
			links = append(links, numbers[from])
		}
		slices.Sort(links)
		if got, err := b.Inlinks(numbers[id]); err != nil || !slices.Equal(got, links) {
			t.Fatalf("inlinks of %s are %v, want %v, %v", id, got, links, err)
		}
	}
	for name, want := range of {
		slices.SortFunc(want, func(a, b Candidate) int { return cmp.Compare(a.Entity, b.Entity) })
		if got, err := b.Candidates(name); err != nil || !slices.Equal(got, want) {
			t.Fatalf("candidates of %s are %v, want %v, %v", name, got, want, err)
		}
	}
	for w, n := range words {
		if _, got, err := b.Word(w); got != n || err != nil {
			t.Fatalf("word %s: %d, want %d, %v", w, got, n, err)
		}
	}
	all := slices.Collect(func(yield func(string) bool) {
		for name, err := range b.Names("") {
			if err != nil {
				t.Error(err)
			}
			if !yield(name.Key) {
				return
			}
		}
	})
	if !slices.Equal(all, slices.Sorted(maps.Keys(of))) {
		t.Errorf("%d names, want %d", len(all), len(of))
	}
}

// Whatever byte is changed, the base says so or answers as before; it never panics.
func TestFlippedBytes(t *testing.T) {
	_, path := build(t, merkel, Options{})
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		changed := bytes.Clone(whole)
		changed[i] ^= 1 << (i % 8)
		b, err := open("changed", changed)
		if err != nil {
			continue
		}
		if err := b.Verify(); !errors.Is(err, ErrDamaged) {
			t.Fatalf("byte %d of %d is changed, and nobody says so: %v", i, len(whole), err)
		}
		for _, name := range []string{"Merkel", "Angela Merkel", "Templin"} {
			_, _ = b.Candidates(name)
		}
		listed, told := 0, error(nil)
		for _, err := range b.Names("") {
			if told = err; err == nil {
				listed++
			}
		}
		if listed != int(b.About().Names) && !errors.Is(told, ErrDamaged) {
			t.Fatalf("byte %d is changed, and %d of %d names are listed: %v", i, listed, b.About().Names, told)
		}
		for n := range uint32(3) {
			_, err1 := b.Entity(n)
			_, err2 := b.Inlinks(n)
			for _, err := range []error{err1, err2} {
				if err != nil && !errors.Is(err, ErrDamaged) {
					t.Fatalf("byte %d: %v", i, err)
				}
			}
		}
	}
	for _, n := range []int{0, 7, 30, len(whole) - 1} {
		if _, err := open("cut", whole[:n]); err == nil {
			t.Errorf("the first %d of %d bytes open", n, len(whole))
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add(appendRecord(nil, &entity.Entity{ID: "Q1", Label: "x", Place: &entity.Place{Latitude: 1, Longitude: -2}, Names: []entity.Name{{Text: "a", Origin: 1, Count: 2}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := parseRecord(b)
		if err != nil {
			return
		}
		again, err := parseRecord(appendRecord(nil, e))
		if err != nil || again.ID != e.ID || len(again.Names) != len(e.Names) {
			t.Fatalf("%+v, %v", again, err)
		}
		_, _ = parseCandidates(b)
	})
}

// What a killed import leaves counts as far as it was saved, and goes on from there.
func TestIntake(t *testing.T) {
	dir := t.TempDir()
	in, err := OpenIntake(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenIntake(dir); err == nil {
		t.Error("two have it open")
	}
	src, err := in.Source(Source{Name: "dump", Size: 10, Format: "test"})
	if err != nil {
		t.Fatal(err)
	}
	src.Add(entity.Statement{Subject: "Q1", Says: entity.HasLabel, Text: "one"})
	_ = src.Unit()
	if err := src.Suspend(); err != nil {
		t.Fatal(err)
	}
	src.Add(entity.Statement{Subject: "Q2", Says: entity.HasLabel, Text: "two"})
	_ = src.Unit()
	// Killed here; and a part had been written that does not count yet.
	left := filepath.Join(dir, "statements", "000099.zst")
	if err := os.WriteFile(left, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()

	if in, err = OpenIntake(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("a part that nobody names is still there")
	}
	if src, err = in.Source(Source{Name: "dump", Size: 10, Format: "test"}); err != nil || src.Units != 1 || src.Done {
		t.Fatalf("goes on after %d units, %v", src.Units, err)
	}
	src.Add(entity.Statement{Subject: "Q2", Says: entity.HasLabel, Text: "two"})
	_ = src.Unit()
	if err := src.Finish(""); err != nil {
		t.Fatal(err)
	}
	if about, err := in.Build(t.Context(), Options{}); err != nil || about.Entities != 2 || src.Statements != 2 {
		t.Errorf("%+v, %v", about, err)
	}
	// Another file of the same name replaces it.
	src, err = in.Source(Source{Name: "dump", Size: 11, Format: "test"})
	if err != nil || src.Units != 0 || src.Done {
		t.Fatalf("%+v, %v", src, err)
	}
	if about, err := in.Build(t.Context(), Options{}); err != nil || about.Entities != 0 {
		t.Errorf("%+v, %v", about, err)
	}
	_ = in.Close()
}
