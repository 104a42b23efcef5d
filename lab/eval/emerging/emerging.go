// Package emerging measures how well it is told what begins to be used and goes on.
//
// # Phrases
//
// On titles of many years (varve/evolution/emerging), whose rule is the truth: a noun phrase emerges in year y if its share of the titles in y..y+2 is at least ten times that of all years before y, at least 1 in 1,000, and above
// half of that in each later year. A phrase that emerges is found if it is flagged in y or y+1, for one of its years y, from the titles up to that year. A flag is false if the rule holds for no year; flags of the last two
// years, of which the titles cannot tell, are not judged. "Stays above half of that until the end" can also be read of all later years together; the figures of that reading are printed, too, and of both those of the flags
// from 2000 on, when there is something to learn from. Beside it stands a plain threshold: a phrase is flagged in the first year that has it in 1 of 1,000 titles, and twice.
//
// # Concepts
//
// A stream of weekly slices with planted concepts (varve/evolution/concept), found by Jaccard 0.5, beside single terms; and a tree of WordNet from which leaves were taken: which topics are told to get new ones?
package emerging

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"varve/evolution"
	"varve/evolution/emerging"
	"varve/lab/eval"
	"varve/lab/eval/corpus"
	"varve/lab/eval/cpu"
	"varve/language"
)

// Options are what is measured.
type Options struct {
	WordNet string // wordnet-3.0.tar.gz; "" to leave out the tree
	Seed    uint64 // of the stream and of the leaves
	Phrases emerging.Options
}

// Score is how well flags fit to the rule.
type Score struct {
	Flags  int     `json:"flags"`
	Judged int     `json:"judged"` // those that can be false
	Found  int     `json:"found"`  // phrases that emerge and were flagged in time
	Recall float64 `json:"recall"`
	False  float64 `json:"false"` // share of the judged flags
}

// Phrase is one that emerges.
type Phrase struct {
	Phrase string `json:"phrase"`
	Years  []int  `json:"years"`             // for which the rule holds
	Flag   int    `json:"flagged,omitempty"` // year; 0: never
	Found  bool   `json:"found"`
}

// Reading is the figures of one reading of the rule.
type Reading struct {
	Name    string `json:"name"`
	Emerge  int    `json:"emerge"`
	Learned Score  `json:"learned"`
	Plain   Score  `json:"plain"`
	Since   int    `json:"since"` // year
	Late    int    `json:"late"`  // phrases that emerge from it on
	Lately  Score  `json:"lately"`
}

// Result is the figures.
type Result struct {
	Titles   int             `json:"titles"`
	From     int             `json:"from"`
	To       int             `json:"to"`
	Counted  int             `json:"phrases"`
	Emerge   []Phrase        `json:"emerge"`
	Learned  Score           `json:"learned"`
	Plain    Score           `json:"plain"`
	Readings []Reading       `json:"readings"` // the one that the figures above are of first
	False    []emerging.Flag `json:"false_flags"`
	Stream   Stream          `json:"stream"`
	Taxonomy *Taxonomy       `json:"taxonomy,omitempty"`
	CPU      float64         `json:"cpu_seconds"`
	Memory   int64           `json:"memory"`
}

// Measure reads a file of titles: id, year, venue and title, separated by tabs, below a line of names.
func Measure(ctx context.Context, file string, o Options) (r Result, err error) {
	used, err := cpu.Measure(func() error { return r.measure(ctx, file, o) })
	r.CPU, r.Memory = used.CPU.Seconds(), cpu.MaxRSS()
	return r, err
}

