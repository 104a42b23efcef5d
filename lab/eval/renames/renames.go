// Package renames measures how well former names are found (varve/evolution/name), on speeches of many years and a list of renamings that people made. No list of countries or organisations is used
// to find them.
//
// For each pair of the list the new name is asked for: the old one must be among the first three candidates, at a year within two. Then everything that the filters let through is compared with judged.tsv, pairs
// of the UN General Debate that a person judged; pairs that are not in it are told, and count neither way.
package renames

import (
	"bufio"
	"context"
	_ "embed" // the judged pairs
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"varve/evolution/name"
	"varve/lab/eval"
	"varve/lab/eval/cpu"
	"varve/lab/eval/debates"
)

//go:embed judged.tsv
var judged string

// Truth is a renaming of the list.
type Truth struct {
	Old  string `json:"old"`
	New  string `json:"new"`
	Year int    `json:"year"`
}

// Answer is what was found for one.
type Answer struct {
	Truth
	Rank       int              `json:"rank"`       // of the old name, from 1; 0 if it is not there
	Found      int              `json:"found_year"` // of that candidate
	Right      bool             `json:"right"`      // in the first three, within two years
	Candidates []name.Candidate `json:"candidates"` // the first three
}

// Pair is a renaming that the filters let through.
type Pair struct {
	name.Renaming
	Judgement string `json:"judgement"` // right, wrong, or "" if nobody judged it
}

// Result is the figures of a corpus.
type Result struct {
	Speeches  int      `json:"speeches"`
	Answers   []Answer `json:"answers"`
	Filtered  []Pair   `json:"filtered"`
	Judged    int      `json:"judged"`
	Precision float64  `json:"precision"` // of the judged ones
	CPU       float64  `json:"cpu_seconds"`
}

// Measure reads speeches and a list.
func Measure(ctx context.Context, files []string, truth, keep string, o name.Options) (r Result, err error) {
	list, err := readTruth(truth)
	if err != nil {
		return r, err
	}
	c, err := debates.Read(ctx, files, keep)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	r.Speeches = c.Speeches
	var names *name.Names
	used, err := cpu.Measure(func() error {
		names, err = name.Read(c.All(), o)
		return err
	})
	if err != nil {
		return r, err
	}
	r.CPU = used.CPU.Seconds()
	for _, t := range list {
		a := Answer{Truth: t}
		found := names.Former(t.New)
		if i := slices.IndexFunc(found, func(c name.Candidate) bool { return strings.EqualFold(c.Key, t.Old) }); i >= 0 {
			a.Rank, a.Found = i+1, found[i].Year
			a.Right = i < 3 && a.Found >= t.Year-2 && a.Found <= t.Year+2
		}
		a.Candidates = found[:min(3, len(found))]
		r.Answers = append(r.Answers, a)
	}
	right := 0
	verdicts, err := readJudged()
	if err != nil {
		return r, err
	}
	for _, x := range names.Renamings() {
		p := Pair{x, verdicts[strings.ToLower(x.Old+"\t"+x.New)]}
		if p.Judgement != "" {
			r.Judged++
		}
		if p.Judgement == "right" {
			right++
		}
		r.Filtered = append(r.Filtered, p)
	}
	r.Precision = float64(right) / float64(max(1, r.Judged))
	return r, nil
}

// readTruth reads a list: old, new and year, separated by tabs, below a line of titles.
func readTruth(file string) (out []Truth, err error) {
	f, err := eval.Open(file, "")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		c := strings.Split(lines.Text(), "\t")
		if n == 1 || len(c) == 1 && c[0] == "" {
			continue
		}
		if len(c) < 3 {
			return nil, fmt.Errorf("%s, line %d: want old, new and year, separated by tabs", file, n)
		}
		year, err := strconv.Atoi(c[2])
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %q is no year", file, n, c[2])
		}
		out = append(out, Truth{c[0], c[1], year})
	}
	return out, lines.Err()
}

// readJudged returns the verdict on each pair, old and new in lower case with a tab between them.
func readJudged() (map[string]string, error) {
	out := map[string]string{}
	n := 0
	for line := range strings.Lines(judged) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		c := strings.Split(line, "\t")
		if len(c) < 3 || c[2] != "right" && c[2] != "wrong" {
			return nil, fmt.Errorf("judged.tsv, line %d: want old, new, and right or wrong", n)
		}
		out[strings.ToLower(c[0]+"\t"+c[1])] = c[2]
	}
	return out, nil
}

// Summary implements eval.Report: recall is that of the list, precision that of the judged pairs.
func (r Result) Summary() eval.Summary {
	right := 0
	for _, a := range r.Answers {
		if a.Right {
			right++
		}
	}
	recall, precision := eval.Figure(float64(right)/float64(max(1, len(r.Answers)))), eval.Figure(r.Precision)
	return eval.Summary{N: len(r.Answers), Recall: &recall, Precision: &precision}
}

// Print implements eval.Report.
func (r Result) Print(w io.Writer) error {
	fmt.Fprintf(w, "%d speeches, %.1f s of CPU after tagging\n\n", r.Speeches, r.CPU)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "new name\told name\tyear\trank\tyear found\t\tfirst three")
	for _, a := range r.Answers {
		mark := "MISSED"
		if a.Right {
			mark = "right"
		}
		var first []string
		for _, c := range a.Candidates {
			first = append(first, fmt.Sprintf("%s (%.2f)", c.Name, c.Score))
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\t%s\n", a.New, a.Old, a.Year, a.Rank, a.Found, mark, strings.Join(first, ", "))
	}
	fmt.Fprintf(t, "\nlet through by the filters: %d, judged %d, precision %.3f\n", len(r.Filtered), r.Judged, r.Precision)
	for _, p := range r.Filtered {
		fmt.Fprintf(t, "%d\t%s\t%s\t%.2f\t%s\n", p.Year, p.Old, p.New, p.Score, p.Judgement)
	}
	return t.Flush()
}
