// Package newnames measures whether names that no base knows are found again as one cluster each (varve/entity/emerging).
//
// The set is films: actors who stand in the extracts of at least Least films are held out of the base, so their names have no entry. In each extract that names one in full, the name is an occurrence of the actor; in half of
// the extracts (those whose title has an even hash) it is cut to the last name, which others share. Context is the words around it, and the other names of the cast that the extract has, cut likewise. Clusters are compared with
// the actors by B-cubed (Bagga and Baldwin 1998): the precision of an occurrence is the share of its cluster that is of its actor, its recall the share of its actor that is in its cluster.
//
// Worked example: actors A A B in clusters {A A B}: precision (2/3 + 2/3 + 1/3)/3, recall 1.
package newnames

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"varve/entity"
	"varve/entity/emerging"
	"varve/lab/eval"
	"varve/lab/eval/corpus"
	"varve/learn/chain"
	"varve/text/token"
)

// Result is what was measured.
type Result struct {
	Things      int     `json:"things"` // held out
	N           int     `json:"occurrences"`
	Short       int     `json:"short"` // of them, by the last name alone
	Clusters    int     `json:"clusters"`
	Whole       int     `json:"whole"` // things that are one cluster and nothing else
	Precision   float64 `json:"precision"`
	Recall      float64 `json:"recall"`
	F1          float64 `json:"f1"`
	SameName    Share   `json:"same_name"`  // clusters are names as they are written
	OneByOne    Share   `json:"one_by_one"` // every occurrence by itself
	Ambiguous   int     `json:"ambiguous"`  // occurrences of a last name that several things have
	OnAmbiguous Share   `json:"on_ambiguous"`
}

