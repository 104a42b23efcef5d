// Package name finds by which name a thing was called before, or after, from texts alone: as NEER (Tahmasebi and others 2012), without lists of countries, firms or persons.
//
// # Terms
//
//	name          a phrase that is written as one, in lower case; behind "of" its last part counts as a name too ("President of the Soviet Union")
//	burst         years in which more documents have a name than it always has (burst.go: Kleinberg's automaton, exactly)
//	rise, fall    a year in which a name comes into use, or goes out of it: a step of the automaton, with steps down that cost, too
//	context       what stands in sentences with the name in some years; who writes them; and its frames: longer names that have it as a part ("kingdom of _")
//	direct        co-references: names that share a word, or half of their letters (in threes), so that one can be a form of the other
//	indirect      co-references: names with nothing in common but their contexts, of which one goes when the other comes
//
// # Steps
//
//  1. documents with each name, by year; the rises of each                (first pass)
//  2. the features of its contexts, by year                               (second pass)
//  3. for a rise at year Y: names that were still used in the Options.Gap years before it and hardly after, by the likeness of contexts and by how far they fall
//
// The likeness of two contexts is the cosine of their features, each with the weight (1 + ln n) * ln(N/df), n occurrences, with df of N names; sources, neighbours in lists and frames count twice. With w = Options.Window, a candidate's score is
//
//	score(q, c) = cos(context of q in Y..Y+w-1, context of c in Y-w..Y-1) * fall(c) * rise(q)
//	fall(c) = 1 - rate(c, Y..Y+w-1) / rate(c, Y-w..Y-1)       rise(q) the other way round, both at least 0
//
// # Filters
//
// Former leaves nothing out but persons (by the lexicon and by titles), who follow one another in office, in the same words. What is told without being asked (Renamings) goes through more: both rates must change by
// Options.MinStep, the score must be at least Options.MinScore, each of the two must be the other's best, both must be used in four years of the window and by eight documents, and they must be direct co-references: without
// shared words or letters four of five pairs are wrong (Mozambique and Sierra Leone are talked about in the same words, one after the other). There is no learned filter: it would need more judged pairs than there are.
//
// Cost: two passes, memory by distinct names and by the features of contexts; both are bounded by Options.
package name

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"varve/evolution"
	"varve/language/lexicon"
	"varve/learn/chain"
)

// Options are the thresholds; Default has those that were measured.
type Options struct {
	MinDocuments int     // that have a name
	Window       int     // years of a context
	Gap          int     // years without the old name before the new one
	MinStep      float64 // share that a rate must change by
	MinScore     float64 // of what the filter lets through
	Names        int     // held in memory; beyond, the rarest are dropped
	Features     int     // of contexts, held in memory; others do not count
}

// Default returns the thresholds that were measured.
func Default() Options {
	return Options{MinDocuments: 6, Window: 6, Gap: 4, MinStep: 0.6, MinScore: 0.1, Names: 1 << 20, Features: 1 << 21}
}

// Names are those of a corpus.
type Names struct {
	o        Options
	from     int   // first year
	total    []int // documents by year
	series   map[string]*series
	keys     []string // in order
	features []string
	df       []float64 // of each feature: names that have it
	Dropped  int       // names that were too rare to be held
}

// series is a name by year.
type series struct {
	documents []int
	sum       int
	forms     map[string]int // as it is written
	titled    int            // occurrences behind a title
	rises     []int          // years
	context   []occurrence   // in the order of years
}

// occurrence is a feature of a context.
type occurrence struct {
	year    int32
	feature uint32
}

// Candidate is another name of the same thing.
type Candidate struct {
	Name     string   `json:"name"` // as it is mostly written
	Key      string   `json:"key"`
	Year     int      `json:"year"` // of the change
	Score    float64  `json:"score"`
	Likeness float64  `json:"likeness"` // of contexts
	Step     float64  `json:"step"`     // how far it falls
	Before   int      `json:"before"`   // years of the window that have the old name
	After    int      `json:"after"`    // and the new one
	Support  int      `json:"support"`  // documents in the window with the one or the other, the smaller number
	Direct   bool     `json:"direct"`   // the names share words
	Shared   []string `json:"shared"`   // features of both contexts, those that say most first; @ is a source, + a neighbour in a list
}

