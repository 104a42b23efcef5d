// Package times measures how well expressions of time are found and understood, on cases in the form of Recognizers-Text: a
// text, the moment from which relative dates count, and the expressions in it with their places, types and values. A case
// is right if all of its expressions are found, no other is, and all places, types and values are equal.
//
// Of the cases those of DateTimeModel are judged, the whole recogniser with default options. Others are left out, and counted by
// reason: other modes and parts of that recogniser, cases that no implementation of it supports, and types that we do not have.
package times

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"varve/lab/eval"
	"varve/lab/eval/cpu"
	"varve/language/sentence"
	"varve/language/timex"
)

// Model is the name of the cases that are judged.
const Model = "DateTimeModel"

// Case is a case as it is written.
type Case struct {
	Spec         string   `json:"spec"`
	N            int      `json:"n"`
	Input        string   `json:"input"`
	Reference    string   `json:"reference"`
	NotSupported string   `json:"not_supported"`
	Results      []Result `json:"results"`
}

// Result is an expression of a case. Places are characters.
type Result struct {
	Text   string   `json:"text"`
	Type   string   `json:"type"`
	Start  int      `json:"start"`
	End    int      `json:"end"`
	Values []Values `json:"values"`
}

// Values is a reading. Of what is written there the zone and the kind of the source are not compared.
type Values struct {
	Timex string `json:"timex"`
	Mod   string `json:"Mod"`
	Value string `json:"value"`
	Start string `json:"start"`
	End   string `json:"end"`
}

// Report is what was measured.
type Report struct {
	Cases    int            `json:"cases"`
	Right    int            `json:"right"`
	Plain    int            `json:"plain"` // cases that a pattern for written dates has right
	Spans    int            `json:"spans"` // cases with all places right
	Types    int            `json:"types"` // and all types
	Kinds    []Kind         `json:"kinds"`
	LeftOut  map[string]int `json:"left_out"`
	Speed    float64        `json:"tokens_per_cpu_second"`
	Splitter float64        `json:"splitter_tokens_per_cpu_second"`
	Wrong    []string       `json:"wrong,omitempty"`
}

// Kind is the figures of a type.
type Kind struct {
	Type  string `json:"type"`
	There int    `json:"there"`
	Right int    `json:"right"`
}

// Load reads cases, one a line.
func Load(path string) ([]Case, error) {
	r, err := eval.Open(path, "")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var list []Case
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 4<<20)
	for n := 1; lines.Scan(); n++ {
		var c Case
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, n, err)
		}
		list = append(list, c)
	}
	return list, lines.Err()
}

// ours are the types that are judged.
var ours = map[string]bool{
	"date": true, "daterange": true, "datetime": true, "datetimerange": true, "time": true, "timerange": true, "duration": true, "set": true,
}

// leftOut returns why a case is not judged; "" if it is.
func (c Case) leftOut() string {
	if c.Spec != Model {
		return "other mode or part: " + c.Spec
	}
	if strings.Contains(strings.ToLower(c.NotSupported), "dotnet") {
		return "supported by no implementation"
	}
	for _, r := range c.Results {
		if r.Type == "" {
			return "no type is given"
		}
		if t := strings.TrimPrefix(r.Type, "datetimeV2."); !ours[t] {
			return "type " + t
		}
	}
	return ""
}

