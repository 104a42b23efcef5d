// Package linkdates measures what the date of a text says about whom its names mean, on speeches of which the year is known.
//
// The rule by which the set is made, from files alone:
//
//	text      300 bytes before and after each "President NAME" in a speech of the UN General Debate, where NAME is the last name of a president of the United States and no
//	          name follows it ("President Johnson Sirleaf" is somebody else). Of a speech, each NAME once; the word President before it is cut, unless Options.Title: few candidates have it among
//	          their keyphrases, and it alone settles nearly all
//	day       21 September of the year of the speech, when the debate is held
//	gold      the one of that last name who became president of the United States last before that day
//	base      all persons of another base with a day of birth: they exist from then until 100 years later, unless the base says until when; each is also called by the last word of the label
//	measured  where two candidates or more have the name, and gold is one of them
//
// Time is a term that can only leave out those who were not born then, or were dead. It cannot tell Roosevelt from Roosevelt in 1910, nor Bush from Bush; those are counted, too.
// Linked by the same program are: the text with its day, without, and with wrong days: as if the text had been written earlier or later than it was, which a capture's date would say of a text that is found late.
package linkdates

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"varve/entity"
	"varve/entity/base"
	"varve/entity/link"
	"varve/lab/eval"
	"varve/lab/eval/debates"
)

// Options say what is measured.
type Options struct {
	Base      string // path of the base whose persons are candidates
	Officials string // us-executive.jsonl.gz
	Title     bool   // leave the title before the name
	Seed      uint64 // of the drawings by which intervals are made
}

// shifts are the ways to date a text: by how many years its day is wrong. The first has no day at all.
var shifts = []struct {
	name  string
	years int
	none  bool
}{
	{"without a day", 0, true}, {"with its day", 0, false}, {"20 years too late", 20, false}, {"60 years too late", 60, false}, {"60 years too early", -60, false},
}

// withDay is the place of the way that has the right day, without that of the one that has none.
const without, withDay = 0, 1

// Way is the figures of a way to date texts.
type Way struct {
	Name     string     `json:"name"`
	Right    int        `json:"right"`
	Accuracy float64    `json:"accuracy"`
	Interval [2]float64 `json:"interval"` // 95 %, by drawing speeches again
	Gain     float64    `json:"gain"`     // over the way without a day
	GainIn   [2]float64 `json:"gain_interval"`
}

// Class is the mentions of a name or of an age.
type Class struct {
	Name  string `json:"name"`
	N     int    `json:"n"`
	Right []int  `json:"right"` // by way
}

// Result is what was measured.
type Result struct {
	Speeches   int     `json:"speeches"` // read
	Met        int     `json:"met"`      // mentions that the rule finds
	Alone      int     `json:"alone"`    // with one candidate, or without gold among them
	N          int     `json:"n"`
	Candidates float64 `json:"mean_candidates"`
	Gone       float64 `json:"left_out"` // share of the candidates that did not exist then
	Ways       []Way   `json:"ways"`
	Classes    []Class `json:"classes"`
}

// president is one who was elected, or followed.
type president struct {
	last, id string
	from     entity.Day
}

// Measure makes the set and links it.
func Measure(ctx context.Context, data string, o Options) (r Result, err error) {
	files, err := debates.Files(data)
	if err != nil {
		return r, err
	}
	presidents, err := readPresidents(o.Officials)
	if err != nil {
		return r, err
	}
	b, done, err := persons(ctx, o.Base)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, done()) }()
	m := measuring{b: b, presidents: presidents, name: pattern(presidents), title: o.Title, classes: map[string]*Class{}}
	for _, file := range files {
		for s, err := range debates.Speeches(file) {
			if err == nil {
				err = m.speech(ctx, s)
			}
			if err != nil {
				return r, err
			}
		}
	}
	return m.result(rand.New(rand.NewPCG(o.Seed, 1)))
}

// pattern finds a president by name.
func pattern(list []president) *regexp.Regexp {
	var names []string
	for _, p := range list {
		if !slices.Contains(names, regexp.QuoteMeta(p.last)) {
			names = append(names, regexp.QuoteMeta(p.last))
		}
	}
	return regexp.MustCompile(`President (` + strings.Join(names, "|") + `)\b`)
}

// readPresidents reads who was president from when; each by the first term.
func readPresidents(path string) (out []president, err error) {
	in, err := eval.Open(path, "")
	if err != nil {
		return nil, err
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var o struct {
			ID    struct{ Bioguide, Wikidata string }
			Name  struct{ Last string }
			Terms []struct{ Type, Start string }
		}
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, n, err)
		}
		for _, t := range o.Terms {
			if t.Type != "prez" {
				continue
			}
			from, _, err := entity.ParseDays(t.Start)
			if err != nil {
				return nil, fmt.Errorf("%s, line %d: %w", path, n, err)
			}
			id := o.ID.Wikidata
			if id == "" {
				id = "bioguide:" + o.ID.Bioguide
			}
			out = append(out, president{o.Name.Last, id, from})
			break
		}
	}
	if len(out) == 0 && lines.Err() == nil {
		return nil, fmt.Errorf("%s has no presidents", path)
	}
	return out, lines.Err()
}