// Read finds the names of documents.
func Read(documents evolution.Documents, o Options) (*Names, error) {
	n := &Names{o: o, series: map[string]*series{}}
	if err := n.count(documents); err != nil {
		return nil, err
	}
	n.keys = slices.Sorted(maps.Keys(n.series))
	for _, x := range n.series {
		n.findRises(x)
	}
	return n, n.contexts(documents)
}

// parts yields a name and what stands behind its "of".
func parts(key string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(key) {
			return
		}
		if at := strings.LastIndex(key, " of "); at > 0 {
			yield(strings.TrimPrefix(key[at+4:], "the "))
		}
	}
}

// mostYears is how far the years of documents may lie apart.
const mostYears = 500

// count is the first pass.
func (n *Names) count(documents evolution.Documents) error {
	years := map[int]int{}
	for d, err := range documents() {
		if err != nil {
			return err
		}
		years[d.Year]++
	}
	if len(years) == 0 {
		return nil
	}
	n.from = slices.Min(slices.Collect(maps.Keys(years)))
	last := slices.Max(slices.Collect(maps.Keys(years)))
	if last-n.from >= mostYears { // each name has a number for each year
		return fmt.Errorf("documents are of the years %d to %d: more than %d years cannot be compared, and one of these dates is surely wrong", n.from, last, mostYears)
	}
	n.total = make([]int, last-n.from+1)
	for y, k := range years {
		n.total[y-n.from] = k
	}
	met := map[string]bool{}
	most := n.o.Names
	for d, err := range documents() {
		if err != nil {
			return err
		}
		clear(met)
		for _, s := range d.Sentences {
			for _, p := range s {
				if p.Name == "" {
					continue
				}
				titles, bare := cutTitle(p.Key)
				for key := range parts(bare) {
					x := n.series[key]
					if x == nil {
						x = &series{documents: make([]int, len(n.total)), forms: map[string]int{}}
						n.series[key] = x
					}
					if words := strings.Fields(p.Name); key == bare && len(x.forms) < 8 && len(words) > titles {
						x.forms[strings.ReplaceAll(strings.Join(words[titles:], " "), " - ", "-")]++
					}
					if titles > 0 {
						x.titled++
					}
					if !met[key] {
						met[key] = true
						x.documents[d.Year-n.from]++
						x.sum++
					}
				}
			}
		}
		if len(n.series) > most {
			before := len(n.series)
			maps.DeleteFunc(n.series, func(_ string, x *series) bool { return x.sum == 1 })
			n.Dropped += before - len(n.series)
			most = max(most, 2*len(n.series))
		}
	}
	maps.DeleteFunc(n.series, func(_ string, x *series) bool { return x.sum < n.o.MinDocuments })
	return nil
}

// titles stand before names of persons, and are no part of them.
var titles = map[string]bool{
	"mr.": true, "mrs.": true, "ms.": true, "dr.": true, "sir": true, "lord": true, "president": true, "minister": true, "ambassador": true, "excellency": true, "king": true, "queen": true, "prince": true,
	"prime": true, "foreign": true, "secretary-general": true, "secretary": true, "general": true, "professor": true, "chancellor": true, "premier": true, "comrade": true, "marshal": true, "colonel": true, "his": true, "her": true, "majesty": true, "highness": true,
}

// Titled reports whether a phrase, in lower case, begins with a title: it is a person, or nobody.
func Titled(key string) bool {
	first, _, _ := strings.Cut(key, " ")
	return titles[first] && first != "general" && first != "foreign" && first != "prime" || first == "madam"
}

// cutTitle takes titles from the beginning of a name, if a name is left, and returns how many.
func cutTitle(key string) (cut int, bare string) {
	words := strings.Split(key, " ")
	i := 0
	for i < len(words) && titles[words[i]] {
		i++
	}
	// "general assembly", "foreign ministers" and "prime number" are no persons
	if i == len(words) || i > 0 && words[i] == "of" || i == 1 && (words[0] == "general" || words[0] == "foreign" || words[0] == "prime") {
		i = 0
	}
	return i, strings.Join(words[i:], " ")
}

