// Package films measures how well names are told apart, on films and those who act in them (../shared/data/kb/movies.jsonl).
//
// For each film the base is made of all other films: a person is who stands in a cast list, by the full name. In the extract of the film the full names of its cast are cut to
// the last one; candidates are all persons of the base with it; right is the cast list. Nothing of the film itself is in the base: not its cast, title, genres, extract or year.
//
//	names       the last name of a person, once for each film (which is its prior)
//	keyphrases  of each of the person's films: its title, its genres, the others in its cast, and the runs of two words or more with capitals in its extract
//	inlinks     the films
//	existence   from the year of the first film to that of the last
//	day         of a text: the middle of the year of its film
//
// Settings are chosen on the films whose number is even (--half dev); figures are those of the others.
package films

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/entity"
	"varve/entity/base"
	"varve/entity/link"
)

// Film is a line of the set.
type Film struct {
	Title   string
	Year    int
	Cast    []string
	Genres  []string
	Extract string

	phrases []string // but for the cast
}

// Read reads the set.
func Read(path string) ([]Film, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	var out []Film
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var one Film
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, n, err)
		}
		one.Cast = slices.DeleteFunc(one.Cast, func(name string) bool { return !strings.Contains(name, " ") })
		slices.Sort(one.Cast)
		one.Cast = slices.Compact(one.Cast)
		one.phrases = append(append([]string{one.Title}, one.Genres...), capitals(one.Extract)...)
		out = append(out, one)
	}
	return out, lines.Err()
}

// capitals returns the runs of two words or more that begin with capitals.
func capitals(text string) (out []string) {
	run := ""
	words := 0
	end := func() {
		if words > 1 {
			out = append(out, run)
		}
		run, words = "", 0
	}
	for w := range strings.FieldsSeq(text) {
		bare := strings.Trim(w, `.,;:!?()"'“”`)
		first, _ := utf8.DecodeRuneInString(bare)
		if !unicode.IsUpper(first) {
			end()
			continue
		}
		run = strings.TrimSpace(run + " " + bare)
		if words++; bare != w && !strings.HasPrefix(w, bare+".") || strings.HasSuffix(w, ".") && len(bare) > 2 {
			end()
		}
	}
	end()
	return out
}

// Last returns the last name of a person: the last word that is none of Jr., Sr., II, III, IV.
func Last(name string) string {
	words := strings.Fields(name)
	for len(words) > 1 && slices.Contains([]string{"jr", "sr", "ii", "iii", "iv"}, strings.ToLower(strings.Trim(words[len(words)-1], ".,"))) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return ""
	}
	return strings.Trim(words[len(words)-1], ",")
}

// World is all films, from which the base without any one of them is seen.
type World struct {
	films    []Film
	numbers  map[string]uint32 // of persons, behind those of films
	persons  []string
	acted    [][]uint32          // films by person
	byLast   map[string][]uint32 // persons by the key of their last name
	words    map[string]int64
	observed int64
}

// NewWorld returns the world of films.
func NewWorld(films []Film) *World {
	w := &World{films: films, numbers: map[string]uint32{}, byLast: map[string][]uint32{}, words: map[string]int64{}}
	for i, f := range films {
		for _, name := range f.Cast {
			n, ok := w.numbers[name]
			if !ok {
				n = uint32(len(w.persons))
				w.numbers[name] = n
				w.persons = append(w.persons, name)
				w.acted = append(w.acted, nil)
				key := entity.Key(Last(name))
				w.byLast[key] = append(w.byLast[key], n)
			}
			w.acted[n] = append(w.acted[n], uint32(i))
		}
		for word, n := range f.said() {
			w.words[word] += n
			w.observed += n
		}
	}
	return w
}

// said counts the words that a film puts into keyphrases of its cast.
func (f *Film) said() map[string]int64 {
	out := map[string]int64{}
	add := func(phrase string, n int) {
		for _, w := range entity.Words(phrase) {
			out[w] += int64(n)
		}
	}
	for _, p := range f.phrases {
		add(p, len(f.Cast)-count(f.Cast, p)) // nobody is a keyphrase of himself
	}
	for _, name := range f.Cast {
		add(name, len(f.Cast)-1)
	}
	return out
}