// longestLife is when somebody is taken to be dead of whom the base does not say it, in years.
const longestLife = 100

// persons makes a base of the persons of another one who have a day of birth, each with the last word of the label as a name. done removes it.
func persons(ctx context.Context, path string) (b *base.Base, done func() error, err error) {
	from, err := base.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	dir, err := os.MkdirTemp("", "varve-linkdates")
	if err != nil {
		return nil, nil, err
	}
	remove := func() error { return os.RemoveAll(dir) }
	lines := func(yield func([]byte, error) bool) {
		for n := range from.Len() {
			e, err := from.Entity(uint32(n))
			if err != nil {
				yield(nil, err)
				return
			}
			for _, s := range person(e) {
				if !yield(s.AppendLine(nil), nil) {
					return
				}
			}
		}
	}
	file := filepath.Join(dir, base.FileName)
	if _, err = base.Build(ctx, file, lines, base.Options{}); err == nil {
		b, err = base.Open(file)
	}
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return b, func() error { return errors.Join(b.Close(), remove()) }, nil
}

// person says what the base of persons has of an entity; nothing of what is none.
func person(e *entity.Entity) []entity.Statement {
	label := strings.Fields(e.Label)
	if e.Existence.From == entity.Unknown || !slices.Contains(e.Kinds, "person") || len(label) < 2 {
		return nil
	}
	until := e.Existence.Until
	if until == entity.Unknown {
		until = entity.DayOf(e.Existence.From.Time().AddDate(longestLife, 0, 0))
	}
	out := []entity.Statement{
		{Subject: e.ID, Says: entity.HasLabel, Text: e.Label},
		{Subject: e.ID, Says: entity.HasAlias, Text: label[len(label)-1]},
		{Subject: e.ID, Says: entity.Begins, Text: e.Existence.From.String()},
		{Subject: e.ID, Says: entity.Ends, Text: until.String()},
		{Subject: e.ID, Says: entity.Counts, Count: e.Popularity},
	}
	for _, p := range e.Phrases {
		out = append(out, entity.Statement{Subject: e.ID, Says: entity.HasPhrase, Text: p.Text, Count: p.Count})
	}
	return out
}

// measuring is a measurement under way.
type measuring struct {
	b          *base.Base
	presidents []president
	name       *regexp.Regexp
	title      bool // stays
	r          Result
	outcomes   []outcome // by speech
	gone       int
	candidates int
	classes    map[string]*Class
}

// outcome is how many mentions of a speech there are, and how many each way has right.
type outcome struct {
	n     int
	right []int
}

// around is how many bytes of a text before and after a name are read.
const around = 300

func (m *measuring) speech(ctx context.Context, s *debates.Speech) error {
	m.r.Speeches++
	day := time.Date(s.Year, 9, 21, 0, 0, 0, 0, time.UTC)
	o := outcome{right: make([]int, len(shifts))}
	met := map[string]bool{}
	for _, at := range m.name.FindAllStringSubmatchIndex(s.Text, -1) {
		last := s.Text[at[2]:at[3]]
		if met[last] || followed(s.Text[at[3]:]) {
			continue
		}
		met[last] = true
		gold, ok := m.gold(last, entity.DayOf(day))
		if !ok {
			continue
		}
		m.r.Met++
		candidates, err := m.b.Candidates(last)
		if err != nil {
			return err
		}
		number, known, err := m.b.Find(gold)
		if err != nil {
			return err
		}
		if len(candidates) < 2 || !known || !slices.ContainsFunc(candidates, func(c base.Candidate) bool { return c.Entity == number }) {
			m.r.Alone++
			continue
		}
		if err := m.mention(ctx, s.Text, at[2], at[3], day, gold, candidates, &o); err != nil {
			return err
		}
	}
	if o.n > 0 {
		m.outcomes = append(m.outcomes, o)
	}
	return nil
}

// followed reports whether a name goes on.
func followed(rest string) bool {
	rest, more := strings.CutPrefix(rest, " ")
	return strings.HasPrefix(rest, "-") || more && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z'
}

// gold returns who of a last name became president last before a day.
func (m *measuring) gold(last string, day entity.Day) (id string, ok bool) {
	from := entity.Unknown
	for _, p := range m.presidents {
		if p.last == last && p.from <= day && (!ok || p.from > from) {
			id, from, ok = p.id, p.from, true
		}
	}
	return id, ok
}

