// Package events measures how well events are found, on 300 sentences of treebanks that a person labelled before there was an extractor (labels.tsv, which tells
// how). A third of them, chosen by hash, was looked at while the rules were written; what counts is the rest.
//
// Texts go the whole way, from characters to events, and what is found is compared by its place: a trigger is the word at its place, and a role is right if the last word of what
// fills it lies in what people marked. Beside it stands a plain way: a verb is an event if its lemma is a trigger of the development third, the nearest name before it is who, the nearest
// behind it whom.
package events

import (
	"context"
	"crypto/sha256"
	_ "embed" // the labels
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"varve/lab/eval"
	"varve/lab/eval/conllu"
	"varve/lab/eval/corpus"
	"varve/lab/eval/cpu"
	"varve/language"
	"varve/language/sentence"
)

//go:embed labels.tsv
var labels string

// roles are the roles, in the order of the columns.
var roles = [...]string{"who", "whom", "when", "where"}

// span is a run of words of a sentence, from 0, the end excluded.
type span struct{ from, to int }

// label is an event as people or programs tell it.
type label struct {
	trigger int
	class   string
	roles   [len(roles)][]span
	step    int // of confidence
}

// Sentence is a labelled sentence.
type Sentence struct {
	set, id string
	events  []label // one for each trigger, in the order of the file
}

// Labels returns the labelled sentences. An event of several lines is one.
func Labels() ([]Sentence, error) { return parse(labels) }

func parse(text string) ([]Sentence, error) {
	var out []Sentence
	at := map[[2]string]int{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		col := strings.Split(line, "\t")
		if len(col) != 2 && len(col) != 8 {
			return nil, fmt.Errorf("line %d has %d columns, want 2 or 8", n, len(col))
		}
		key := [2]string{col[0], col[1]}
		i, met := at[key]
		if !met {
			i = len(out)
			at[key] = i
			out = append(out, Sentence{set: col[0], id: col[1]})
		}
		if len(col) == 2 {
			continue
		}
		trigger, err := strconv.Atoi(col[2])
		if err != nil || trigger < 1 {
			return nil, fmt.Errorf("line %d: %q is no word", n, col[2])
		}
		s := &out[i]
		j := slices.IndexFunc(s.events, func(e label) bool { return e.trigger == trigger-1 })
		if j < 0 {
			j = len(s.events)
			s.events = append(s.events, label{trigger: trigger - 1, class: col[3]})
		}
		for r := range roles {
			if col[4+r] == "_" {
				continue
			}
			from, to, ok := strings.Cut(col[4+r], "-")
			if !ok {
				to = from
			}
			a, err1 := strconv.Atoi(from)
			b, err2 := strconv.Atoi(to)
			if err := errors.Join(err1, err2); err != nil || a < 1 || b < a {
				return nil, fmt.Errorf("line %d: %q are no words", n, col[4+r])
			}
			if have := &s.events[j].roles[r]; !slices.Contains(*have, span{a - 1, b}) {
				*have = append(*have, span{a - 1, b})
			}
		}
	}
	return out, nil
}

// development reports whether a sentence is of the third that rules were written with.
func (s *Sentence) development() bool {
	sum := sha256.Sum256([]byte("events " + s.id))
	return binary.BigEndian.Uint64(sum[:])%3 == 0
}

