// Package facts measures how well facts with their time are found in texts (varve/fact), on the films of ../shared/data/kb and the pages of TimeQA.
//
// A text is about one thing, its topic; what is asked are facts of the topic and another name, in one relation. Half of the pages, by a hash of their names, give the seeds for the other half, and the other way round: nothing is learned from
// a page that it is judged on. A seed is a candidate of which the list of facts says what it is: the fact's begin, a time during it, its end, or none of them.
//
// An observation (names, aspect and time) is right if the list has the fact, and its begin (or end) in the time that is observed as begin (or end), or the time inside. Times are compared by years. Recall is the share of
// facts of the list with an observation that is right, of those whose other name is in the text: what no sentence says cannot be found. The list does not have all that a text says, so precision is a lower bound.
//
// The answers of TimeQA are words of questions, not names: "Silver Spring, Maryland" is met by Silver Spring, and "Cardinal Angelo Maria Durini" by Angelo Maria Durini (aliases). Its relations are properties of Wikidata, each of few pages: timeqa.txt says of each of what
// kinds the other name is and which words speak for it; what was learned of one counts for all (pooled).
package facts

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"

	"varve/entity"
	"varve/fact"
	"varve/fact/clean"
	"varve/lab/eval"
	"varve/lab/eval/cpu"
	"varve/language"
)

// Options say how.
type Options struct {
	Settings fact.Settings
	Pages    int // at most; 0 is all
	Offset   int // of these pages: how many further on each is taken
	Half     int // 1 or 2: only this half of the pages is judged; 0 both. The other one gives the seeds in any case
	Seed     uint64
}

// Figures are precision and recall with intervals of 95 %, by drawing pages again.
type Figures struct {
	Observations int        `json:"observations"`
	Right        int        `json:"right"`
	Found        int        `json:"found"` // facts of the list
	Precision    float64    `json:"precision"`
	PrecisionIn  [2]float64 `json:"precision_interval"`
	Recall       float64    `json:"recall"`
	RecallIn     [2]float64 `json:"recall_interval"`
}

// Setting is the figures at one confidence, before and after cleaning.
type Setting struct {
	Name   string  `json:"name"`
	Least  float64 `json:"least"` // confidence
	Before Figures `json:"before"`
	After  Figures `json:"after"`
}

// Planted is what cleaning did with contradictions that were made up.
type Planted struct {
	Setting  string  `json:"setting"`
	Planted  int     `json:"planted"`
	Rejected int     `json:"rejected"` // of them
	Others   int     `json:"others"`   // observations that were there
	Lost     int     `json:"lost"`     // of those, that were right and are rejected now
	Before   float64 `json:"precision_before"`
	After    float64 `json:"precision_after"`
}

// Asked is how often the right name is first where it is asked who or what it was in a time: each time of a page's facts is a question, each name with an observation in that time an answer, with the sum of their confidences. It does not need that the list has all that a text says.
type Asked struct {
	Questions int     `json:"questions"`
	Possible  int     `json:"possible"` // of which some answer is right
	Right     int     `json:"right"`    // the first is
	Often     int     `json:"often"`    // beside it: right if the name with most observations in the time is taken
	Chance    float64 `json:"chance"`   // and if any name is
}

// Size is the cost of cleaning components of a size.
type Size struct {
	Observations string `json:"observations"` // of a component
	Components   int    `json:"components"`
	Steps        int    `json:"steps"`
	Greedy       int    `json:"greedy"` // not exact
}

// Result is what was measured.
type Result struct {
	Pages        int       `json:"pages"`
	Known        int       `json:"facts"`                   // of the list, of these pages
	InText       int       `json:"in_text"`                 // of them, whose other name is in the text
	Candidates   int       `json:"candidates"`              // with a time
	Cut          int       `json:"cut_sentences,omitempty"` // that have more names or times than are looked at
	Patterns     int       `json:"patterns"`
	Settings     []Setting `json:"settings"`
	AtHalf       float64   `json:"precision_at_recall_half"` // before cleaning; 0 if recall does not reach 0.5. Its intervals are in the setting "recall 0.5"
	AtHalfLeast  float64   `json:"confidence_at_recall_half"`
	Asked        Asked     `json:"asked"`
	Planted      []Planted `json:"planted"` // at the standard setting, and at that with most candidates
	Sizes        []Size    `json:"components_by_size"`
	CPUReading   float64   `json:"cpu_seconds_reading"`
	CPULabelling float64   `json:"cpu_seconds_labelling"`
}

