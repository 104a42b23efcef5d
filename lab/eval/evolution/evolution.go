// Package evolution measures how well the senses of words are followed through time (varve/evolution/term), on speeches of many years.
//
// # Senses
//
// As in the seed (LiWA, 3.4.6.1), by WordNet: of each cluster the first two to four terms that WordNet has must fit to one sense, at a similarity of 0.25. Pantel and Lin (2002) compare the senses of a word with the first k
// members of its cluster and take the mean. Where the word is one of these members the mean is at least 1/k, and every cluster is right; so here it is not: each of the terms in turn is the word, the others are what it is
// compared with, and the best counts. Beside it stand a stricter figure (one sense that each of the terms is like) and what sets of terms of the same sizes reach that were drawn from the same slice by lot,
// and from what was compared in all clusters of the slice: the terms that come first in a cluster are frequent ones, which have many senses.
//
// # Changes
//
// Two frequent words become one pseudo-word: the first in all years, the second from a year on that is drawn by lot, and becomes its main sense. A change must be found within two years; every other year that is
// reported for a pseudo-word is wrong. Controls are words that nothing was done to; an alarm is one for which a change is reported. Some are right: the use of words does change ("trade" in 1961, before the UN's conference on it).
// Beside it stand pseudo-words whose second word is about as frequent as the first: there is much less to be seen of them.
package evolution

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"

	"varve/evolution"
	"varve/evolution/term"
	"varve/lab/eval"
	"varve/lab/eval/corpus"
	"varve/lab/eval/cpu"
	"varve/lab/eval/debates"
)

// Options are what is measured.
type Options struct {
	WordNet string // wordnet-3.0.tar.gz
	Keep    string // folder for the phrases; "" to forget them
	Planted int    // pseudo-words
	Seed    uint64
	Terms   term.Options
}

// Senses are the figures of clusters.
type Senses struct {
	Clusters  int     `json:"clusters"`
	Judged    int     `json:"judged"` // that have two terms of WordNet
	Precision float64 `json:"precision"`
	Each      float64 `json:"each"` // share with a sense that each term is like
	Random    float64 `json:"random"`
	RandomAll float64 `json:"random_each"`
	Mixed     float64 `json:"mixed"` // terms that are compared of other clusters of the year
	MixedAll  float64 `json:"mixed_each"`
}

// Plant is a pseudo-word.
type Plant struct {
	Always string `json:"always"`
	Since  string `json:"since"` // and this from Year on
	Year   int    `json:"year"`
	Found  []int  `json:"found"`
	Right  bool   `json:"right"`
}

// Result is the figures of a corpus.
type Result struct {
	Speeches  int      `json:"speeches"`
	Years     int      `json:"years"`
	Senses    Senses   `json:"senses"`
	Decades   []Decade `json:"decades"`
	Units     int      `json:"units"`
	Long      int      `json:"long_units"` // of three years and more
	Planted   []Plant  `json:"planted"`
	Precision float64  `json:"precision"`
	Recall    float64  `json:"recall"`
	F1        float64  `json:"f1"`
	Equal     Equal    `json:"equal"` // pseudo-words of two words that are about as frequent
	Controls  int      `json:"controls"`
	Alarmed   []string `json:"alarmed"` // controls with a change
	Stages    []Stage  `json:"stages"`
	Memory    int64    `json:"memory"` // the most that the process had, in bytes
}