func (r *Result) measure(ctx context.Context, file string, o Options) error {
	titles, err := read(ctx, file)
	if err != nil {
		return err
	}
	c, flags, truth, err := r.read(titles, "in each later year", o.Phrases)
	if err != nil {
		return err
	}
	r.Titles, r.Counted = len(titles), len(c.Phrases())
	r.Learned, r.Plain = r.Readings[0].Learned, r.Readings[0].Plain
	together := o.Phrases
	together.Together = true
	if _, _, _, err := r.read(titles, "in all later years together", together); err != nil {
		return err
	}
	told := map[string]int{}
	r.False = []emerging.Flag{}
	for _, f := range flags {
		told[f.Phrase] = f.Year
		if r.decided(f.Year) && truth[f.Phrase] == nil {
			r.False = append(r.False, f)
		}
	}
	for _, p := range c.Phrases() {
		if years := truth[p]; years != nil {
			r.Emerge = append(r.Emerge, Phrase{p, years, told[p], inTime(told[p], years)})
		}
	}
	slices.SortStableFunc(r.Emerge, func(a, b Phrase) int { return a.Years[0] - b.Years[0] })
	r.Stream = measureStream(rand.New(rand.NewPCG(o.Seed, 4)))
	if o.WordNet == "" {
		return nil
	}
	tree, err := corpus.ReadTree(o.WordNet, "science")
	if err != nil {
		return err
	}
	foreign, err := corpus.ReadTree(o.WordNet, "artifact")
	if err != nil {
		return err
	}
	t := predict(tree, foreign, rand.New(rand.NewPCG(o.Seed, 5)))
	r.Taxonomy = &t
	return nil
}

// recent is the year from which on flags are looked at by themselves.
const recent = 2000

// read flags phrases of titles and compares them with one reading of the rule.
func (r *Result) read(titles []*evolution.Document, name string, o emerging.Options) (*emerging.Counts, []emerging.Flag, map[string][]int, error) {
	c, err := emerging.Read(evolution.Of(titles), o)
	if err != nil {
		return nil, nil, nil, err
	}
	flags, err := c.Flags()
	if err != nil {
		return nil, nil, nil, err
	}
	r.From, r.To = c.From, c.From+len(c.Total)-1
	truth, lately := map[string][]int{}, map[string][]int{}
	for _, p := range c.Phrases() {
		years := c.Rule(p)
		if years == nil {
			continue
		}
		truth[p] = years
		if years[0] >= recent {
			lately[p] = years
		}
	}
	x := Reading{Name: name, Emerge: len(truth), Learned: r.score(flags, truth, len(truth)), Plain: r.score(plain(c, o), truth, len(truth)), Since: recent, Late: len(lately)}
	// a flag of these years for a phrase that emerged before them is not false, but finds none of those that are counted
	x.Lately = r.score(slices.DeleteFunc(slices.Clone(flags), func(f emerging.Flag) bool { return f.Year < recent }), truth, 0)
	x.Lately.Found = 0
	for _, f := range flags {
		if inTime(f.Year, lately[f.Phrase]) {
			x.Lately.Found++
		}
	}
	x.Lately.Recall = float64(x.Lately.Found) / float64(max(1, len(lately)))
	r.Readings = append(r.Readings, x)
	return c, flags, truth, nil
}

// decided reports whether the titles tell if something emerges that is flagged in a year.
func (r *Result) decided(year int) bool { return year <= r.To-2 }

// inTime reports whether a flag comes in the year in which a phrase emerges, or in the next.
func inTime(flag int, years []int) bool {
	return slices.ContainsFunc(years, func(y int) bool { return flag == y || flag == y+1 })
}

func (r *Result) score(flags []emerging.Flag, truth map[string][]int, of int) (s Score) {
	wrong := 0
	for _, f := range flags {
		s.Flags++
		if inTime(f.Year, truth[f.Phrase]) {
			s.Found++
		}
		if truth[f.Phrase] != nil || r.decided(f.Year) {
			s.Judged++
			if truth[f.Phrase] == nil {
				wrong++
			}
		}
	}
	s.Recall, s.False = float64(s.Found)/float64(max(1, of)), float64(wrong)/float64(max(1, s.Judged))
	return s
}

// plain flags by a threshold of the share of a year.
func plain(c *emerging.Counts, o emerging.Options) (out []emerging.Flag) {
	for _, p := range c.Phrases() {
		for y := c.From + 1; y < c.From+len(c.Total); y++ {
			if c.Documents(p, y) >= 2 && c.Share(p, y) >= o.MinShare {
				out = append(out, emerging.Flag{Phrase: p, Year: y})
				break
			}
		}
	}
	return out
}