// page is a page with what is known of it.
type page struct {
	Page
	known map[string][]fact.Known // by the keys of the other name (aliases)
	facts int
	there int // facts whose other name is in the text

	unjudged bool // it gives seeds only
}

// pooled is the relation of TimeQA, of which each has few pages: whatever the page is asked for. One thing at a time.
const pooled = "pooled"

//go:embed timeqa.txt
var timeQA string

// sought returns what is looked for in a page: of TimeQA the pooled relation with the kinds and words of its property.
func sought(list []Page, relations []fact.Relation) (map[string][]fact.Relation, error) {
	out := map[string][]fact.Relation{CastOf: relations}
	described, err := fact.ReadRelations(strings.NewReader(timeQA), "timeqa.txt")
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		if out[p.Relation] != nil {
			continue
		}
		one := relations[0]
		if i := slices.IndexFunc(described, func(r fact.Relation) bool { return r.Name == p.Relation }); i >= 0 {
			one.Object, one.About = described[i].Object, described[i].About
		}
		out[p.Relation] = []fact.Relation{one}
	}
	return out, nil
}

func relationsFor(pages []Page) ([]fact.Relation, error) {
	all, err := fact.Relations()
	if err != nil {
		return nil, err
	}
	if len(pages) > 0 && pages[0].Relation == CastOf {
		return slices.DeleteFunc(all, func(r fact.Relation) bool { return r.Name != CastOf }), nil
	}
	return fact.ReadRelations(strings.NewReader("relation "+pooled+"\nconstraint subject disjoint\n"), pooled)
}