// findRises finds the years in which a name begins to be used four times as much or more, by enough documents. The base of its automaton is 1/64 of its usual rate, which is that of the years that have it.
func (n *Names) findRises(x *series) {
	r, d := 0, 0
	for i, k := range x.documents {
		if k > 0 {
			r, d = r+k, d+n.total[i]
		}
	}
	a := Automaton{Base: float64(r) / float64(max(1, d)) / 64, Scale: 4, States: 4, Up: 1, Down: 1}
	states, _ := a.Decode(x.documents, n.total)
	for i := 1; i < len(states); i++ {
		if y := n.from + i; states[i] > states[i-1] && n.rise(x, y) >= n.o.MinStep && n.documents(x, y, y+n.o.Window) >= n.o.MinDocuments/2 {
			x.rises = append(x.rises, y)
		}
	}
}

// rise and fall are by how much the rate of a name changes in a year, as shares.
func (n *Names) rise(x *series, year int) float64 {
	return step(n.rate(x, year-n.o.Window, year), n.rate(x, year, year+n.o.Window))
}

func (n *Names) fall(x *series, year int) float64 {
	return step(n.rate(x, year, year+n.o.Window), n.rate(x, year-n.o.Window, year))
}

func step(low, high float64) float64 {
	if high <= low {
		return 0
	}
	return 1 - low/high
}

// documents counts those with a name in some years.
func (n *Names) documents(x *series, from, to int) (sum int) {
	for y := max(from, n.from); y < min(to, n.from+len(n.total)); y++ {
		sum += x.documents[y-n.from]
	}
	return sum
}

// rate is the share of the documents of some years that have a name.
func (n *Names) rate(x *series, from, to int) float64 {
	r, d := 0, 0
	for y := max(from, n.from); y < min(to, n.from+len(n.total)); y++ {
		r, d = r+x.documents[y-n.from], d+n.total[y-n.from]
	}
	return float64(r) / float64(max(1, d))
}

// contexts is the second pass.
func (n *Names) contexts(documents evolution.Documents) error {
	at := map[string]uint32{}
	for d, err := range documents() {
		if err != nil {
			return err
		}
		for _, s := range d.Sentences {
			for i, p := range s {
				if p.Name == "" {
					continue
				}
				_, bare := cutTitle(p.Key)
				for key := range parts(bare) {
					x := n.series[key]
					if x == nil {
						continue
					}
					for f := range features(d, s, i, key, bare) {
						id, ok := at[f]
						if !ok {
							if len(at) >= n.o.Features {
								continue
							}
							id = uint32(len(at))
							at[f] = id
							n.features = append(n.features, f)
						}
						x.context = append(x.context, occurrence{int32(d.Year), id})
					}
				}
			}
		}
	}
	n.df = make([]float64, len(n.features))
	met := make([]string, len(n.features))
	for key, x := range n.series {
		for _, o := range x.context {
			if met[o.feature] != key {
				met[o.feature] = key
				n.df[o.feature]++
			}
		}
		slices.SortStableFunc(x.context, func(a, b occurrence) int { return cmp.Compare(a.year, b.year) })
	}
	return nil
}

// features yields what stands around a name in a sentence.
func features(d *evolution.Document, s evolution.Sentence, at int, key, whole string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if d.Source != "" && !yield("@"+d.Source) {
			return
		}
		if whole != key && !yield(strings.Replace(whole, key, "_", 1)) {
			return
		}
		for i, p := range s {
			if i == at || strings.Contains(p.Key, key) {
				continue
			}
			if !yield(p.Key) {
				return
			}
			// beside it in a list: of the same kind
			if (i == at+1 && p.Listed || i == at-1 && s[at].Listed) && !yield("+"+p.Key) {
				return
			}
		}
	}
}

// context is the features of a name in some years and their weights, in the order of features, so that sums over them are the same in every run.
type context struct {
	features []uint32
	weights  []float64
	norm     float64
}

