package models

import (
	"cmp"
	"embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"varve/entity/kind"
	"varve/lab/eval/corpus"
	"varve/lab/eval/typing"
	"varve/language/lexicon"
	"varve/language/mention"
	"varve/language/sentence"
	"varve/language/tag"
	"varve/learn/sparse"
)

//go:embed labels-wordnet.tsv labels-figer.tsv
var labelFiles embed.FS

// Labels returns what the labels of the sets that we learn from mean in a taxonomy.
func Labels(taxonomy string) (typing.Map, error) {
	f, err := labelFiles.Open("labels-" + taxonomy + ".tsv")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return typing.ParseMap(f)
}

// Named is a name in a text and what is known of the types of what it names.
type Named struct {
	Set      string // that it is of
	Name     string
	Features []sparse.Feature
	Label    string   // of the set; "" if it has none
	Nouns    []string // of WordNet that it is one of
	Complete bool
}

// generic are labels that leave open what kind of person or place is meant.
var generic = map[string]bool{
	"PER": true, "LOC": true, "ORG": true, "person": true, "location": true, "place": true, "organisation": true, "organization": true, "group": true, "event": true, "product": true, "object": true,
	"creative-work": true, "Q27096213": true, "Q215627": true, "Q43229": true,
}

// TypeSets are all names that types are learned from, and the taxonomies.
type TypeSets struct {
	Named      []Named
	Taxonomies map[string]*kind.Taxonomy
	labels     map[string]typing.Map
	above      map[string][]string // of the nouns of WordNet
	figer      map[string][]string // of the nouns of WordNet: FIGER's types
}

// reader reads names out of texts.
type namesReader struct {
	tagger *tag.Tagger
	typer  *kind.Typer
	out    []Named
	met    map[string]int // how often a name of the lists was taken
}

// mostOfName is how often a name of the lists is taken from texts.
const mostOfName = 12