// Measure reads texts and the list of facts.
func Measure(ctx context.Context, text, truth string, o Options) (*Result, error) {
	list, err := ReadPages(text)
	if err != nil {
		return nil, err
	}
	facts, err := ReadTruth(truth)
	if err != nil {
		return nil, err
	}
	relations, err := relationsFor(list)
	if err != nil {
		return nil, err
	}
	if n := o.Pages; n > 0 && n < len(list) { // spread over the file, which goes by years
		some := make([]Page, n)
		for i := range some {
			some[i] = list[(i*len(list)/n+o.Offset)%len(list)]
		}
		list = some
	}
	r := &Result{Pages: len(list)}
	pages := join(list, facts)
	for _, p := range pages {
		if p.unjudged = o.Half > 0 && p.fold() != o.Half-1; p.unjudged {
			continue
		}
		r.Known += p.facts
		r.InText += p.there
	}
	if r.Known == 0 {
		return nil, fmt.Errorf("no fact of %s is about a page of %s: subject or object must be the name of a page or the title of a film", truth, text)
	}
	var candidates []fact.Candidate
	used, err := cpu.Measure(func() (err error) {
		candidates, r.Cut, err = read(ctx, list, relations)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.CPUReading, r.Candidates = used.CPU.Seconds(), len(candidates)
	distinct := map[string]bool{}
	for _, c := range candidates {
		distinct[c.Pattern] = true
	}
	r.Patterns = len(distinct)
	var found []judged
	used, err = cpu.Measure(func() (err error) {
		found, err = label(ctx, relations, candidates, pages, o.Settings)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.CPULabelling = used.CPU.Seconds()
	return r, r.judge(ctx, relations, pages, found, o)
}

// join gives facts to the pages that they are about. The topic can be on either side, by its id or its title.
func join(list []Page, facts []Truth) map[string]*page {
	byName := map[string][]*Truth{}
	for i := range facts {
		t := &facts[i]
		for _, name := range []string{t.Subject, t.Object} {
			byName[name] = append(byName[name], t)
		}
	}
	out := map[string]*page{}
	for _, p := range list {
		one := &page{Page: p, known: map[string][]fact.Known{}}
		text := " " + entity.Key(p.Text) + " "
		names := []string{p.ID}
		if p.Topic.Name != p.ID {
			names = append(names, p.Topic.Name)
		}
		for _, name := range names {
			for _, t := range byName[name] {
				other := t.Object
				if other == name {
					other = t.Subject
				}
				if p.Relation != CastOf && t.Relation != p.Relation {
					continue
				}
				one.facts++
				for _, alias := range aliases(other) {
					one.known[alias] = append(one.known[alias], t.Known)
				}
				if strings.Contains(text, " "+key(other)+" ") {
					one.there++
				}
			}
		}
		out[p.id()] = one
	}
	return out
}

// aliases are the keys of names that count as an answer: its own, what stands before a comma, and what is left without one or two words before two or more.
func aliases(answer string) []string {
	out := []string{key(answer)}
	if head, _, several := strings.Cut(answer, ","); several {
		out = append(out, key(head))
	}
	words := strings.Fields(key(answer))
	for cut := 1; cut <= 2 && len(words)-cut >= 2; cut++ {
		out = append(out, strings.Join(words[cut:], " "))
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(s string) bool { return s == "" })
}

// id tells pages apart: TimeQA has some twice, for two relations.
func (p *Page) id() string { return p.ID + "#" + p.Relation }

// read finds the candidates of all pages: topic, another name, and a time.
func read(ctx context.Context, list []Page, relations []fact.Relation) (out []fact.Candidate, cut int, err error) {
	a := language.New()
	by, err := sought(list, relations)
	if err != nil {
		return nil, 0, err
	}
	for _, p := range list {
		doc, err := a.Analyse(ctx, language.Text{Text: p.Text, Language: "en"}, language.Mentions, language.Times, language.Phrases)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", p.ID, err)
		}
		found, n := fact.Candidates(doc, p.Text, p.Topic, by[p.Relation])
		cut += n
		for _, c := range found {
			if !c.Time.Known() || p.Relation == CastOf && c.Object != p.Topic.Name || p.Relation != CastOf && c.Subject != p.Topic.Name {
				continue
			}
			if p.Relation == CastOf {
				c.Object = p.id()
			} else {
				c.Subject = p.id()
			}
			c.Evidence.Document = p.id()
			out = append(out, c)
		}
	}
	return out, cut, nil
}

// judged is an observation with the page that it is of.
type judged struct {
	fact.Observation
	page  string
	right string // the fact of the list; "" if it is wrong
}

// other returns the name that is not the topic.
func other(page, subject, object string) string {
	if subject == page {
		return object
	}
	return subject
}

// aspect returns what the list says of a pair at a time.
func (p *page) aspect(name string, t fact.Time, point bool) (a fact.Aspect, k *fact.Known, ok bool) {
	for i := range p.known[key(name)] {
		k := &p.known[key(name)][i]
		years := fact.Known{Begin: year(k.Begin), End: year(k.End)}
		if a, ok := years.Aspect(year(t), point); ok {
			return a, k, true
		}
	}
	return fact.During, nil, false
}

// year returns a time as years.
func year(t fact.Time) fact.Time {
	if !t.Known() {
		return t
	}
	first, _, _ := entity.ParseDays(fmt.Sprintf("%04d", t.First.Time().Year()))
	_, last, _ := entity.ParseDays(fmt.Sprintf("%04d", t.Last.Time().Year()))
	return fact.Time{First: first, Last: last}
}

// label finds the observations of each half of the pages with the seeds of the other one.
func label(ctx context.Context, relations []fact.Relation, candidates []fact.Candidate, pages map[string]*page, s fact.Settings) (out []judged, err error) {
	point := relations[0].Point
	s.Least = 0
	for tested := range 2 {
		if !slices.ContainsFunc(slices.Collect(maps.Values(pages)), func(p *page) bool { return p.fold() == tested && !p.unjudged }) {
			continue // nobody asks
		}
		found, err := fact.Label(ctx, relations, candidates, func(c *fact.Candidate) (int, fact.Aspect, bool, bool) {
			p := pages[c.Evidence.Document]
			if p.fold() == tested || len(p.known) == 0 {
				return 0, 0, false, false
			}
			a, _, ok := p.aspect(other(c.Evidence.Document, c.Subject, c.Object), c.Time, point)
			return 0, a, !ok, true
		}, s)
		if err != nil {
			return nil, err
		}
		for _, b := range found {
			id := b.Evidence[0].Document
			if p := pages[id]; p.fold() == tested && len(p.known) > 0 && !p.unjudged {
				j := judged{Observation: b, page: id}
				name := other(id, b.Subject, b.Object)
				if a, k, ok := p.aspect(name, b.Time, point); ok && (a == b.Aspect || b.Aspect == fact.During) {
					j.right = fmt.Sprint(key(k.Subject), "\x00", key(k.Object), k.Begin, k.End)
				}
				out = append(out, j)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b judged) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return out, nil
}

// judge fills the figures.
func (r *Result) judge(ctx context.Context, relations []fact.Relation, pages map[string]*page, found []judged, o Options) error {
	hits, right := map[string]bool{}, 0
	for i, j := range found {
		if j.right != "" {
			right++
			hits[j.page+"\x00"+j.right] = true
		}
		if float64(len(hits)) >= 0.5*float64(r.InText) {
			r.AtHalf, r.AtHalfLeast = float64(right)/float64(i+1), j.Confidence
			break
		}
	}
	r.ask(pages, found)
	settings := []Setting{{Name: "careful", Least: 0.8}, {Name: "standard", Least: 0.5}, {Name: "most candidates", Least: 0.1}}
	if r.AtHalfLeast > 0 {
		settings = append([]Setting{{Name: "recall 0.5", Least: r.AtHalfLeast}}, settings...)
	}
	for _, s := range settings {
		taken := found[:sortedFrom(found, s.Least)]
		s.Before = figures(pages, r.InText, taken, o.Seed)
		kept, report, err := cleaned(ctx, relations, taken)
		if err != nil {
			return err
		}
		s.After = figures(pages, r.InText, kept, o.Seed)
		r.Settings = append(r.Settings, s)
		r.Sizes = sizes(report.Components)
	}
	if err := r.plant(ctx, relations, found[:sortedFrom(found, 0.5)], "standard", o.Seed); err != nil {
		return err
	}
	return r.plant(ctx, relations, found[:sortedFrom(found, 0.1)], "most candidates", o.Seed)
}

// ask asks for each time of what is known of a page.
func (r *Result) ask(pages map[string]*page, found []judged) {
	by := map[string][]judged{}
	for _, j := range found {
		by[j.page] = append(by[j.page], j)
	}
	for id, p := range pages {
		if p.unjudged {
			continue
		}
		right := map[fact.Time]map[string]bool{} // names by time
		for name, list := range p.known {
			for _, k := range list {
				when := year(fact.Time{First: k.Begin.First, Last: max(k.Begin.Last, k.End.Last)})
				if !k.Begin.Known() || !k.End.Known() {
					continue
				}
				if right[when] == nil {
					right[when] = map[string]bool{}
				}
				right[when][name] = true
			}
		}
		for when, names := range right {
			r.Asked.Questions++
			score, times := map[string]float64{}, map[string]float64{}
			for _, j := range by[id] {
				if name := key(other(id, j.Subject, j.Object)); j.Time.Meets(when) {
					score[name] += j.Confidence
					times[name]++
				}
			}
			of := 0
			for name := range score {
				if names[name] {
					of++
				}
			}
			if of > 0 {
				r.Asked.Possible++
				r.Asked.Chance += float64(of) / float64(len(score))
			}
			if names[first(score)] {
				r.Asked.Right++
			}
			if names[first(times)] {
				r.Asked.Often++
			}
		}
	}
}

// first returns the name with most, the first by name of several.
func first(of map[string]float64) (best string) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if best == "" || of[name] > of[best] {
			best = name
		}
	}
	return best
}

// sortedFrom returns how many observations have a confidence.
func sortedFrom(found []judged, least float64) int {
	n, _ := slices.BinarySearchFunc(found, least, func(j judged, least float64) int {
		if j.Confidence >= least {
			return -1
		}
		return 1
	})
	return n
}

// cleaned returns the observations that cleaning keeps.
func cleaned(ctx context.Context, relations []fact.Relation, list []judged) (kept []judged, report *fact.Report, err error) {
	var all []fact.Observation
	at := map[string]judged{}
	name := func(o fact.Observation) string { return fmt.Sprint(o.Subject, "\x00", o.Object, o.Aspect, o.Time) }
	for _, j := range list {
		all = append(all, j.Observation)
		at[name(j.Observation)] = j
	}
	facts, report, err := fact.Clean(ctx, relations, all, clean.Options{})
	for _, f := range facts {
		for _, o := range f.Observations {
			kept = append(kept, at[name(o)])
		}
	}
	return kept, report, err
}

// counts are those of a page.
type counts struct{ observed, right, found, there int }

// figures counts by page, then draws pages again.
func figures(pages map[string]*page, inText int, list []judged, seed uint64) (f Figures) {
	by := map[string]*counts{}
	for id, p := range pages {
		if len(p.known) > 0 && !p.unjudged {
			by[id] = &counts{there: p.there}
		}
	}
	seen := map[string]bool{}
	for _, j := range list {
		c := by[j.page]
		if said := fmt.Sprint(j.page, "\x00", j.Subject, "\x00", j.Object, j.Aspect, year(j.Time)); !seen[said] { // a day and its year are one
			seen[said] = true
			c.observed++
			if j.right != "" {
				c.right++
			}
		}
		if hit := j.page + "\x00" + j.right; j.right != "" && !seen[hit] {
			seen[hit] = true
			c.found++
		}
	}
	var all []*counts
	for _, id := range slices.Sorted(maps.Keys(by)) {
		all = append(all, by[id])
	}
	sum := func(pick func(int) *counts) (s counts) {
		for i := range all {
			c := pick(i)
			s.observed, s.right, s.found, s.there = s.observed+c.observed, s.right+c.right, s.found+c.found, s.there+c.there
		}
		return s
	}
	s := sum(func(i int) *counts { return all[i] })
	f.Observations, f.Right, f.Found = s.observed, s.right, s.found
	f.Precision, f.Recall = share(s.right, s.observed), share(s.found, inText)
	rng := rand.New(rand.NewPCG(seed, 1))
	var precision, recall []float64
	for range 200 {
		s := sum(func(int) *counts { return all[rng.IntN(len(all))] })
		precision, recall = append(precision, share(s.right, s.observed)), append(recall, share(s.found, s.there))
	}
	slices.Sort(precision)
	slices.Sort(recall)
	f.PrecisionIn, f.RecallIn = [2]float64{precision[4], precision[195]}, [2]float64{recall[4], recall[195]}
	return f
}

func share(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// plant adds, for every third observation, one that contradicts it: the same names at another time, with a confidence drawn from those that there are.
func (r *Result) plant(ctx context.Context, relations []fact.Relation, list []judged, setting string, seed uint64) error {
	planted := Planted{Setting: setting, Others: len(list)}
	rng := rand.New(rand.NewPCG(seed, 2))
	mixed := slices.Clone(list)
	for i := 0; i < len(list); i += 3 {
		j := list[i]
		years := 2 + rng.IntN(20)
		if rng.IntN(2) == 0 {
			years = -years
		}
		move := func(d entity.Day) entity.Day { return entity.DayOf(d.Time().AddDate(years, 0, 0)) }
		j.Time = fact.Time{First: move(j.Time.First), Last: move(j.Time.Last)}
		if j.Aspect == fact.During && !relations[0].Point {
			continue // two times during one fact are no contradiction
		}
		j.Confidence = list[rng.IntN(len(list))].Confidence
		j.right, j.page = "", "planted"
		mixed = append(mixed, j)
		planted.Planted++
	}
	kept, _, err := cleaned(ctx, relations, mixed)
	if err != nil {
		return err
	}
	_, _, planted.Before = tally(mixed)
	stayed, right, after := tally(kept)
	_, was, _ := tally(list)
	planted.Rejected, planted.Lost, planted.After = planted.Planted-stayed, was-right, after
	r.Planted = append(r.Planted, planted)
	return nil
}

func tally(list []judged) (planted, right int, precision float64) {
	for _, j := range list {
		if j.page == "planted" {
			planted++
		} else if j.right != "" {
			right++
		}
	}
	return planted, right, share(right, len(list))
}

// sizes sums the cost of components by their size.
func sizes(list []clean.Component) []Size {
	limits := []int{1, 3, 7, 15, 31, 63, 1 << 30}
	out := []Size{{Observations: "1"}, {Observations: "2-3"}, {Observations: "4-7"}, {Observations: "8-15"}, {Observations: "16-31"}, {Observations: "32-63"}, {Observations: "64 and more"}}
	for _, c := range list {
		i, _ := slices.BinarySearch(limits, c.Observations)
		out[i].Components++
		out[i].Steps += c.Steps
		if !c.Exact {
			out[i].Greedy++
		}
	}
	return out
}

// Summary implements eval.Report: the standard setting after cleaning.
func (r *Result) Summary() eval.Summary {
	f := r.Settings[slices.IndexFunc(r.Settings, func(s Setting) bool { return s.Name == "standard" })].After
	f1 := 0.0
	if f.Precision+f.Recall > 0 {
		f1 = 2 * f.Precision * f.Recall / (f.Precision + f.Recall)
	}
	return eval.Found(r.InText, f.Precision, f.Recall, f1)
}

// Print implements eval.Report.
func (r *Result) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d pages with %d facts, of which %d have their name in the text; %d candidates with a time, %d patterns\n", r.Pages, r.Known, r.InText, r.Candidates, r.Patterns)
	fmt.Fprintf(w, "precision at recall 0.5: %.3f (confidence %.3f)\n\n", r.AtHalf, r.AtHalfLeast)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "asked who or what it was in each time: %d questions, the right name is among the answers of %d and the first of %d; the name with most observations is right %d times, any name %.1f times\n\n", r.Asked.Questions, r.Asked.Possible, r.Asked.Right, r.Asked.Often, r.Asked.Chance)
	fmt.Fprintln(t, "setting\tconfidence\t\tobservations\tprecision\t\trecall\t")
	row := func(name string, least float64, when string, f Figures) {
		fmt.Fprintf(t, "%s\t%.1f\t%s\t%d\t%.3f\t%.3f-%.3f\t%.3f\t%.3f-%.3f\n", name, least, when, f.Observations, f.Precision, f.PrecisionIn[0], f.PrecisionIn[1], f.Recall, f.RecallIn[0], f.RecallIn[1])
	}
	for _, s := range r.Settings {
		row(s.Name, s.Least, "before cleaning", s.Before)
		row("", s.Least, "after", s.After)
	}
	fmt.Fprintln(t)
	for _, p := range r.Planted {
		fmt.Fprintf(t, "contradictions that were made up, %s: %d beside %d observations; %d rejected, %d right ones lost; precision %.3f before and %.3f after\n", p.Setting, p.Planted, p.Others, p.Rejected, p.Lost, p.Before, p.After)
	}
	fmt.Fprintln(t)
	fmt.Fprintln(t, "observations of a component\tcomponents\tsteps\tgreedy")
	for _, s := range r.Sizes {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\n", s.Observations, s.Components, s.Steps, s.Greedy)
	}
	fmt.Fprintf(t, "\nCPU: %.1f s to read the texts, %.1f s to label\n", r.CPUReading, r.CPULabelling)
	return t.Flush()
}