// Measure judges the cases. wrong lists the cases that are not right.
func Measure(cases []Case, wrong bool) (Report, error) {
	r := Report{LeftOut: map[string]int{}}
	f, err := timex.New("en")
	if err != nil {
		return r, err
	}
	kinds := map[string]*Kind{}
	var texts []string
	for _, c := range cases {
		if why := c.leftOut(); why != "" {
			r.LeftOut[why]++
			continue
		}
		ref, err := time.Parse("2006-01-02T15:04:05", c.Reference[:min(len(c.Reference), 19)])
		if err != nil {
			ref = time.Date(2016, 11, 7, 0, 0, 0, 0, time.UTC)
		}
		r.Cases++
		texts = append(texts, c.Input)
		got, want := ofOurs(c.Input, f.Find(c.Input, ref)), c.Results
		for i := range want {
			want[i].Type = strings.TrimPrefix(want[i].Type, "datetimeV2.")
		}
		there := map[string]bool{}
		for _, g := range got {
			there[g.key(3)] = true
		}
		for _, w := range want {
			if kinds[w.Type] == nil {
				kinds[w.Type] = &Kind{Type: w.Type}
			}
			kinds[w.Type].There++
			if there[w.key(3)] {
				kinds[w.Type].Right++
			}
		}
		if same(written(c.Input), want, 3) {
			r.Plain++
		}
		level := 0
		for level < 3 && same(got, want, level+1) {
			level++
		}
		if level >= 1 {
			r.Spans++
		}
		if level >= 2 {
			r.Types++
		}
		if level == 3 {
			r.Right++
		} else if wrong {
			r.Wrong = append(r.Wrong, fmt.Sprintf("%d %s [%s]\n  want %s\n  got  %s", c.N, c.Input, c.Reference, list(want), list(got)))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		r.Kinds = append(r.Kinds, *kinds[k])
	}
	return r, r.speed(f, texts)
}

// dates is what the baseline finds: dates that are written in full, and years.
var dates = regexp.MustCompile(`(?i)\b(?:\d{4}-\d\d-\d\d|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2},? \d{4}|(?:19|20)\d\d)\b`)

// written returns the dates that the pattern finds.
func written(text string) (out []Result) {
	for _, at := range dates.FindAllStringIndex(text, -1) {
		s := text[at[0]:at[1]]
		r := Result{Type: "date", Start: utf8.RuneCountInString(text[:at[0]]), End: utf8.RuneCountInString(text[:at[1]])}
		for _, layout := range []string{"2006-01-02", "January 2, 2006", "January 2 2006"} {
			if t, err := time.Parse(layout, s); err == nil {
				r.Values = []Values{{Timex: t.Format(time.DateOnly), Value: t.Format(time.DateOnly)}}
			}
		}
		if t, err := time.Parse("2006", s); err == nil {
			r.Type, r.Values = "daterange", []Values{{Timex: s, Start: t.Format(time.DateOnly), End: t.AddDate(1, 0, 0).Format(time.DateOnly)}}
		}
		out = append(out, r)
	}
	return out
}

// ofOurs returns what we found in the form of a case.
func ofOurs(text string, found []timex.Expression) (out []Result) {
	for _, e := range found {
		x := Result{Text: strings.ToLower(text[e.Start:e.End]), Type: string(e.Type), Start: utf8.RuneCountInString(text[:e.Start]), End: utf8.RuneCountInString(text[:e.End])}
		for _, v := range e.Values {
			w := Values{v.Timex, v.Mod, v.Value, v.Start, v.End}
			if v.Value == "" && v.Start == "" && v.End == "" {
				w.Value = "not resolved"
			}
			x.Values = append(x.Values, w)
		}
		out = append(out, x)
	}
	return out
}

// key writes a result to compare it: its place, with its type, with its values.
func (r Result) key(level int) string {
	s := fmt.Sprint(r.Start, r.End)
	if level > 1 {
		s += r.Type
	}
	if level > 2 {
		s += fmt.Sprint(r.Values)
	}
	return s
}

func same(got, want []Result, level int) bool {
	return slices.EqualFunc(got, want, func(a, b Result) bool { return a.key(level) == b.key(level) })
}

func list(results []Result) string {
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintf(&b, "%q %s %v; ", r.Text, r.Type, r.Values)
	}
	return b.String()
}

// speed counts tokens per CPU second beside the sentence splitter, on the texts of the cases. The tokens are the splitter's.
func (r *Report) speed(f *timex.Finder, texts []string) error {
	text := strings.Join(texts, "\n")
	rounds := 500_000/(len(text)+1) + 1
	count := 0
	used, err := cpu.Measure(func() error {
		for range rounds {
			for s := range sentence.Split(text) {
				count += len(s.Tokens)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.Splitter = float64(count) / used.CPU.Seconds()
	ref := time.Date(2016, 11, 7, 0, 0, 0, 0, time.UTC)
	used, err = cpu.Measure(func() error {
		for range rounds {
			f.Find(text, ref)
		}
		return nil
	})
	r.Speed = float64(count) / used.CPU.Seconds()
	return err
}

// Summary implements eval.Report: the share of cases that are right.
func (r Report) Summary() eval.Summary {
	return eval.Answered(r.Cases, float64(r.Right)/float64(max(1, r.Cases)))
}

// Baseline implements eval.Compared.
func (r Report) Baseline() (way string, figure float64) {
	return "a pattern for dates written in full, and years", float64(r.Plain) / float64(max(1, r.Cases))
}

// Print writes the figures.
func (r Report) Print(w io.Writer) error {
	share := func(n, of int) float64 { return float64(n) / float64(max(1, of)) }
	var b strings.Builder
	fmt.Fprintf(&b, "cases judged              %6d\n", r.Cases)
	fmt.Fprintf(&b, "all places equal          %6.3f\n", share(r.Spans, r.Cases))
	fmt.Fprintf(&b, "and all types             %6.3f\n", share(r.Types, r.Cases))
	fmt.Fprintf(&b, "and all values            %6.3f   (a pattern for dates written in full, and years: %.3f)\n", share(r.Right, r.Cases), share(r.Plain, r.Cases))
	fmt.Fprintf(&b, "\n%-14s %6s %6s\n", "expressions", "there", "right")
	for _, k := range r.Kinds {
		fmt.Fprintf(&b, "%-14s %6d %6.3f\n", k.Type, k.There, share(k.Right, k.There))
	}
	fmt.Fprintf(&b, "\ntokens per CPU-s %8.0f   (sentence splitter in the same run: %.0f, %.2f times)\n", r.Speed, r.Splitter, r.Speed/r.Splitter)
	fmt.Fprintf(&b, "\nleft out\n")
	for _, why := range slices.Sorted(maps.Keys(r.LeftOut)) {
		fmt.Fprintf(&b, "%6d  %s\n", r.LeftOut[why], why)
	}
	if len(r.Wrong) > 0 {
		fmt.Fprintf(&b, "\nnot right\n%s\n", strings.Join(r.Wrong, "\n"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