// read finds the phrases of titles.
func read(ctx context.Context, file string) (out []*evolution.Document, err error) {
	f, err := eval.Open(file, "")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	a := language.New()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		c := strings.SplitN(lines.Text(), "\t", 4)
		if n == 1 || lines.Text() == "" {
			continue
		}
		if len(c) < 4 {
			return nil, fmt.Errorf("%s, line %d: want id, year, venue and title, separated by tabs", file, n)
		}
		year, err := strconv.Atoi(c[1])
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %q is no year", file, n, c[1])
		}
		doc, err := a.Analyse(ctx, language.Text{Text: sentenceCase(c[3]), Language: "en"}, language.Phrases)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, n, err)
		}
		out = append(out, &evolution.Document{ID: c[0], Source: c[2], Year: year, Sentences: evolution.Sentences(doc.Phrases)})
	}
	return out, lines.Err()
}

// sentenceCase takes the capitals from a title in which most longer words have one ("Learning to Parse"), else each word looks like a name; "OWL" and "WordNet" keep theirs.
func sentenceCase(title string) string {
	long, capital := 0, 0
	for _, w := range strings.Fields(title) {
		if first := []rune(w)[0]; len(w) > 3 && unicode.IsLetter(first) {
			long++
			if unicode.IsUpper(first) {
				capital++
			}
		}
	}
	if 2*capital <= long {
		return title
	}
	out := []rune(title)
	for i := 0; i < len(out); {
		end := i + 1
		for end < len(out) && out[end-1] != ' ' && out[end-1] != '-' {
			end++
		}
		if word := out[i:end]; !slices.ContainsFunc(word[1:], unicode.IsUpper) {
			word[0] = unicode.ToLower(word[0])
		}
		i = end
	}
	return string(out)
}

// Summary implements eval.Report: recall is the share of the phrases that emerge, precision that of the flags that are not false.
func (r Result) Summary() eval.Summary {
	p, f := 1-r.Learned.False, 0.0
	if p+r.Learned.Recall > 0 {
		f = 2 * p * r.Learned.Recall / (p + r.Learned.Recall)
	}
	return eval.Found(len(r.Emerge), p, r.Learned.Recall, f)
}

// Baseline implements eval.Compared.
func (r Result) Baseline() (way string, figure float64) {
	p := 1 - r.Plain.False
	return "a threshold of frequency", 2 * p * r.Plain.Recall / max(1e-9, p+r.Plain.Recall)
}

// Print implements eval.Report.
func (r Result) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d titles of %d to %d, %d phrases, %d of them emerge\n\n", r.Titles, r.From, r.To, r.Counted, len(r.Emerge))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, x := range r.Readings {
		fmt.Fprintf(t, "above half %s: %d\tflags\tjudged\tflagged in time\tof those that emerge\tfalse\n", x.Name, x.Emerge)
		for _, row := range []struct {
			name string
			Score
		}{{"learned from the years before", x.Learned}, {fmt.Sprintf("the same, flags and those that emerge from %d on (%d)", x.Since, x.Late), x.Lately}, {"threshold of frequency", x.Plain}} {
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.3f\t%.3f\n", row.name, row.Flags, row.Judged, row.Found, row.Recall, row.False)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nphrases that emerge, the years for which the rule holds, the year of the flag")
	for _, p := range r.Emerge {
		mark := "MISSED"
		if p.Found {
			mark = "found"
		}
		fmt.Fprintf(w, "  %s %v %d %s\n", p.Phrase, p.Years, p.Flag, mark)
	}
	s := r.Stream
	fmt.Fprintf(w, "\nstream of %d weeks: %d concepts planted, %d found, precision %.3f, recall %.3f\n", s.Weeks, s.Planted, s.Found, s.Precision, s.Recall)
	fmt.Fprintf(w, "  single terms: %d, of which %.3f belong to a concept, %.3f are one\n", s.Terms, s.Belong, s.Alone)
	if x := r.Taxonomy; x != nil {
		fmt.Fprintf(w, "\nscience in WordNet: %d topics, %d leaves taken away, %d concepts from elsewhere\n", x.Topics, x.Taken, x.Foreign)
		fmt.Fprintf(w, "  told to be a topic here: precision %.3f, recall %.3f\n", x.Precision, x.Recall)
		for _, d := range x.Depths {
			fmt.Fprintf(w, "  told to get a subtopic, depth %d: %d of %d topics, precision %.3f, recall %.3f\n", d.Depth, d.Hot, d.Grown, d.Precision, d.Recall)
		}
	}
	_, err := fmt.Fprintf(w, "\n%8.1f s of CPU\n%8.0f MB at most\n", r.CPU, float64(r.Memory)/1e6)
	return err
}