func (n *Names) context(x *series, from, to int) context {
	begin, _ := slices.BinarySearchFunc(x.context, int32(from), func(o occurrence, y int32) int { return cmp.Compare(o.year, y) })
	var all []uint32
	for _, o := range x.context[begin:] {
		if int(o.year) >= to {
			break
		}
		all = append(all, o.feature)
	}
	slices.Sort(all)
	var c context
	sum := 0.0
	for i := 0; i < len(all); {
		f, k := all[i], 0
		for i < len(all) && all[i] == f {
			i, k = i+1, k+1
		}
		w := (1 + math.Log(float64(k))) * math.Log(float64(len(n.series)+1)/n.df[f])
		if name := n.features[f]; name[0] == '@' || name[0] == '+' || strings.Contains(name, "_") {
			w *= 2
		}
		c.features, c.weights = append(c.features, f), append(c.weights, w)
		sum += w * w
	}
	c.norm = math.Sqrt(sum)
	return c
}

// common yields the features of both contexts in their order, and the product of their weights. Few are looked up in many.
func common(a, b context) iter.Seq2[uint32, float64] {
	return func(yield func(uint32, float64) bool) {
		if len(a.features) > len(b.features) {
			a, b = b, a
		}
		from := 0
		for i, f := range a.features {
			at, ok := slices.BinarySearch(b.features[from:], f)
			if from += at; ok && !yield(f, a.weights[i]*b.weights[from]) {
				return
			}
		}
	}
}

// likeness is the cosine of two contexts.
func likeness(a, b context) float64 {
	sum := 0.0
	for _, w := range common(a, b) {
		sum += w
	}
	return sum / max(1e-9, a.norm*b.norm)
}

// shared returns the features that say most for two contexts being alike.
func (n *Names) shared(a, b context) []string {
	type feature struct {
		name   string
		weight float64
	}
	var both []feature
	for f, w := range common(a, b) {
		both = append(both, feature{n.features[f], w})
	}
	slices.SortFunc(both, func(x, y feature) int { return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.name, y.name)) })
	out := []string{}
	for _, f := range both[:min(8, len(both))] {
		out = append(out, f.name)
	}
	return out
}

// years counts those that have a name.
func (n *Names) years(x *series, from, to int) (sum int) {
	for y := max(from, n.from); y < min(to, n.from+len(n.total)); y++ {
		sum += min(1, x.documents[y-n.from])
	}
	return sum
}

// falling returns the names that fall in a year: hardly used from it on, and still used shortly before.
func (n *Names) falling(year int) (out []string) {
	for _, key := range n.keys {
		x := n.series[key]
		if n.fall(x, year) >= n.o.MinStep && n.documents(x, year-n.o.Window, year) >= n.o.MinDocuments/3 && n.documents(x, year-n.o.Gap, year) > 0 {
			out = append(out, key)
		}
	}
	return out
}

// Former returns names that a thing may have had before it had this one, the likeliest first.
func (n *Names) Former(name string) []Candidate {
	key := strings.ToLower(name)
	x := n.series[key]
	if x == nil {
		return nil
	}
	best := map[string]Candidate{}
	person := n.person(key) // is never called what a thing is called, nor the other way round
	for _, year := range x.rises {
		q := n.context(x, year, year+n.o.Window)
		for _, old := range n.falling(year) {
			if old == key || n.person(old) != person {
				continue
			}
			if c := n.candidate(key, old, year, q, n.context(n.series[old], year-n.o.Window, year)); c.Score > best[old].Score {
				best[old] = c
			}
		}
	}
	return slices.SortedFunc(maps.Values(best), func(a, b Candidate) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key)) })
}

// candidate scores an old name by the contexts of both.
func (n *Names) candidate(key, old string, year int, q, c context) Candidate {
	x := n.series[old]
	out := Candidate{Name: x.form(old), Key: old, Year: year, Likeness: likeness(q, c), Step: n.fall(x, year), Direct: direct(key, old), Shared: n.shared(q, c)}
	out.Score = out.Likeness * out.Step * n.rise(n.series[key], year)
	out.Before, out.After = n.years(x, year-n.o.Window, year), n.years(n.series[key], year, year+n.o.Window)
	out.Support = min(n.documents(x, year-n.o.Window, year), n.documents(n.series[key], year, year+n.o.Window))
	return out
}

func (x *series) form(key string) string {
	best := key
	for f, k := range x.forms {
		if k > x.forms[best] || k == x.forms[best] && f < best {
			best = f
		}
	}
	return best
}