// Equal are the figures of pseudo-words that are harder to find.
type Equal struct {
	Planted   []Plant `json:"planted"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// Decade is the precision of the clusters of ten years.
type Decade struct {
	From      int     `json:"from"`
	Judged    int     `json:"judged"`
	Precision float64 `json:"precision"`
	right     int
}

// Stage is a part of the way and its cost.
type Stage struct {
	Name string  `json:"name"`
	CPU  float64 `json:"cpu_seconds"`
}

// Measure measures on the speeches of a folder.
func Measure(ctx context.Context, dir string, o Options) (r Result, err error) {
	senses, err := corpus.ReadSenses(o.WordNet)
	if err != nil {
		return r, err
	}
	files, err := debates.Files(dir)
	if err != nil {
		return r, err
	}
	c, err := debates.Read(ctx, files, o.Keep)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	r = Result{Speeches: c.Speeches, Years: len(c.Years), Stages: []Stage{{"read and tag", c.CPU}}, Alarmed: []string{}}
	stage := func(name string, do func() error) {
		if err == nil {
			var used cpu.Usage
			used, err = cpu.Measure(do)
			r.Stages = append(r.Stages, Stage{name, used.CPU.Seconds()})
		}
	}
	var years []*term.Slice
	stage("lists, graphs and clusters", func() error {
		years, err = count(ctx, c, o.Terms)
		return err
	})
	stage("units", func() error {
		units := term.Units(years, o.Terms)
		r.Units = len(units)
		for _, u := range units {
			if u.To-u.From >= 2 {
				r.Long++
			}
		}
		return nil
	})
	stage("WordNet", func() error {
		r.judge(years, senses, rand.New(rand.NewPCG(o.Seed, 1)))
		return nil
	})
	stage("planted words and controls", func() error {
		return r.changes(c, years, o, rand.New(rand.NewPCG(o.Seed, 2)))
	})
	r.Memory = cpu.MaxRSS()
	return r, err
}

// count makes the slices of all years.
func count(ctx context.Context, c *debates.Corpus, o term.Options) (out []*term.Slice, err error) {
	for _, y := range c.Years {
		s, err := term.Count(y, c.Year(y), "", o)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// like is the similarity to a sense from which on terms are of it.
const like = 0.25

// judge compares clusters with WordNet.
func (r *Result) judge(years []*term.Slice, senses *corpus.Senses, random *rand.Rand) {
	var right, each, chance, chanceEach, mixed, mixedEach int
	for _, s := range years {
		var pool []string
		for t := range s.Frequency {
			if senses.Has(t) {
				pool = append(pool, t)
			}
		}
		slices.Sort(pool)
		decade := s.Year / 10 * 10
		if len(r.Decades) == 0 || r.Decades[len(r.Decades)-1].From != decade {
			r.Decades = append(r.Decades, Decade{From: decade})
		}
		d := &r.Decades[len(r.Decades)-1]
		var tops [][]string
		for _, c := range s.Clusters {
			top := slices.DeleteFunc(c.Terms(), func(t string) bool { return !senses.Has(t) })
			if len(top) >= 2 {
				tops = append(tops, top[:min(4, len(top))])
			}
		}
		r.Senses.Clusters += len(s.Clusters)
		heads := slices.Concat(tops...)
		for _, top := range tops {
			r.Senses.Judged++
			d.Judged++
			fit, least := senses.Fit(top)
			if fit >= like {
				right++
				d.right++
			}
			if least >= like {
				each++
			}
			lot := func(pool []string, one, all *int) {
				drawn := make([]string, len(top))
				for i := range drawn {
					drawn[i] = pool[random.IntN(len(pool))]
				}
				if fit, least = senses.Fit(drawn); fit >= like {
					*one++
				}
				if least >= like {
					*all++
				}
			}
			lot(pool, &chance, &chanceEach)
			lot(heads, &mixed, &mixedEach)
		}
		d.Precision = share(d.right, d.Judged)
	}
	x := &r.Senses
	x.Precision, x.Each, x.Random, x.RandomAll = share(right, x.Judged), share(each, x.Judged), share(chance, x.Judged), share(chanceEach, x.Judged)
	x.Mixed, x.MixedAll = share(mixed, x.Judged), share(mixedEach, x.Judged)
}

func share(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// changes looks for changes of pseudo-words and of words that nothing was done to.
func (r *Result) changes(c *debates.Corpus, years []*term.Slice, o Options, random *rand.Rand) error {
	words := frequent(years)
	random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	companions := term.Companions(years, 1000)
	company, err := term.ReadCompany(c.All(), c.Years, words, companions)
	if err != nil {
		return err
	}
	used := map[string]bool{}
	plants := draw(words, used, years, company, o.Planted, leastRatio, mostRatio, random)
	controls := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return used[w] })
	r.Planted = plants
	if r.Precision, r.Recall, r.F1, err = look(c, plants, companions, o.Terms); err != nil {
		return err
	}
	// of the words that are left, controls among them: these are looked at where nothing is planted
	r.Equal.Planted = draw(words, used, years, company, o.Planted, 0.5, leastRatio, random)
	if r.Equal.Precision, r.Equal.Recall, r.Equal.F1, err = look(c, r.Equal.Planted, companions, o.Terms); err != nil {
		return err
	}
	controls = controls[:min(maxControls, len(controls))]
	r.Controls = len(controls)
	for _, w := range controls {
		if c := company.Changes(w, o.Terms); len(c) > 0 {
			r.Alarmed = append(r.Alarmed, fmt.Sprintf("%s %d", w, c[0].Year))
		}
	}
	return nil
}

// maxControls bounds how many words that nothing was done to are looked at.
const maxControls = 100

// frequent returns the words that nine years of ten have eight times.
func frequent(years []*term.Slice) (out []string) {
	in := map[string]int{}
	for _, s := range years {
		for t, n := range s.Frequency {
			if n >= 8 && !strings.Contains(t, " ") {
				in[t]++
			}
		}
	}
	for t, n := range in {
		if 10*n >= 9*len(years) {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return out
}

// margin is how far from the ends of the corpus a year is planted.
const margin = 7

// Pairs are drawn so that there is something to be found: the second word is two to eight times as frequent as the first in the years around the change, so that its sense becomes the main one, and their company differs.
const (
	leastRatio, mostRatio = 2, 8
	mostLike              = 0.15
	around                = 5 // years on each side
)

// draw draws pairs of words that were not used, and years.
func draw(words []string, used map[string]bool, years []*term.Slice, company *term.Company, most int, leastRatio, mostRatio float64, random *rand.Rand) (out []Plant) {
	for try := 0; len(out) < most && try < 20_000 && len(words) > 1 && len(years) > 2*margin; try++ {
		a, b, at := words[random.IntN(len(words))], words[random.IntN(len(words))], margin+random.IntN(len(years)-2*margin)
		if a == b || used[a] || used[b] {
			continue
		}
		// what is planted counts: the word by itself. The frequency of a slice has longer phrases that end with it, too.
		na, nb := company.Said(a, at-around, at+around), company.Said(b, at-around, at+around)
		if nb >= leastRatio*na && nb <= mostRatio*na && company.Likeness(a, b) <= mostLike {
			used[a], used[b] = true, true
			out = append(out, Plant{Always: a, Since: b, Year: years[at].Year, Found: []int{}})
		}
	}
	return out
}

// word is the pseudo-word of a plant; no word of a text has its form.
func (p *Plant) word() string { return p.Always + "=" + p.Since }

// plant returns the speeches with pseudo-words in them.
func plant(c *debates.Corpus, plants []Plant) evolution.Documents {
	at := map[string]*Plant{}
	for i := range plants {
		at[plants[i].Always], at[plants[i].Since] = &plants[i], &plants[i]
	}
	return func() iter.Seq2[*evolution.Document, error] {
		return func(yield func(*evolution.Document, error) bool) {
			for d, err := range c.All()() {
				if err == nil {
					for _, s := range d.Sentences {
						for i := range s {
							if p := at[s[i].Key]; p != nil && (s[i].Key == p.Always || d.Year >= p.Year) {
								s[i].Key = p.word()
							}
						}
					}
				}
				if !yield(d, err) {
					return
				}
			}
		}
	}
}

// look plants pseudo-words and looks for them.
func look(c *debates.Corpus, plants []Plant, companions []string, o term.Options) (precision, recall, f1 float64, err error) {
	var terms []string
	for _, p := range plants {
		terms = append(terms, p.word())
	}
	company, err := term.ReadCompany(plant(c, plants), c.Years, terms, companions)
	if err != nil {
		return 0, 0, 0, err
	}
	hits, found := 0, 0
	for i := range plants {
		p := &plants[i]
		for _, c := range company.Changes(p.word(), o) {
			p.Found = append(p.Found, c.Year)
			if !p.Right && c.Year >= p.Year-2 && c.Year <= p.Year+2 {
				p.Right = true
				hits++
			}
		}
		found += len(p.Found)
	}
	precision, recall, f1 = eval.F1(hits, found, len(plants))
	return precision, recall, f1, nil
}

// Summary implements eval.Report.
func (r Result) Summary() eval.Summary {
	s := eval.Found(len(r.Planted), r.Precision, r.Recall, r.F1)
	clusters, alarms := eval.Figure(r.Senses.Precision), eval.Figure(share(len(r.Alarmed), r.Controls))
	s.Clusters, s.Alarms = &clusters, &alarms
	return s
}

// Print implements eval.Report.
func (r Result) Print(w io.Writer) error {
	s := r.Senses
	fmt.Fprintf(w, "%d speeches of %d years; %d units, %d of three years and more\n\n", r.Speeches, r.Years, r.Units, r.Long)
	fmt.Fprintf(w, "senses: %d clusters, %d with two words of WordNet\n", s.Clusters, s.Judged)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "\tone fits to the others\tone sense fits to each\n")
	fmt.Fprintf(t, "clusters\t%.3f\t%.3f\n", s.Precision, s.Each)
	fmt.Fprintf(t, "words drawn by lot\t%.3f\t%.3f\n", s.Random, s.RandomAll)
	fmt.Fprintf(t, "drawn from all that were compared\t%.3f\t%.3f\n", s.Mixed, s.MixedAll)
	if err := t.Flush(); err != nil {
		return err
	}
	for _, d := range r.Decades {
		fmt.Fprintf(w, "  %ds %.3f of %d\n", d.From, d.Precision, d.Judged)
	}
	fmt.Fprintf(w, "\nplanted: %d pseudo-words, precision %.3f, recall %.3f, F1 %.3f\n", len(r.Planted), r.Precision, r.Recall, r.F1)
	for _, p := range r.Planted {
		mark := "found"
		if !p.Right {
			mark = "MISSED"
		}
		fmt.Fprintf(w, "  %s, and %s since %d: %s %v\n", p.Always, p.Since, p.Year, mark, p.Found)
	}
	fmt.Fprintf(w, "\nthe second word half to twice as frequent: %d pseudo-words, precision %.3f, recall %.3f, F1 %.3f\n", len(r.Equal.Planted), r.Equal.Precision, r.Equal.Recall, r.Equal.F1)
	fmt.Fprintf(w, "\ncontrols: %d words, %d alarms (%.1f %%): %s\n\n", r.Controls, len(r.Alarmed), 100*share(len(r.Alarmed), r.Controls), strings.Join(r.Alarmed, ", "))
	for _, s := range r.Stages {
		fmt.Fprintf(w, "%8.1f s of CPU  %s\n", s.CPU, s.Name)
	}
	_, err := fmt.Fprintf(w, "%8.0f MB at most\n", float64(r.Memory)/1e6)
	return err
}
