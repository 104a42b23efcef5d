// Package linking measures how well names in texts are linked to entities of a base, on documents of ../shared/data/linking.
//
// Gold is a mention with the id of an item of Wikidata, or with a page of the English Wikipedia. It is *covered* if the base has that entity. Measured are:
//
//	coverage     share of gold that is covered
//	accuracy     of covered gold with two candidates or more: the share that means what it should
//	precision    of what is linked: same place and same entity
//	recall, F1   of all gold, covered or not
//	NIL          gold that is not covered, or is said to be in no base: found where nothing is linked
//
// Where nothing is covered there is nothing to measure, and no figure is given.
package linking

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"varve/entity"
	"varve/entity/base"
	"varve/entity/link"
	"varve/lab/eval"
	"varve/language"
)

// document is a line of a set; places are counted in characters.
type document struct {
	ID       any
	Text     string
	Mentions []struct {
		Start, End int
		QID        string
		Title      string
	}
}

// Result is the figures of a set.
type Result struct {
	Documents  int     `json:"documents"`
	Gold       int     `json:"gold"`                // mentions with an id
	Covered    int     `json:"covered"`             // of these, in the base
	Nil        int     `json:"nil"`                 // gold that the base does not have
	Ambiguous  int     `json:"ambiguous"`           // covered mentions that were looked at, of names with two candidates or more
	Candidates float64 `json:"mean_candidates"`     // of the ambiguous, in the mean
	Reachable  int     `json:"ambiguous_reachable"` // of these, the entity that is meant is a candidate
	Right      int     `json:"ambiguous_right"`     // of the ambiguous
	Found      int     `json:"found"`               // mentions that were linked
	Hits       int     `json:"hits"`                // of these, right
	NilFound   int     `json:"nil_found"`           // mentions of gold that were said to mean nothing in the base
	NilHits    int     `json:"nil_hits"`            // of these, right
	Given      bool    `json:"given_mentions"`      // mentions were given, not found
	// Types are figures of pruning candidates by their types; nil: it was not asked for.
	Types    *Pruned `json:"types,omitempty"`
	Accuracy float64 `json:"ambiguous_accuracy"` // 0 where nothing is measurable
	F1       float64 `json:"f1"`
	NilF1    float64 `json:"nil_f1"`
}

// Measure links the mentions of a set: those that are given, or those that are found in the text. With types, candidates that are of none of the types that a name seems to be are left out (Threshold).
func Measure(ctx context.Context, path string, b *base.Base, given, types bool) (Result, error) {
	r := Result{Given: given}
	var byType *pruning
	if types {
		var err error
		if byType, err = newPruning(); err != nil {
			return r, err
		}
		r.Types = &byType.Pruned
	}
	in, err := eval.Open(path, "")
	if err != nil {
		return r, err
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	analyser := language.New()
	for n := 1; lines.Scan(); n++ {
		var d document
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			return r, fmt.Errorf("%s, line %d: %w", path, n, err)
		}
		if err := r.document(ctx, d, b, analyser, byType); err != nil {
			return r, fmt.Errorf("%s, line %d: %w", path, n, err)
		}
	}
	if r.Documents == 0 {
		return r, fmt.Errorf("%s has no documents", path)
	}
	if r.Ambiguous > 0 {
		r.Candidates /= float64(r.Ambiguous)
		r.Accuracy = float64(r.Right) / float64(r.Ambiguous)
	}
	_, _, r.F1 = eval.F1(r.Hits, r.Found, r.Gold)
	_, _, r.NilF1 = eval.F1(r.NilHits, r.NilFound, r.Nil)
	return r, lines.Err()
}

// gold is who is meant ("" where the base does not have it), how many candidates the name has, and whether one of them is the one.
type gold struct {
	id         string
	candidates int
	reachable  bool
}