func (m *measuring) mention(ctx context.Context, text string, start, end int, day time.Time, gold string, candidates []base.Candidate, o *outcome) error {
	from, to := boundary(text, start-around), boundary(text, end+around)
	before := text[from:start]
	if !m.title {
		before = strings.TrimSuffix(before, "President ")
	}
	excerpt, place := before+text[start:to], []link.Mention{{Start: len(before), End: len(before) + end - start}}
	class := m.class(text[start:end])
	o.n++
	m.r.N++
	class.N++
	m.candidates += len(candidates)
	for _, c := range candidates {
		e, err := m.b.Entity(c.Entity)
		if err != nil {
			return err
		}
		if !e.Existence.Contains(entity.DayOf(day)) {
			m.gone++
		}
	}
	settings := link.Default()
	settings.Nil = 0 // gold is in the base
	for w, shift := range shifts {
		at := entity.DayOf(day.AddDate(shift.years, 0, 0))
		if shift.none {
			at = entity.Unknown
		}
		found, err := link.Link(ctx, m.b, excerpt, place, at, settings)
		if err != nil {
			return err
		}
		if found[0].Entity == gold {
			o.right[w]++
			class.Right[w]++
		}
	}
	return nil
}

func (m *measuring) class(name string) *Class {
	if m.classes[name] == nil {
		m.classes[name] = &Class{Name: name, Right: make([]int, len(shifts))}
	}
	return m.classes[name]
}

// boundary returns the place of a character at a byte or before it, within the text.
func boundary(text string, at int) int {
	at = min(max(at, 0), len(text))
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

const rounds = 1000

func (m *measuring) result(rnd *rand.Rand) (Result, error) {
	r := m.r
	if r.N == 0 {
		return r, errors.New("no name has two candidates or more and means one of them")
	}
	r.Candidates, r.Gone = float64(m.candidates)/float64(r.N), float64(m.gone)/float64(m.candidates)
	for _, c := range m.classes {
		r.Classes = append(r.Classes, *c)
	}
	slices.SortFunc(r.Classes, func(a, b Class) int {
		if a.N != b.N {
			return b.N - a.N
		}
		return strings.Compare(a.Name, b.Name)
	})
	sample := func(pick func(i int) int) (out []float64) {
		n, right := 0, make([]int, len(shifts))
		for i := range m.outcomes {
			o := m.outcomes[pick(i)]
			n += o.n
			for w, k := range o.right {
				right[w] += k
			}
		}
		for _, k := range right {
			out = append(out, float64(k)/float64(n))
		}
		return out
	}
	drawn, gains := make([][]float64, len(shifts)), make([][]float64, len(shifts))
	for range rounds {
		a := sample(func(int) int { return rnd.IntN(len(m.outcomes)) })
		for w := range shifts {
			drawn[w], gains[w] = append(drawn[w], a[w]), append(gains[w], a[w]-a[without])
		}
	}
	interval := func(v []float64) [2]float64 {
		slices.Sort(v)
		return [2]float64{v[rounds*25/1000], v[rounds*975/1000-1]}
	}
	all := sample(func(i int) int { return i })
	for w, shift := range shifts {
		right := 0
		for _, o := range m.outcomes {
			right += o.right[w]
		}
		r.Ways = append(r.Ways, Way{shift.name, right, all[w], interval(drawn[w]), all[w] - all[without], interval(gains[w])})
	}
	return r, nil
}

// Print implements eval.Report.
func (r Result) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d speeches name a president of the United States %d times; %d have one candidate, or not the one that is meant;\n%d with two or more candidates, %.1f in the mean, are measured. %.1f %% of the candidates did not exist then.\n\n", r.Speeches, r.Met, r.Alone, r.N, r.Candidates, 100*r.Gone)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "linked\taccuracy\t95 %\tgain over no day\t95 %")
	for _, v := range r.Ways {
		fmt.Fprintf(t, "%s\t%.3f\t%.3f-%.3f\t%+.3f\t%+.3f to %+.3f\n", v.Name, v.Accuracy, v.Interval[0], v.Interval[1], v.Gain, v.GainIn[0], v.GainIn[1])
	}
	fmt.Fprint(t, "\t\t\t\t\nname\tn")
	for _, v := range r.Ways {
		fmt.Fprintf(t, "\t%s", v.Name)
	}
	fmt.Fprintln(t)
	for _, c := range r.Classes {
		fmt.Fprintf(t, "%s\t%d", c.Name, c.N)
		for _, k := range c.Right {
			fmt.Fprintf(t, "\t%.3f", float64(k)/float64(c.N))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// Summary implements eval.Report.
func (r Result) Summary() eval.Summary { return eval.Answered(r.N, r.Ways[withDay].Accuracy) }

// Baseline implements eval.Compared.
func (r Result) Baseline() (string, float64) { return r.Ways[without].Name, r.Ways[without].Accuracy }