// ReadTypeSets reads everything that types are learned from.
func ReadTypeSets(data string, x *lexicon.Lexicon, tags *tag.Model) (*TypeSets, error) {
	h, err := readHierarchy(data)
	if err != nil {
		return nil, err
	}
	s := &TypeSets{Taxonomies: map[string]*kind.Taxonomy{}, labels: map[string]typing.Map{}, above: h.above}
	for _, name := range kind.Names() {
		if s.labels[name], err = Labels(name); err != nil {
			return nil, err
		}
	}
	asked := []string{"team.n.01", "football_player.n.01", "movie.n.01", "actor.n.01"}
	for _, m := range s.labels[kind.WordNet] {
		asked = append(asked, m.Types...)
	}
	if s.Taxonomies[kind.WordNet], err = Taxonomy(h, asked); err != nil {
		return nil, err
	}
	if s.Taxonomies[kind.FIGER], err = Figer(data); err != nil {
		return nil, err
	}
	if s.figer, err = readFigerNouns(data, h); err != nil {
		return nil, err
	}
	blank, err := kind.Untrained(s.Taxonomies[kind.WordNet], x)
	if err != nil {
		return nil, err
	}
	r := &namesReader{tagger: tags.NewTagger(), typer: blank.NewTyper(), met: map[string]int{}}
	for _, step := range []func() error{
		func() error { return r.labelled(data) },
		func() error { return r.linked(data, h) },
		func() error { return r.instances(h) },
		func() error { return r.films(data) },
		func() error { return r.listed(data, h) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	s.Named = r.out
	return s, nil
}

// readFigerNouns returns FIGER's types of nouns: TypeNet says which noun a type of Freebase is, and FIGER which of its own.
func readFigerNouns(data string, h *hierarchy) (map[string][]string, error) {
	to := map[string]string{}
	if err := corpus.Lines(filepath.Join(data, "typing", "figer-types.map"), func(_ int, line string) error {
		if from, t, ok := strings.Cut(line, "\t"); ok {
			to[from] = strings.TrimSpace(t)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	out := map[string][]string{
		"person.n.01": {"/person"}, "location.n.01": {"/location"}, "organization.n.01": {"/organization"}, "event.n.01": {"/event"}, "country.n.02": {"/location/country"}, "city.n.01": {"/location/city"},
		"actor.n.01": {"/person/actor"}, "athlete.n.01": {"/person/athlete"}, "writer.n.01": {"/person/author"}, "musician.n.01": {"/person/musician"}, "politician.n.02": {"/person/politician"},
		"politician.n.01": {"/person/politician"}, "movie.n.01": {"/art/film"}, "team.n.01": {"/organization/sports_team"}, "body_of_water.n.01": {"/location/body_of_water"}, "mountain.n.01": {"/geography/mountain"},
		"island.n.01": {"/geography/island"}, "sovereign.n.01": {"/person/monarch"}, "company.n.01": {"/organization/company"}, "university.n.03": {"/organization/educational_institution"},
	}
	freebase := ""
	err := corpus.Lines(filepath.Join(data, "typing", "typenet", "typenet_annotations.txt.gz"), func(_ int, line string) error {
		if strings.HasPrefix(line, "/") {
			freebase = strings.TrimSpace(line)
			return nil
		}
		_, rest, ok := strings.Cut(line, "exact:Synset('")
		noun, _, _ := strings.Cut(rest, "'")
		if t := to[freebase]; ok && t != "" && h.nouns.ByName[noun] != nil && !slices.Contains(out[noun], t) {
			out[noun] = append(out[noun], t)
		}
		return nil
	})
	return out, err
}

// sentenceOf tags words.
func (r *namesReader) document(sentences ...[]string) []mention.Sentence {
	var out []mention.Sentence
	for _, words := range sentences {
		out = append(out, mention.Tagged(r.tagger, words))
	}
	r.typer.Read(out)
	return out
}

func (r *namesReader) add(set string, d []mention.Sentence, s, from, to int, n Named) {
	n.Set, n.Name, n.Features = set, strings.ToLower(strings.Join(d[s].Words[from:to], " ")), r.typer.Features(s, from, to)
	r.out = append(r.out, n)
}

// labelled reads sets of tokens with labels. CrossNER says which of a few kinds something is; the sentences of its files do not follow each other.
func (r *namesReader) labelled(data string) error {
	files := []string{uner, "wnut17-train", "wnut17-dev"}
	for _, d := range []string{"ai", "literature", "music", "politics", "science"} {
		files = append(files, "crossner/"+d+"-train", "crossner/"+d+"-dev", "crossner/"+d+"-test")
	}
	for _, f := range files {
		sentences, err := corpus.ReadLabels(filepath.Join(data, "ner", f+".tsv.gz"))
		if err != nil {
			return err
		}
		for _, s := range sentences {
			chunks := corpus.Chunks(0, s.Labels)
			if len(chunks) == 0 {
				continue
			}
			d := r.document(s.Words)
			for _, c := range chunks {
				r.add(f, d, 0, c.From, c.To, Named{Label: c.Type, Complete: !generic[c.Type]})
			}
		}
	}
	return nil
}

// linked reads sets of documents with entities.
func (r *namesReader) linked(data string, h *hierarchy) error {
	for _, f := range []string{"gum-wiki-train", "gum-wiki-dev", "oke-2016-train", "oke-2016-eval"} {
		texts, err := corpus.ReadLinks(filepath.Join(data, "linking", f+".jsonl.gz"))
		if err != nil {
			return err
		}
		for _, text := range texts {
			var tokens [][]sentence.Token
			var words [][]string
			for s := range sentence.Split(text.Text) {
				var w []string
				for _, k := range s.Tokens {
					w = append(w, k.Text)
				}
				tokens, words = append(tokens, slices.Clone(s.Tokens)), append(words, w)
			}
			d := r.document(words...)
			for _, l := range text.Mentions {
				for i := range tokens {
					from, to := name(tokens[i], l.Start, l.End)
					if from >= to || tokens[i][from].Start >= l.End {
						continue
					}
					kinds := h.kinds[l.Entity]
					r.add(f, d, i, from, to, Named{Label: linkLabel(l.Type), Nouns: kinds, Complete: len(kinds) > 0})
					break
				}
			}
		}
	}
	return nil
}

// linkLabel is the label of a mention of OKE that may have several classes: a place that acts is a place.
func linkLabel(t string) string {
	for _, id := range []string{"Q27096213", "Q215627", "Q43229"} {
		if strings.Contains(t, id) {
			return id
		}
	}
	return t
}

// instances reads the instances of WordNet: their gloss is a text in which they could stand ("Einstein, physicist born in Germany ...").
func (r *namesReader) instances(h *hierarchy) error {
	var names []string
	for name, n := range h.nouns.ByName {
		if len(n.InstanceOf) > 0 && slices.ContainsFunc(n.InstanceOf, h.rooted) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		n := h.nouns.ByName[name]
		for _, w := range []string{n.Words[0], n.Words[len(n.Words)-1]}[:min(2, len(n.Words))] {
			title := tokenWords(strings.ReplaceAll(w, "_", " "))
			gloss, _, _ := strings.Cut(n.Gloss, `; "`)
			d := r.document(append(append(slices.Clone(title), ","), tokenWords(gloss)...))
			r.add("wordnet", d, 0, 0, len(title), Named{Nouns: n.InstanceOf, Complete: true})
		}
	}
	return nil
}

func tokenWords(text string) []string {
	var out []string
	for _, t := range sentence.AppendTokens(nil, text, 0, len(text)) {
		out = append(out, t.Text)
	}
	return out
}

// everyFilm is how many films one is read of.
const everyFilm = 9

type film struct {
	Title, Extract string
	Cast           []string
}

func eachFilm(data string, do func(f film)) error {
	return corpus.Lines(filepath.Join(data, "kb", "movies.jsonl.gz"), func(n int, line string) error {
		if n%everyFilm != 0 {
			return nil
		}
		var f film
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			return err
		}
		if f.Extract != "" {
			do(f)
		}
		return nil
	})
}

func (r *namesReader) text(text string) []mention.Sentence {
	var words [][]string
	for s := range sentence.Split(text) {
		var w []string
		for _, k := range s.Tokens {
			w = append(w, k.Text)
		}
		words = append(words, w)
	}
	return r.document(words...)
}

// films reads what extracts call films and who acts in them.
func (r *namesReader) films(data string) error {
	return eachFilm(data, func(f film) {
		known := map[string]string{strings.Join(tokenWords(f.Title), " "): "movie.n.01"}
		for _, c := range f.Cast {
			if strings.Contains(c, " ") {
				known[strings.Join(tokenWords(c), " ")] = "actor.n.01"
			}
		}
		d := r.text(f.Extract)
		each(d, func(key string) bool { return known[key] != "" }, func(s, from, to int, key string) {
			r.add("films", d, s, from, to, Named{Nouns: []string{known[key]}, Complete: known[key] == "movie.n.01"})
		})
	})
}

// longestKnown is the largest number of tokens of a name of the lists.
const longestKnown = 5

// each finds the longest names that are known, from the left.
func each(d []mention.Sentence, known func(string) bool, do func(s, from, to int, key string)) {
	for s := range d {
		w := d[s].Words
		for i := 0; i < len(w); i++ {
			if !capital(w[i]) && !digits(w[i]) {
				continue
			}
			for n := min(longestKnown, len(w)-i); n > 0; n-- {
				if key := strings.Join(w[i:i+n], " "); known(key) {
					do(s, i, i+n, key)
					i += n - 1
					break
				}
			}
		}
	}
}

// listed reads texts in which things of the lists are named: paragraphs of TimeQA, and the extracts of films. Names that lists have as several kinds of things are left out.
func (r *namesReader) listed(data string, h *hierarchy) error {
	lists, err := readLists(data, h)
	if err != nil {
		return err
	}
	take := func(text string) {
		d := r.text(text)
		each(d, func(key string) bool { return len(lists[key]) > 0 }, func(s, from, to int, key string) {
			if r.met[key]++; r.met[key] <= mostOfName {
				r.add("listed", d, s, from, to, Named{Nouns: lists[key], Complete: true})
			}
		})
	}
	if err := eachFilm(data, func(f film) { take(f.Extract) }); err != nil {
		return err
	}
	return corpus.Lines(filepath.Join(data, "facts", "timeqa-train.jsonl.gz"), func(_ int, line string) error {
		var v struct{ Paras []string }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return err
		}
		for i, p := range v.Paras {
			if i%3 == 0 && len(p) > 200 {
				take(p)
			}
		}
		return nil
	})
}

// readLists returns names and what they are: instances of WordNet, clubs and players of football, artists, legislators.
func readLists(data string, h *hierarchy) (map[string][]string, error) {
	lists := map[string][]string{}
	several := map[string]bool{}
	add := func(name string, kinds ...string) {
		key := strings.Join(tokenWords(name), " ")
		if before, ok := lists[key]; ok && !slices.Equal(before, kinds) {
			several[key] = true
		}
		lists[key] = kinds
	}
	for _, name := range sortedNames(h) {
		n := h.nouns.ByName[name]
		for _, w := range n.Words {
			if len(h.nouns.Senses[strings.ToLower(w)]) == 1 && capital(w) && len(w) > 3 {
				add(strings.ReplaceAll(w, "_", " "), n.InstanceOf...)
			}
		}
	}
	kb := func(file string) string { return filepath.Join(data, "kb", file) }
	type club struct {
		Name  string
		Names []struct{ Name string }
	}
	err := cmp.Or(
		corpus.Lines(kb("football-clubs.jsonl.gz"), func(_ int, line string) error {
			var c club
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				return err
			}
			for _, n := range append(c.Names, struct{ Name string }{c.Name}) {
				if strings.Contains(n.Name, " ") {
					add(n.Name, "football_team.n.01")
				}
			}
			return nil
		}),
		corpus.Lines(kb("football-players.tsv.gz"), func(n int, line string) error {
			if name, _, _ := strings.Cut(line, "\t"); n > 1 && strings.Contains(name, " ") {
				add(name, "football_player.n.01")
			}
			return nil
		}),
		corpus.Lines(kb("tate-artists.csv.gz"), func(n int, line string) error {
			c, err := csv.NewReader(strings.NewReader(line)).Read()
			if err != nil || n == 1 || len(c) < 2 {
				return nil // a line of a value that goes on
			}
			if last, first, ok := strings.Cut(c[1], ", "); ok {
				add(first+" "+last, "artist.n.01")
			}
			return nil
		}),
		corpus.Lines(kb("us-legislators-current.jsonl.gz"), func(_ int, line string) error {
			var v struct {
				Name struct {
					Full string `json:"official_full"`
				}
			}
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				return err
			}
			add(v.Name.Full, "politician.n.02")
			return nil
		}),
	)
	for key := range several {
		delete(lists, key)
	}
	return lists, err
}

func sortedNames(h *hierarchy) []string {
	var out []string
	for name, n := range h.nouns.ByName {
		if len(n.InstanceOf) > 0 && slices.ContainsFunc(n.InstanceOf, h.rooted) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Example returns what a name teaches in a taxonomy; false if nothing is known of it there.
func (s *TypeSets) Example(taxonomy string, n Named) (kind.Example, bool) {
	t := s.Taxonomies[taxonomy]
	e := kind.Example{Features: n.Features, Name: n.Name, Complete: n.Complete}
	said, known := s.labels[taxonomy][n.Label]
	known = known && !said.Unknown
	types := slices.Clone(said.Types)
	for _, noun := range n.Nouns {
		for _, a := range s.above[noun] {
			switch taxonomy {
			case kind.WordNet:
				types = append(types, a)
			case kind.FIGER:
				types = append(types, s.figer[a]...)
			}
		}
	}
	for _, name := range types {
		if i, ok := t.Find(name); ok {
			e.Types = append(e.Types, i)
			known = true
		}
	}
	for _, name := range said.Not {
		if i, ok := t.Find(name); ok && !slices.Contains(t.Closed(e.Types), i) {
			e.Not = append(e.Not, i)
		}
	}
	return e, known
}

// Examples returns what all names but some teach in a taxonomy.
func (s *TypeSets) Examples(taxonomy string, but func(Named) bool) []kind.Example {
	var out []kind.Example
	for _, n := range s.Named {
		if but == nil || !but(n) {
			if e, ok := s.Example(taxonomy, n); ok {
				out = append(out, e)
			}
		}
	}
	return out
}

// types makes the files of entity/kind.
func (m *Made) types(data string) error {
	sets, err := ReadTypeSets(data, m.Lexicon, m.Tags)
	if err != nil {
		return err
	}
	for _, name := range kind.Names() {
		t := sets.Taxonomies[name]
		learned, err := kind.Train(t, sets.Examples(name, nil), m.Lexicon, kind.DefaultOptions())
		if err != nil {
			return err
		}
		var text strings.Builder
		if err := t.Write(&text); err != nil {
			return err
		}
		types, count, err := learned.Files()
		if err != nil {
			return err
		}
		for file, content := range map[string][]byte{name + ".txt": []byte(text.String()), name + ".bin": types, name + "-count.bin": count} {
			m.Files[fmt.Sprintf("entity/kind/%s", file)] = content
		}
	}
	return nil
}