func count(list []string, s string) int {
	if slices.Contains(list, s) {
		return 1
	}
	return 0
}

// View is the base of all films but one. It is a link.Base.
type View struct {
	*World
	without uint32
	said    map[string]int64
	own     int64
}

// Without returns the base of all films but one.
func (w *World) Without(film int) *View {
	v := &View{World: w, without: uint32(film), said: w.films[film].said()}
	for _, n := range v.said {
		v.own += n
	}
	return v
}

// films of a person, but one.
func (v *View) filmsOf(person uint32) []uint32 {
	all := v.acted[person]
	i, ok := slices.BinarySearch(all, v.without)
	if !ok {
		return all
	}
	return slices.Delete(slices.Clone(all), i, i+1)
}

// Candidates returns the persons with a last name.
func (v *View) Candidates(name string) ([]base.Candidate, error) {
	var out []base.Candidate
	for _, n := range v.byLast[entity.Key(name)] {
		if films := v.filmsOf(n); len(films) > 0 {
			out = append(out, base.Candidate{Entity: n, Origin: entity.Anchor, Count: int64(len(films))})
		}
	}
	return out, nil
}

// Entity returns a person.
func (v *View) Entity(n uint32) (*entity.Entity, error) {
	e := &entity.Entity{ID: v.persons[n], Label: v.persons[n]}
	phrases := map[string]int64{}
	first, last := math.MaxInt, 0
	for _, i := range v.filmsOf(n) {
		f := &v.films[i]
		e.Popularity++
		first, last = min(first, f.Year), max(last, f.Year)
		for _, list := range [][]string{f.phrases, f.Cast} {
			for _, p := range list {
				if p != e.ID {
					phrases[p]++
				}
			}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(phrases)) {
		e.Phrases = append(e.Phrases, entity.Phrase{Text: p, Count: phrases[p]})
	}
	slices.SortStableFunc(e.Phrases, func(a, b entity.Phrase) int { return cmp.Compare(b.Count, a.Count) })
	e.Phrases = e.Phrases[:min(len(e.Phrases), base.DefaultPhrases)]
	if last > 0 {
		e.Existence.From, _, _ = entity.ParseDays(fmt.Sprint(first))
		_, e.Existence.Until, _ = entity.ParseDays(fmt.Sprint(last))
	}
	return e, nil
}

// Inlinks returns the films of a person.
func (v *View) Inlinks(n uint32) ([]uint32, error) { return v.filmsOf(n), nil }

// Word returns how often a word is in keyphrases.
func (v *View) Word(w string) (int64, int64, error) { return 0, v.words[w] - v.said[w], nil }

// Len returns the number of films: those who could link.
func (v *View) Len() int { return len(v.films) - 1 }

// Observed returns the number of words in keyphrases.
func (v *View) Observed() int64 { return v.observed - v.own }

// Gold is a mention and who is meant.
type Gold struct {
	link.Mention
	Person string
}

// Cut returns the extract of a film with the names of its cast cut to the last one, and where these stand.
func (f *Film) Cut() (text string, mentions []Gold) {
	type place struct {
		at   int
		name string
	}
	var places []place
	for _, name := range f.Cast {
		for from := 0; ; {
			i := strings.Index(f.Extract[from:], name)
			if i < 0 {
				break
			}
			places = append(places, place{from + i, name})
			from += i + len(name)
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(len(b.name), len(a.name))) })
	var b strings.Builder
	done := 0
	for _, p := range places {
		if p.at < done {
			continue // inside of a longer name
		}
		b.WriteString(f.Extract[done:p.at])
		start := b.Len()
		b.WriteString(Last(p.name))
		mentions = append(mentions, Gold{link.Mention{Start: start, End: b.Len()}, p.name})
		done = p.at + len(p.name)
	}
	b.WriteString(f.Extract[done:])
	return b.String(), mentions
}