// direct reports whether two names share a word of four letters or more, or half of their letters.
func direct(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	return slices.ContainsFunc(x, func(w string) bool { return len(w) >= 4 && slices.Contains(y, w) }) || alike(a, b) >= 0.5
}

// alike is how many of their letters, three in a row, two names share (Dice); hyphens are blanks.
func alike(a, b string) float64 {
	x, y := threes(a), threes(b)
	both := 0
	for t := range x {
		if y[t] {
			both++
		}
	}
	return 2 * float64(both) / float64(max(1, len(x)+len(y)))
}

func threes(name string) map[string]bool {
	name = " " + strings.ReplaceAll(name, "-", " ") + " "
	out := map[string]bool{}
	for i := 0; i+3 <= len(name); i++ {
		out[name[i:i+3]] = true
	}
	return out
}

// ordinals tell things of one kind apart: the fourth conference did not become the sixth.
var ordinals = map[string]bool{"first": true, "second": true, "third": true, "fourth": true, "fifth": true, "sixth": true, "seventh": true, "eighth": true, "ninth": true, "tenth": true}

// renamed reports whether the filters let a pair through.
func (n *Names) renamed(key string, c Candidate) bool {
	x, y := strings.Fields(key), strings.Fields(c.Key)
	numbered := func(w string) bool { return ordinals[w] }
	cut := !slices.ContainsFunc(x, func(w string) bool { return !slices.Contains(y, w) }) // the new name is a part of the old
	return c.Direct && c.Before >= 4 && c.After >= 4 && c.Support >= 8 && !cut && !slices.ContainsFunc(x, numbered) && !slices.ContainsFunc(y, numbered)
}

// person reports whether a name is that of a person: it is often behind a title, or begins with a first name that is no place.
func (n *Names) person(key string) bool {
	x := n.series[key]
	if 10*x.titled > x.sum {
		return true
	}
	first, rest, ok := strings.Cut(key, " ")
	bits := lexicon.Default().Name(chain.Hash(first))
	whole := lexicon.Default().Name(chain.Hash(key))
	return ok && rest != "" && bits&lexicon.FirstName != 0 && whole&(lexicon.Place|lexicon.LargePlace|lexicon.OrganisationName) == 0
}

// Renaming is two names of one thing.
type Renaming struct {
	Old string `json:"old"`
	New string `json:"new"`
	Candidate
}

// Renamings returns what the filters let through, in the order of years.
func (n *Names) Renamings() []Renaming {
	type pair struct {
		key, old string
		year     int
		score    float64
	}
	rising := map[int][]string{}
	for _, key := range n.keys {
		for _, y := range n.series[key].rises {
			if !n.person(key) {
				rising[y] = append(rising[y], key)
			}
		}
	}
	byNew, byOld := map[string]pair{}, map[string]pair{}
	for year, keys := range rising {
		old := slices.DeleteFunc(n.falling(year), n.person)
		before := make([]context, len(old))
		for i, o := range old {
			before[i] = n.context(n.series[o], year-n.o.Window, year)
		}
		for _, key := range keys {
			q := n.context(n.series[key], year, year+n.o.Window)
			rise := n.rise(n.series[key], year)
			for i, o := range old {
				p := pair{key, o, year, likeness(q, before[i]) * n.fall(n.series[o], year) * rise}
				if p.score > byNew[key].score || p.score == byNew[key].score && year < byNew[key].year {
					byNew[key] = p
				}
				if p.score > byOld[o].score || p.score == byOld[o].score && year < byOld[o].year {
					byOld[o] = p
				}
			}
		}
	}
	var out []Renaming
	for _, key := range n.keys {
		p := byNew[key]
		if p.score < n.o.MinScore || byOld[p.old] != p {
			continue
		}
		c := n.candidate(key, p.old, p.year, n.context(n.series[key], p.year, p.year+n.o.Window), n.context(n.series[p.old], p.year-n.o.Window, p.year))
		if n.renamed(key, c) {
			out = append(out, Renaming{Old: c.Name, New: n.series[key].form(key), Candidate: c})
		}
	}
	slices.SortStableFunc(out, func(a, b Renaming) int { return cmp.Compare(a.Year, b.Year) })
	return out
}