// Share is precision, recall and F1.
type Share struct {
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// BCubed compares clusters with gold, one value of each for every occurrence; only those of which count is true are counted (nil: all).
func BCubed[C, G comparable](clusters []C, gold []G, count func(i int) bool) Share {
	both, inCluster, inGold := map[struct {
		c C
		g G
	}]int{}, map[C]int{}, map[G]int{}
	for i := range clusters {
		both[struct {
			c C
			g G
		}{clusters[i], gold[i]}]++
		inCluster[clusters[i]]++
		inGold[gold[i]]++
	}
	var p, r, n float64
	for i := range clusters {
		if count != nil && !count(i) {
			continue
		}
		same := float64(both[struct {
			c C
			g G
		}{clusters[i], gold[i]}])
		p += same / float64(inCluster[clusters[i]])
		r += same / float64(inGold[gold[i]])
		n++
	}
	s := Share{p / max(1, n), r / max(1, n), 0}
	if p+r > 0 {
		s.F1 = 2 * s.Precision * s.Recall / (s.Precision + s.Recall)
	}
	return s
}

type film struct {
	Title, Extract string
	Year           int
	Cast           []string
}

// occurrences makes the set.
func occurrences(films []film, least int) (list []emerging.Occurrence, gold []string) {
	named := map[string]int{}
	in := func(f film) (out []string) {
		for _, c := range f.Cast {
			if strings.Contains(c, " ") && strings.Contains(f.Extract, c) && !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
		return out
	}
	for _, f := range films {
		for _, c := range in(f) {
			named[c]++
		}
	}
	for k, f := range films {
		cast := in(f)
		short := chain.Mix(3, chain.Hash(f.Title))%2 == 0
		called := func(c string) string {
			if short {
				return c[strings.LastIndexByte(c, ' ')+1:]
			}
			return c
		}
		words := contentWords(f.Extract, cast)
		for _, c := range cast {
			if named[c] < least {
				continue
			}
			o := emerging.Occurrence{Document: fmt.Sprintf("%06d", k), Time: time.Date(f.Year, 1, 1, 0, 0, 0, 0, time.UTC), Name: called(c), Type: "PER", Count: 1, Words: words}
			for _, other := range cast {
				if key := entity.Key(called(other)); other != c && key != entity.Key(o.Name) {
					o.With = append(o.With, key)
				}
			}
			list, gold = append(list, o), append(gold, c)
		}
	}
	return list, gold
}

func contentWords(text string, without []string) (out []string) {
	for _, w := range without {
		text = strings.ReplaceAll(text, w, " ")
	}
	for w := range token.Words(text) {
		if r, _ := utf8.DecodeRuneInString(w.Text); unicode.IsLower(r) && utf8.RuneCountInString(w.Text) > 3 {
			out = append(out, w.Text)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Options say what is held out.
type Options struct {
	Films int // to read, of odd or of even number
	Even  bool
	Least int // films that must name a thing
}

// Measure clusters the names of the films of a file.
func Measure(ctx context.Context, file string, o Options) (Result, error) {
	var films []film
	err := corpus.Lines(file, func(n int, line string) error {
		if (n%2 == 0) != o.Even || len(films) == o.Films {
			return nil
		}
		var f film
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			return err
		}
		if f.Extract != "" {
			films = append(films, f)
		}
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	list, gold := occurrences(films, o.Least)
	if len(list) == 0 {
		return Result{}, fmt.Errorf("no name stands in the extracts of %d films", o.Least)
	}
	clusters, err := emerging.Clusters(ctx, list, emerging.Default())
	if err != nil {
		return Result{}, err
	}
	return judge(list, gold, clusters), nil
}

func judge(list []emerging.Occurrence, gold []string, clusters []emerging.Cluster) Result {
	type place struct{ document, name string }
	of := map[place]int{}
	for i, c := range clusters {
		for _, x := range c.Occurrences {
			of[place{x.Document, x.Name}] = i
		}
	}
	found, names, alone := make([]int, len(list)), make([]string, len(list)), make([]int, len(list))
	things, last := map[string]map[int]bool{}, map[string]map[string]bool{}
	owners := map[int]map[string]bool{}
	r := Result{N: len(list), Clusters: len(clusters)}
	for i, x := range list {
		found[i], names[i], alone[i] = of[place{x.Document, x.Name}], x.Name, i
		if things[gold[i]] == nil {
			things[gold[i]] = map[int]bool{}
		}
		things[gold[i]][found[i]] = true
		if owners[found[i]] == nil {
			owners[found[i]] = map[string]bool{}
		}
		owners[found[i]][gold[i]] = true
		end := x.Name[strings.LastIndexByte(x.Name, ' ')+1:]
		if last[end] == nil {
			last[end] = map[string]bool{}
		}
		last[end][gold[i]] = true
		if end == x.Name {
			r.Short++
		}
	}
	r.Things = len(things)
	for _, in := range things {
		for c := range in {
			if len(in) == 1 && len(owners[c]) == 1 {
				r.Whole++
			}
		}
	}
	s := BCubed(found, gold, nil)
	r.Precision, r.Recall, r.F1 = s.Precision, s.Recall, s.F1
	r.SameName, r.OneByOne = BCubed(names, gold, nil), BCubed(alone, gold, nil)
	ambiguous := func(i int) bool { return len(last[names[i][strings.LastIndexByte(names[i], ' ')+1:]]) > 1 }
	for i := range list {
		if ambiguous(i) {
			r.Ambiguous++
		}
	}
	r.OnAmbiguous = BCubed(found, gold, ambiguous)
	return r
}

// Summary implements eval.Report.
func (r Result) Summary() eval.Summary { return eval.Found(r.N, r.Precision, r.Recall, r.F1) }

// Baseline implements eval.Compared.
func (r Result) Baseline() (way string, figure float64) {
	return "names as they are written", r.SameName.F1
}

// Print writes a table.
func (r Result) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, `%d things that the base does not know, %d occurrences (%d by the last name alone), %d clusters; %d things are one cluster and nothing else
%-42s %9s %7s %7s
%-42s %9.3f %7.3f %7.3f
%-42s %9.3f %7.3f %7.3f
%-42s %9.3f %7.3f %7.3f
%-42s %9.3f %7.3f %7.3f
`,
		r.Things, r.N, r.Short, r.Clusters, r.Whole, "B-cubed", "precision", "recall", "F1",
		"clusters", r.Precision, r.Recall, r.F1,
		fmt.Sprintf("  of last names that several have (%d)", r.Ambiguous), r.OnAmbiguous.Precision, r.OnAmbiguous.Recall, r.OnAmbiguous.F1,
		"names as they are written", r.SameName.Precision, r.SameName.Recall, r.SameName.F1,
		"each occurrence by itself", r.OneByOne.Precision, r.OneByOne.Recall, r.OneByOne.F1)
	return err
}