// Figures are those of one kind of answer.
type Figures struct {
	N         int     `json:"n"` // that people marked
	F1        float64 `json:"f1"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	right     int
	found     int
}

func (f *Figures) settle() { f.Precision, f.Recall, f.F1 = eval.F1(f.right, f.found, f.N) }

// Scores are the figures of one way on some sentences.
type Scores struct {
	Triggers Figures `json:"triggers"`
	Classes  Figures `json:"classes"` // trigger and class
	Who      Figures `json:"who"`
	Whom     Figures `json:"whom"`
	When     Figures `json:"when"`
	Where    Figures `json:"where"`
	Roles    Figures `json:"roles"`  // the four together
	Actors   Figures `json:"actors"` // events with trigger, class, who and whom as people have them
	Events   Figures `json:"events"` // and when and where
}

func (s *Scores) all() []*Figures {
	return []*Figures{&s.Triggers, &s.Classes, &s.Who, &s.Whom, &s.When, &s.Where, &s.Roles, &s.Actors, &s.Events}
}

// Part is what was measured on some sentences.
type Part struct {
	Name      string `json:"name"`
	Sentences int    `json:"sentences"`
	Found     Scores `json:"found"`
	Plain     Scores `json:"plain"`
	// Sure are the triggers found by their confidence: below 0.5, below 0.7, below 0.8, and above.
	Sure [4]Sure `json:"sure"`
}

// Sure counts the triggers of one step of confidence, and those that are right.
type Sure struct {
	Found int `json:"found"`
	Right int `json:"right"`
}

// Result is what was measured. The first part is the one that counts.
type Result struct {
	Parts    []Part  `json:"parts"`
	Speed    float64 `json:"tokens_per_cpu_second"` // of finding events, with tokens, tags, names and times known
	Splitter float64 `json:"splitter_tokens_per_cpu_second"`
}

// Measure finds the events of the labelled sentences, whose texts are in treebanks below dir/pos.
func Measure(ctx context.Context, dir string) (*Result, error) {
	list, err := Labels()
	if err != nil {
		return nil, err
	}
	texts, err := load(dir, list)
	if err != nil {
		return nil, err
	}
	rest, development := &Part{Name: "the rest"}, &Part{Name: "development"}
	bySet := map[string]*Part{}
	out := &Result{}
	if err := out.read(ctx, texts); err != nil {
		return nil, err
	}
	known := lemmas(texts)
	for _, t := range texts {
		for _, s := range t.sentences {
			part := rest
			if s.development() {
				part = development
			}
			set := bySet[s.set]
			if set == nil {
				set = &Part{Name: "the rest of " + s.set}
				bySet[s.set] = set
			}
			found, plain := t.found(s), t.plain(s, known)
			for _, p := range []*Part{part, set} {
				if p == set && part == development {
					continue
				}
				p.Sentences++
				p.Found.count(s.events, found)
				p.Plain.count(s.events, plain)
				for _, g := range found {
					step := &p.Sure[g.step]
					step.Found++
					step.Right += one(slices.ContainsFunc(s.events, func(w label) bool { return w.trigger == g.trigger }))
				}
			}
		}
	}
	parts := []*Part{rest, development}
	for _, name := range sets(list) {
		parts = append(parts, bySet[name])
	}
	for _, p := range parts {
		for _, s := range []*Scores{&p.Found, &p.Plain} {
			for _, f := range s.all() {
				f.settle()
			}
		}
		out.Parts = append(out.Parts, *p)
	}
	return out, nil
}

// sets returns the sets of labelled sentences in their order.
func sets(list []Sentence) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s.set) {
			out = append(out, s.set)
		}
	}
	return out
}

// text is a document with labelled sentences.
type text struct {
	text      string
	sentences []*placed
	document  *language.Document
}

// placed is a labelled sentence with the places of its words.
type placed struct {
	Sentence
	words []span // bytes of the text
}

// load finds the texts of labelled sentences.
func load(dir string, list []Sentence) ([]*text, error) {
	var out []*text
	for _, set := range sets(list) {
		file := filepath.Join(dir, "pos", set+".conllu")
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			file += ".gz"
		}
		documents, err := corpus.ReadTreebank(file)
		if err != nil {
			return nil, err
		}
		wanted := map[string]Sentence{}
		for _, s := range list {
			if s.set == set {
				wanted[s.id] = s
			}
		}
		for _, d := range documents {
			t := &text{text: d.Text}
			at := 0
			for _, s := range d.Sentences {
				if i := strings.Index(d.Text[at:], s.Text); i >= 0 {
					at += i
				}
				words := places(s, at)
				at += len(s.Text)
				if l, ok := wanted[s.ID]; ok {
					t.sentences = append(t.sentences, &placed{l, words})
					delete(wanted, s.ID)
				}
			}
			if len(t.sentences) > 0 {
				out = append(out, t)
			}
		}
		if len(wanted) > 0 {
			return nil, fmt.Errorf("%s has not all labelled sentences: %d are missing", file, len(wanted))
		}
	}
	return out, nil
}

// places returns the bytes of the words of a sentence that begins at a byte of a text.
func places(s conllu.Sentence, at int) []span {
	out := make([]span, len(s.Words))
	from := 0
	for i, w := range s.Words {
		// A word that is not written so (of a contraction) has the place where it should be.
		k := strings.Index(s.Text[from:], w.Form)
		if k < 0 || k > len(w.Form)+longestGap {
			out[i] = span{at + from, at + from}
			continue
		}
		out[i] = span{at + from + k, at + from + k + len(w.Form)}
		from += k + len(w.Form)
	}
	return out
}

// longestGap is how far apart words stand at most, in bytes.
const longestGap = 8

// read finds the events of texts, and measures what that costs when all that they are made from is there.
func (r *Result) read(ctx context.Context, texts []*text) error {
	a := language.New()
	readings := make([]*language.Reading, len(texts))
	tokens := 0
	for i, t := range texts {
		var err error
		if readings[i], err = language.Read(language.Text{Text: t.text, Language: "en"}); err != nil {
			return err
		}
		for _, u := range language.Events.Needs() {
			if err := a.Do(ctx, readings[i], u); err != nil {
				return err
			}
		}
		for _, s := range readings[i].Sentences {
			tokens += len(s.Tokens)
		}
	}
	used, err := cpu.Measure(func() error {
		for _, d := range readings {
			if err := a.Do(ctx, d, language.Events); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.Speed = float64(tokens) / used.CPU.Seconds()
	used, _ = cpu.Measure(func() error {
		for _, t := range texts {
			for range sentence.Split(t.text) {
			}
		}
		return nil
	})
	r.Splitter = float64(tokens) / used.CPU.Seconds()
	for i, t := range texts {
		t.document = &readings[i].Document
	}
	return nil
}

// word returns the word of a sentence that has a byte of the text; -1 if none has.
func (s *placed) word(at int) int {
	return slices.IndexFunc(s.words, func(w span) bool { return w.from <= at && at < w.to })
}

// found returns the events that were found in a sentence, as labels. Of what fills a role the last word counts.
func (t *text) found(s *placed) (out []label) {
	for _, e := range t.document.Events {
		trigger := s.word(e.Start)
		if trigger < 0 {
			continue
		}
		l := label{trigger: trigger, class: string(e.Class), step: step(e.Confidence)}
		add := func(role int, parts ...language.Part) {
			for _, p := range parts {
				w := s.word(p.End - 1)
				l.roles[role] = append(l.roles[role], span{w, w + 1})
			}
		}
		add(0, e.Who...)
		add(1, e.Whom...)
		if e.When != nil {
			add(2, *e.When)
		}
		if e.Where != nil {
			add(3, *e.Where)
		}
		out = append(out, l)
	}
	return out
}

// step returns the step of a confidence.
func step(confidence float64) int {
	switch {
	case confidence < 0.5:
		return 0
	case confidence < 0.7:
		return 1
	case confidence < 0.8:
		return 2
	}
	return 3
}

// lemmas returns the lemmas of the triggers of the development third, and the class that each mostly has.
func lemmas(texts []*text) map[string]string {
	counts := map[string]map[string]int{}
	for _, t := range texts {
		for _, s := range t.sentences {
			if !s.development() {
				continue
			}
			for k := range t.verbs(s) {
				for _, e := range s.events {
					if e.trigger == k.word {
						if counts[k.lemma] == nil {
							counts[k.lemma] = map[string]int{}
						}
						counts[k.lemma][e.class]++
					}
				}
			}
		}
	}
	out := map[string]string{}
	for lemma, of := range counts {
		for class, n := range of {
			if have := out[lemma]; have == "" || n > of[have] || n == of[have] && class < have {
				out[lemma] = class
			}
		}
	}
	return out
}

// verbAt is a verb of a sentence.
type verbAt struct {
	word  int
	start int // byte of the text
	lemma string
}

// verbs goes through the verbs of a sentence that are no auxiliaries, as they were tagged.
func (t *text) verbs(s *placed) iter.Seq[verbAt] {
	return func(yield func(verbAt) bool) {
		for _, k := range t.document.Sentences {
			for _, token := range k.Tokens {
				if w := s.word(token.Start); w >= 0 && token.Universal == "VERB" && !yield(verbAt{w, token.Start, token.Lemma}) {
					return
				}
			}
		}
	}
}

// plain returns what the plain way finds in a sentence.
func (t *text) plain(s *placed, known map[string]string) (out []label) {
	for v := range t.verbs(s) {
		class, ok := known[v.lemma]
		if !ok {
			continue
		}
		l := label{trigger: v.word, class: class}
		for _, m := range t.document.Mentions {
			w := s.word(m.End - 1)
			if w < 0 {
				continue
			}
			if m.Start < v.start {
				l.roles[0] = []span{{w, w + 1}}
			} else if len(l.roles[1]) == 0 {
				l.roles[1] = []span{{w, w + 1}}
			}
		}
		out = append(out, l)
	}
	return out
}

// count compares what was found in a sentence with what people marked.
func (s *Scores) count(wanted, found []label) {
	byRole := [...]*Figures{&s.Who, &s.Whom, &s.When, &s.Where}
	for _, w := range wanted {
		for _, f := range []*Figures{&s.Triggers, &s.Classes, &s.Actors, &s.Events} {
			f.N++
		}
		for r, f := range byRole {
			f.N += len(w.roles[r])
			s.Roles.N += len(w.roles[r])
		}
	}
	for _, g := range found {
		for _, f := range []*Figures{&s.Triggers, &s.Classes, &s.Actors, &s.Events} {
			f.found++
		}
		i := slices.IndexFunc(wanted, func(w label) bool { return w.trigger == g.trigger })
		same := i >= 0 && wanted[i].class == g.class
		actors, whole := same, same
		for r, f := range byRole {
			f.found += len(g.roles[r])
			s.Roles.found += len(g.roles[r])
			if i < 0 {
				continue
			}
			right := matched(wanted[i].roles[r], g.roles[r])
			f.right += right
			s.Roles.right += right
			if right != len(g.roles[r]) || right != len(wanted[i].roles[r]) {
				whole = false
				actors = actors && r > 1
			}
		}
		s.Triggers.right += one(i >= 0)
		s.Classes.right += one(same)
		s.Actors.right += one(actors)
		s.Events.right += one(whole)
	}
}

// matched counts the spans found whose words lie in spans wanted, each for one.
func matched(wanted, found []span) (n int) {
	taken := make([]bool, len(wanted))
	for _, f := range found {
		for i, w := range wanted {
			if !taken[i] && w.from <= f.from && f.to <= w.to {
				taken[i] = true
				n++
				break
			}
		}
	}
	return n
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Summary implements eval.Report.
func (r *Result) Summary() eval.Summary {
	f := r.Parts[0].Found.Events
	return eval.Found(f.N, f.Precision, f.Recall, f.F1)
}

// Baseline implements eval.Compared.
func (r *Result) Baseline() (way string, figure float64) {
	return "verbs that are triggers in the development third, and the nearest names", r.Parts[0].Plain.Events.F1
}

// Print writes tables.
func (r *Result) Print(w io.Writer) error {
	for _, p := range r.Parts {
		fmt.Fprintf(w, "%s: %d sentences\n%-26s %6s %9s %7s %7s   %s\n", p.Name, p.Sentences, "", "n", "precision", "recall", "F1", "plain: precision, recall, F1")
		plain := p.Plain.all()
		for i, f := range p.Found.all() {
			fmt.Fprintf(w, "%-26s %6d %9.3f %7.3f %7.3f   %.3f %.3f %.3f\n", rows[i], f.N, f.Precision, f.Recall, f.F1, plain[i].Precision, plain[i].Recall, plain[i].F1)
		}
		fmt.Fprint(w, "right of those found, by confidence:")
		for i, c := range p.Sure {
			fmt.Fprintf(w, "  %s %d of %d", [...]string{"below 0.5", "to 0.7", "to 0.8", "above"}[i], c.Right, c.Found)
		}
		fmt.Fprint(w, "\n\n")
	}
	_, err := fmt.Fprintf(w, "%.0f tokens per CPU-s with tokens, tags, names and times known; the splitter of sentences %.0f (%.1f times)\n", r.Speed, r.Splitter, r.Speed/r.Splitter)
	return err
}

var rows = [...]string{"triggers", "with class", "who", "whom", "when", "where", "all roles", "events: class, who, whom", "events: and when, where"}
