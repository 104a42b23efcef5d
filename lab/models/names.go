package models

import (
	"encoding/csv"
	"encoding/json"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"varve/lab/eval/corpus"
	"varve/language/lexicon"
	"varve/language/sentence"
)

// Names returns the gazetteer: names in lower case, their tokens separated by blanks, with the bits of lexicon. Lists
// under the ODbL (countries.json) and the LGPL (iso-codes) are not used.
func Names(data string) (map[string]uint32, error) {
	g := gazetteer{names: map[string]uint32{}, first: map[string]int{}, last: map[string]int{}}
	kb := func(file string) string { return filepath.Join(data, "kb", file) }
	steps := []func() error{
		func() error { return corpus.Lines(kb("cities.tsv.gz"), g.city) },
		func() error { return corpus.Lines(kb("football-players.tsv.gz"), g.player) },
		func() error { return corpus.Lines(kb("football-clubs.jsonl.gz"), g.club) },
		func() error { return corpus.Lines(kb("movies.jsonl.gz"), g.film) },
		func() error { return corpus.Lines(kb("tate-artists.csv.gz"), g.artist) },
		func() error { return corpus.Lines(kb("us-legislators-current.jsonl.gz"), g.politician) },
		func() error { return corpus.Lines(kb("us-executive.jsonl.gz"), g.politician) },
		func() error { return corpus.Lines(kb("yago15k-entities.tsv.gz"), g.yago) },
		func() error { return g.wordNet(kb("wordnet-3.0.tar.gz")) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	g.finish()
	return g.names, nil
}

type gazetteer struct {
	names       map[string]uint32
	first, last map[string]int
}

// words returns the tokens of a name in lower case.
func words(name string) []string {
	var out []string
	for _, t := range sentence.AppendTokens(nil, name, 0, len(name)) {
		out = append(out, strings.ToLower(t.Text))
	}
	return out
}

// add puts in a name of two tokens or more, or of one if it may be short.
func (g *gazetteer) add(name string, bits uint32, short bool) {
	w := words(name)
	if len(w) == 0 || len(w) > 6 || len(w) == 1 && (!short || len(w[0]) < 3) {
		return
	}
	g.names[strings.Join(w, " ")] |= bits
}

// person counts the first and last names of a person.
func (g *gazetteer) person(name string) {
	w := strings.Fields(name)
	if len(w) < 2 || len(w) > 4 {
		return
	}
	g.first[strings.ToLower(w[0])]++
	g.last[strings.ToLower(w[len(w)-1])]++
}

func (g *gazetteer) city(n int, line string) error {
	c := strings.Split(line, "\t")
	if n == 1 || len(c) < 6 {
		return nil
	}
	population, err := strconv.Atoi(c[5])
	switch {
	case err != nil && c[5] != "":
		return err
	case population >= 100_000:
		g.add(c[1], lexicon.LargePlace, true)
	case population >= 5000 || strings.Contains(c[1], " "):
		g.add(c[1], lexicon.Place, true)
	}
	return nil
}

func (g *gazetteer) player(n int, line string) error {
	if name, _, _ := strings.Cut(line, "\t"); n > 1 {
		g.person(name)
	}
	return nil
}

func (g *gazetteer) club(_ int, line string) error {
	var v struct {
		Name  string
		Names []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		return err
	}
	g.add(v.Name, lexicon.OrganisationName, true)
	for _, n := range v.Names {
		g.add(n.Name, lexicon.OrganisationName, false)
	}
	return nil
}

func (g *gazetteer) film(_ int, line string) error {
	var v struct {
		Title string
		Cast  []string
	}
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		return err
	}
	g.add(v.Title, lexicon.WorkName, false)
	for _, n := range v.Cast {
		g.person(n)
	}
	return nil
}

func (g *gazetteer) artist(n int, line string) error {
	c, err := csv.NewReader(strings.NewReader(line)).Read()
	if n == 1 || err != nil || len(c) < 2 {
		return nil // a field with a line break is no name that we need
	}
	if last, first, ok := strings.Cut(c[1], ", "); ok {
		g.person(first + " " + last)
	}
	return nil
}

func (g *gazetteer) politician(_ int, line string) error {
	var v struct {
		Name struct{ First, Last string }
	}
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		return err
	}
	g.person(v.Name.First + " " + v.Name.Last)
	g.add(v.Name.First+" "+v.Name.Last, lexicon.PersonName, false)
	return nil
}

var (
	yagoName  = regexp.MustCompile(`resource/([^>]+)>`)
	yagoParts = regexp.MustCompile(`^(.*?)(?:_\((.*)\)|,_.*)?$`)
)

func (g *gazetteer) yago(_ int, line string) error {
	m := yagoName.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	name, err := url.PathUnescape(m[1])
	if err != nil {
		return err
	}
	parts := yagoParts.FindStringSubmatch(name)
	bits := uint32(lexicon.OtherName)
	switch kind := parts[2]; {
	case strings.Contains(kind, "film") || strings.Contains(kind, "series") || strings.Contains(kind, "album") || strings.Contains(kind, "novel"):
		bits = lexicon.WorkName
	case kind != "" && regexp.MustCompile(`actor|actress|writer|musician|singer|director|politician|composer|player|footballer|comedian|author`).MatchString(kind):
		bits = lexicon.PersonName
	case kind == "" && strings.Contains(name, ",_"):
		bits = lexicon.Place
	case regexp.MustCompile(`University|College|Institute|School|Records|Company|Corporation|F\.C\.|Association|Party|Academy`).MatchString(name):
		bits = lexicon.OrganisationName
	case regexp.MustCompile(`War|Battle|Olympics|Championship|Cup$|Festival|Awards?`).MatchString(name):
		bits = lexicon.EventName
	}
	g.add(strings.ReplaceAll(parts[1], "_", " "), bits, true)
	return nil
}

func (g *gazetteer) wordNet(file string) error {
	w, err := corpus.ReadWordNet(file)
	if err != nil {
		return err
	}
	bits := map[string]uint32{
		"noun.person": lexicon.PersonName, "noun.location": lexicon.LargePlace, "noun.object": lexicon.LargePlace, "noun.group": lexicon.OrganisationName,
		"noun.event": lexicon.EventName, "noun.act": lexicon.EventName, "noun.communication": lexicon.WorkName, "noun.artifact": lexicon.OtherName, "noun.time": lexicon.OtherName,
	}
	for name, class := range w.Instances {
		if name != strings.ToLower(name) {
			g.add(name, bits[class], true)
		}
	}
	return nil
}

// finish adds first and last names that are met three times, and marks the beginnings of longer names.
func (g *gazetteer) finish() {
	for n, count := range g.first {
		if count >= 3 && len(n) > 1 {
			g.names[n] |= lexicon.FirstName
		}
	}
	for n, count := range g.last {
		if count >= 3 && len(n) > 2 {
			g.names[n] |= lexicon.LastName
		}
	}
	prefixes := map[string]bool{}
	for n := range g.names {
		for i, c := range n {
			if c == ' ' {
				prefixes[n[:i]] = true
			}
		}
	}
	for n := range prefixes {
		g.names[n] |= lexicon.Prefix
	}
}