func (r *Result) document(ctx context.Context, d document, b *base.Base, a *language.Analyser, byType *pruning) error {
	r.Documents++
	at := offsets(d.Text)
	wanted := map[link.Mention]gold{}
	var mentions []link.Mention
	for _, m := range d.Mentions {
		if m.QID == "" && m.Title == "" || m.Start < 0 || m.End >= len(at) || m.Start >= m.End {
			continue
		}
		place := link.Mention{Start: at[m.Start], End: at[m.End]}
		if _, twice := wanted[place]; twice {
			continue
		}
		id, number, err := find(b, m.QID, m.Title)
		if err != nil {
			return err
		}
		candidates, err := b.Candidates(d.Text[place.Start:place.End])
		if err != nil {
			return err
		}
		reachable := id != "" && slices.ContainsFunc(candidates, func(c base.Candidate) bool { return c.Entity == number })
		wanted[place] = gold{id, len(candidates), reachable}
		mentions = append(mentions, place)
		if id == "" {
			r.Nil++
		}
		if strings.HasPrefix(m.QID, "<NIL") {
			continue
		}
		r.Gold++
		if id != "" {
			r.Covered++
		}
	}
	var doc *language.Document
	if !r.Given || byType != nil {
		var err error
		if doc, err = a.Analyse(ctx, language.Text{Text: d.Text, Language: "en"}, language.Mentions); err != nil {
			return err
		}
	}
	if !r.Given {
		mentions = nil
		for _, m := range doc.Mentions {
			mentions = append(mentions, link.Mention{Start: m.Start, End: m.End})
		}
	}
	settings := link.Default()
	if byType != nil {
		settings.Fits = byType.fits(doc)
		if err := byType.count(b, d.Text, mentions, settings.Fits, func(m link.Mention) string { return wanted[m].id }); err != nil {
			return err
		}
	}
	decisions, err := link.Link(ctx, b, d.Text, mentions, entity.Unknown, settings)
	if err != nil {
		return err
	}
	for _, one := range decisions {
		g, ok := wanted[one.Mention]
		right := ok && g.id != "" && g.id == one.Entity
		if g.id != "" && g.candidates > 1 {
			r.Ambiguous++
			r.Candidates += float64(g.candidates)
			r.Reachable += one01(g.reachable)
			r.Right += one01(right)
		}
		if one.Entity != "" {
			r.Found++
			r.Hits += one01(right)
		} else if ok {
			r.NilFound++
			r.NilHits += one01(g.id == "")
		}
	}
	return nil
}

func one01(b bool) int {
	if b {
		return 1
	}
	return 0
}

// find returns the id and the number that the base has for an item or a page; "" if it has none.
func find(b *base.Base, qid, title string) (string, uint32, error) {
	for _, id := range []string{qid, "enwiki:" + strings.ReplaceAll(title, "_", " ")} {
		n, ok, err := b.Find(id)
		if err != nil {
			return "", 0, err
		}
		if ok {
			e, err := b.Entity(n)
			if err != nil {
				return "", 0, err
			}
			return e.ID, n, nil
		}
	}
	return "", 0, nil
}

// offsets returns the place in bytes of each character, and of the end.
func offsets(text string) []int {
	out := make([]int, 0, len(text)+1)
	for i := range text {
		out = append(out, i)
	}
	return append(out, len(text))
}

// Print implements eval.Report.
func (r Result) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d documents, %d mentions with an entity; the base has %d of them (coverage %.3f), and does not have %d mentions\n", r.Documents, r.Gold, r.Covered, float64(r.Covered)/float64(max(1, r.Gold)), r.Nil)
	if r.Covered == 0 {
		_, err := fmt.Fprintln(w, "not measurable: the base holds none of the entities that are meant")
		return err
	}
	p, recall, f1 := eval.F1(r.Hits, r.Found, r.Gold)
	fmt.Fprintf(w, "precision %.3f, recall %.3f, F1 %.3f; NIL F1 %.3f\n", p, recall, f1, r.NilF1)
	if t := r.Types; t != nil && t.Candidates > 0 {
		fmt.Fprintf(w, "by type at %.1f, of names with two candidates or more: %d of %d candidates left out (%.3f), with what is meant %d of %d times (%.3f)\n", Threshold, t.Out, t.Candidates, float64(t.Out)/float64(t.Candidates), t.Lost, t.Meant, float64(t.Lost)/float64(max(1, t.Meant)))
	}
	if r.Ambiguous == 0 {
		_, err := fmt.Fprintln(w, "accuracy with two candidates or more: not measurable, there are none")
		return err
	}
	_, err := fmt.Fprintf(w, "%d mentions with two candidates or more, %.1f in the mean: accuracy %.3f; the entity that is meant is among the candidates of %d\n", r.Ambiguous, r.Candidates, r.Accuracy, r.Reachable)
	return err
}

// Summary implements eval.Report. Where nothing is measurable it has no figure.
func (r Result) Summary() eval.Summary {
	if r.Covered == 0 {
		return eval.Summary{N: r.Gold}
	}
	p, recall, f1 := eval.F1(r.Hits, r.Found, r.Gold)
	s := eval.Found(r.Gold, p, recall, f1)
	if r.Ambiguous > 0 {
		a := eval.Figure(r.Accuracy)
		s.Accuracy = &a
	}
	return s
}
