package models

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"varve/entity/kind"
	"varve/lab/eval/corpus"
)

// roots of the taxonomy of WordNet, in the order of HYENA.
var roots = []string{"person.n.01", "location.n.01", "organization.n.01", "event.n.01", "artifact.n.01"}

// perRoot is how many types of each root are taken, the most populated ones.
const perRoot = 100

// moreAbove are edges that WordNet does not have and people expect: waters, mountains and stars are places that one can be at, and what people write is made by them.
var moreAbove = map[string]string{
	"body_of_water.n.01": "location.n.01", "geological_formation.n.01": "location.n.01", "land.n.04": "location.n.01", "celestial_body.n.01": "location.n.01",
	"musical_composition.n.01": "creation.n.02", "song.n.01": "creation.n.02", "writing.n.02": "creation.n.02", "software.n.01": "creation.n.02", "album.n.01": "creation.n.02", "conference.n.01": "event.n.01",
	"broadcast.n.02": "creation.n.02",
}

// hierarchy is the nouns of WordNet with the edges above, and how many things are known to be of each kind.
type hierarchy struct {
	nouns *corpus.Nouns
	above map[string][]string // all ancestors of a noun and itself, ordered
	many  map[string]int
	kinds map[string][]string // entity of Wikidata: nouns
}

// readHierarchy reads WordNet and counts the things of each kind: instances of WordNet, and entities of CoDEx whose class or occupation is called as a noun is.
func readHierarchy(data string) (*hierarchy, error) {
	nouns, err := corpus.ReadNouns(filepath.Join(data, "kb", "wordnet-3.0.tar.gz"))
	if err != nil {
		return nil, err
	}
	h := &hierarchy{nouns: nouns, above: map[string][]string{}, many: map[string]int{}}
	for name := range nouns.ByName {
		h.climb(name)
	}
	for _, n := range nouns.ByName {
		if len(n.InstanceOf) > 0 {
			h.count(n.InstanceOf)
		}
	}
	if h.kinds, err = h.readKinds(data); err != nil {
		return nil, err
	}
	for _, list := range h.kinds {
		h.count(list)
	}
	return h, nil
}

func (h *hierarchy) climb(name string) []string {
	if list, ok := h.above[name]; ok {
		return list
	}
	n := h.nouns.ByName[name]
	if n == nil {
		return nil
	}
	set := map[string]bool{name: true}
	up := n.Above
	if more := moreAbove[name]; more != "" {
		up = append(slices.Clone(up), more)
	}
	for _, u := range up {
		for _, a := range h.climb(u) {
			set[a] = true
		}
	}
	h.above[name] = slices.Sorted(maps.Keys(set))
	return h.above[name]
}

// count counts one thing of some kinds.
func (h *hierarchy) count(kinds []string) {
	set := map[string]bool{}
	for _, k := range kinds {
		for _, a := range h.above[k] {
			set[a] = true
		}
	}
	for a := range set {
		h.many[a]++
	}
}

// rooted reports whether a noun is below a root.
func (h *hierarchy) rooted(name string) bool {
	return slices.ContainsFunc(h.above[name], func(a string) bool { return slices.Contains(roots, a) })
}

// called returns the commonest sense of a phrase that is below a root; "" if there is none.
func (h *hierarchy) called(phrase string) string {
	for _, name := range h.nouns.Senses[strings.ToLower(strings.ReplaceAll(phrase, " ", "_"))] {
		if h.rooted(name) && len(h.nouns.ByName[name].InstanceOf) == 0 {
			return name
		}
	}
	return ""
}

// readKinds returns the nouns that entities of CoDEx are, by their classes and, of persons, by their occupations (P106).
func (h *hierarchy) readKinds(data string) (map[string][]string, error) {
	var classes map[string][]string
	var labels map[string]struct{ Label string }
	for file, to := range map[string]any{"entity2types.json.gz": &classes, "types-en.json.gz": &labels} {
		var b bytes.Buffer
		if err := corpus.Lines(filepath.Join(data, "kb", "codex", file), func(_ int, line string) error {
			b.WriteString(line + "\n")
			return nil
		}); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(b.Bytes(), to); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	noun := map[string]string{"Q5": "person.n.01"}
	for id, l := range labels {
		if noun[id] == "" {
			noun[id] = h.called(l.Label)
		}
	}
	out := map[string][]string{}
	add := func(id, class string) {
		if n := noun[class]; n != "" && !slices.Contains(out[id], n) {
			out[id] = append(out[id], n)
		}
	}
	for id, list := range classes {
		if !slices.Contains(list, "Q28640") { // professions are no things that texts name
			for _, c := range list {
				add(id, c)
			}
		}
	}
	for _, part := range []string{"train", "valid", "test"} {
		if err := corpus.Lines(filepath.Join(data, "kb", "codex", "codex-m-"+part+".tsv.gz"), func(_ int, line string) error {
			if c := strings.Split(line, "\t"); len(c) == 3 && c[1] == "P106" {
				if label, ok := occupations[c[2]]; ok {
					if n := h.called(label); n != "" && !slices.Contains(out[c[0]], n) {
						out[c[0]] = append(out[c[0]], n)
					}
				} else {
					add(c[0], c[2])
				}
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// occupations are those that CoDEx has no label for.
var occupations = map[string]string{
	"Q33999": "actor", "Q10800557": "actor", "Q82955": "politician", "Q36180": "writer", "Q177220": "singer", "Q639669": "musician", "Q36834": "composer", "Q6625963": "novelist", "Q49757": "poet",
	"Q1028181": "painter", "Q937857": "football player", "Q201788": "historian", "Q170790": "mathematician", "Q169470": "physicist", "Q593644": "chemist", "Q864503": "biologist", "Q4964182": "philosopher",
	"Q2526255": "film director", "Q3282637": "film producer", "Q28389": "screenwriter", "Q1930187": "journalist", "Q40348": "lawyer", "Q39631": "physician", "Q1622272": "professor", "Q901": "scientist", "Q42973": "architect",
	"Q1281618": "sculptor", "Q214917": "playwright", "Q333634": "translator", "Q188094": "economist", "Q193391": "diplomat", "Q189290": "officer", "Q81096": "engineer", "Q10798782": "actor", "Q11063": "astronomer",
}

// Taxonomy makes the taxonomy of WordNet: of each root the kinds that most things are of, and those that are asked for, with the edges that are left between them.
func Taxonomy(h *hierarchy, asked []string) (*kind.Taxonomy, error) {
	taken := map[string]bool{}
	for _, r := range roots {
		var below []string
		for name, list := range h.above {
			if h.many[name] > 0 && slices.Contains(list, r) && name != r && len(h.nouns.ByName[name].InstanceOf) == 0 {
				below = append(below, name)
			}
		}
		slices.SortFunc(below, func(a, b string) int { return cmp.Or(h.many[b]-h.many[a], strings.Compare(a, b)) })
		taken[r] = true
		for _, b := range below[:min(len(below), perRoot)] {
			taken[b] = true
		}
	}
	for _, a := range asked {
		if !h.rooted(a) {
			return nil, fmt.Errorf("%s is below none of the roots", a)
		}
		taken[a] = true
	}
	var list []kind.Type
	for name := range taken {
		n := h.nouns.ByName[name]
		if n == nil {
			return nil, fmt.Errorf("WordNet has no %s", name)
		}
		t := kind.Type{Name: name, Label: strings.ReplaceAll(n.Words[0], "_", " "), Gloss: shortGloss(n.Gloss)}
		for _, a := range h.above[name] {
			if a == name || !taken[a] || slices.Contains(roots, name) {
				continue
			}
			between := slices.ContainsFunc(h.above[name], func(b string) bool { return b != name && b != a && taken[b] && slices.Contains(h.above[b], a) })
			if !between {
				t.Parents = append(t.Parents, a)
			}
		}
		list = append(list, t)
	}
	return kind.NewTaxonomy("wordnet", list, roots)
}

// shortGloss is the definition without examples, and not long.
func shortGloss(gloss string) string {
	gloss, _, _ = strings.Cut(gloss, `; "`)
	gloss = strings.TrimSpace(gloss)
	if len(gloss) > 90 {
		gloss = strings.TrimSpace(gloss[:strings.LastIndexByte(gloss[:90], ' ')]) + " ..."
	}
	return gloss
}

// Figer makes FIGER's taxonomy of the targets of figer-types.map: a type is below that whose path its own begins with.
func Figer(data string) (*kind.Taxonomy, error) {
	set := map[string]bool{}
	if err := corpus.Lines(filepath.Join(data, "typing", "figer-types.map"), func(_ int, line string) error {
		if _, to, ok := strings.Cut(line, "\t"); ok {
			set[strings.TrimSpace(to)] = true
		}
		return nil
	}); err != nil {
		return nil, err
	}
	var list []kind.Type
	var tops []string
	for name := range set {
		at := strings.LastIndexByte(name, '/')
		t := kind.Type{Name: name, Label: strings.ReplaceAll(name[at+1:], "_", " ")}
		if up := name[:max(at, 0)]; set[up] {
			t.Parents = []string{up}
		} else {
			tops = append(tops, name)
		}
		list = append(list, t)
	}
	slices.Sort(tops)
	return kind.NewTaxonomy("figer", list, tops)
}
