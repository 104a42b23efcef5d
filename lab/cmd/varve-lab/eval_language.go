package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"varve"
	"varve/lab/eval"
	"varve/lab/eval/events"
	"varve/lab/eval/ocr"
	"varve/lab/eval/pos"
	"varve/lab/eval/sentences"
	"varve/lab/eval/terms"
	"varve/lab/eval/times"
	"varve/lab/models"
	"varve/language/lexicon"
	"varve/language/mention"
	"varve/language/opinion"
	"varve/language/tag"
)

// languageSet is one row of the table of units: a set below the folder of data, how it is measured, and what is to be reached on it.
type languageSet struct {
	unit    string
	file    string // below the folder of data; packed (.gz) or not
	how     string // what was learned from, where that is not plain
	goal    float64
	peer    *languagePeer
	measure func(ctx context.Context, data, file string) (eval.Report, error)
}

// languagePeer is what another program reached on a set, trained on the same data. It is not run here: the card of the model has the commands that made the figure.
type languagePeer struct {
	Name   string      `json:"name"`
	Figure eval.Figure `json:"figure"`
	Card   string      `json:"card"`
}

// languageSets are the rows, in the order of specs/language.md. A new unit adds its own.
func languageSets() []languageSet {
	cut := func(_ context.Context, _, file string) (eval.Report, error) {
		texts, err := sentences.Load(file, "en")
		if err != nil {
			return nil, err
		}
		return sentences.Measure(texts), nil
	}
	tagged := func(_ context.Context, _, file string) (eval.Report, error) { return pos.Measure(file, tag.Default()) }
	named := func(folds int) func(context.Context, string, string) (eval.Report, error) {
		return func(_ context.Context, data, file string) (eval.Report, error) {
			return models.Validate(data, file, folds, lexicon.Default(), tag.Default(), mention.DefaultOptions())
		}
	}
	timed := func(_ context.Context, _, file string) (eval.Report, error) {
		cases, err := times.Load(file)
		if err != nil {
			return nil, err
		}
		return times.Measure(cases, false)
	}
	extracted := func(_ context.Context, data, file string) (eval.Report, error) {
		parts := strings.Split(eval.SetName(file), "-") // acter-DOMAIN-LANG
		return terms.Measure(filepath.Join(data, "terms"), parts[1], parts[2])
	}
	judged := func(_ context.Context, data, file string) (eval.Report, error) {
		return models.ValidateOpinions(data, file, opinion.Default().Lexicon())
	}
	told := func(ctx context.Context, data, _ string) (eval.Report, error) { return events.Measure(ctx, data) }
	repaired := func(_ context.Context, data, _ string) (eval.Report, error) {
		documents, err := ocr.Load(data)
		if err != nil {
			return nil, err
		}
		return ocr.Measure(documents, ocr.Judged(), false)
	}
	openNLP := func(figure eval.Figure) *languagePeer {
		return &languagePeer{"OpenNLP 1.9.4", figure, "docs/models/tags.md"}
	}
	return []languageSet{
		{unit: "sentences", file: "pos/gum-dev.conllu", goal: 0.95, measure: cut},
		{unit: "tags", file: "pos/ewt-dev.conllu", how: "Penn tags on gold tokens", goal: 0.952, peer: openNLP(0.9291), measure: tagged},
		{unit: "tags", file: "pos/gum-dev.conllu", how: "Penn tags on gold tokens", goal: 0.957, peer: openNLP(0.9408), measure: tagged},
		{unit: "mentions", file: "ner/uner-ewt-dev.tsv", how: "3 folds, trained on the others and all other sets", goal: 0.72, measure: named(3)},
		{unit: "mentions", file: "ner/uner-ewt-dev.tsv", how: "trained without it", goal: 0.66, measure: named(0)},
		{unit: "mentions", file: "ner/wnut17-dev.tsv", how: "six types, trained without it", goal: 0.42, measure: named(0)},
		{unit: "times", file: "timex/recognizers-en-D.jsonl", how: "places, types and values of a case all equal", goal: 0.85, measure: timed},
		{unit: "terms", file: "terms/acter-corp-en.jsonl", how: "forms, list without names", goal: 0.36, measure: extracted},
		{unit: "terms", file: "terms/acter-equi-en.jsonl", how: "forms, list without names", goal: 0.36, measure: extracted},
		{unit: "terms", file: "terms/acter-wind-en.jsonl", how: "forms, list without names", goal: 0.36, measure: extracted},
		{unit: "opinions", file: "sentiment/vader-tweets.tsv", how: "trained on the other sets", goal: 0.6, measure: judged},
		{unit: "opinions", file: "sentiment/vader-amazon.tsv", how: "trained on the other sets", goal: 0.6, measure: judged},
		{unit: "opinions", file: "sentiment/vader-movies.tsv", how: "trained on the other sets", goal: 0.6, measure: judged},
		{unit: "events", file: "pos/gum-train.conllu", how: "labelled sentences of three sets, without the development third; trigger, class and all roles", goal: 0.094, measure: told},
		{unit: "quality", file: "ner/NC/hipe/topres19th-dev-en.tsv", how: "badly scanned words that become what was printed, with the UN speeches", goal: 0.70, measure: repaired},
	}
}

// languageRow is what was measured of one set, or why not.
type languageRow struct {
	Unit string `json:"unit"`
	eval.Summary
	How      string        `json:"how,omitempty"`
	Goal     float64       `json:"goal"`
	Baseline *eval.Figure  `json:"baseline,omitempty"`
	Plain    string        `json:"plain,omitempty"` // what the baseline does
	Peer     *languagePeer `json:"peer,omitempty"`  // recorded, not measured here
	Missing  string        `json:"missing,omitempty"`
}

func newEvalLanguageCommand() *cobra.Command {
	var data string
	var units []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "language --data DIR",
		Short: "All units of language on all sets, beside their goals and a plain way",
		Long: `Measures each unit of language/ on its sets in DIR (folders pos, ner, ... as in ../shared/data) and prints one row for each set: the figure, the goal,
what a plain way reaches that learns nothing, and what other programs reached that were trained on the same data, as recorded. Names are measured by models that are trained anew without the set, or by
cross-validation, which takes some minutes; --units leaves them out. A set that is not there is told in its row.

With --json each row is a line of JSON as soon as it is measured.

Exit codes: 0 all sets were measured, 1 some are missing, 2 could not.`,
		Example: `  varve-lab eval language --data ../shared/data
  varve-lab eval language --data ../shared/data --units sentences,tags --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			rows, err := chosenSets(units)
			if err != nil {
				return err
			}
			return evalLanguage(c.Context(), c.OutOrStdout(), data, rows, asJSON)
		},
	}
	c.Flags().StringVar(&data, "data", "", "folder with the folders of sets (required)")
	c.Flags().StringSliceVar(&units, "units", nil, "only these units (default: all)")
	c.Flags().BoolVar(&asJSON, "json", false, "print a line of JSON for each set")
	_ = c.MarkFlagRequired("data")
	return c
}

// chosenSets returns the sets of some units; of all if there are none.
func chosenSets(units []string) ([]languageSet, error) {
	all := languageSets()
	if len(units) == 0 {
		return all, nil
	}
	var out []languageSet
	for _, u := range units {
		of := slices.DeleteFunc(slices.Clone(all), func(s languageSet) bool { return s.unit != u })
		if len(of) == 0 {
			var names []string
			for _, s := range all {
				names = append(names, s.unit)
			}
			return nil, &varve.Error{Kind: varve.Invalid, Op: "eval language", Msg: fmt.Sprintf("there is no unit %q", u), Hint: fmt.Sprintf("--units takes %q", slices.Compact(names))}
		}
		out = append(out, of...)
	}
	return out, nil
}

func evalLanguage(ctx context.Context, w io.Writer, data string, sets []languageSet, asJSON bool) error {
	if _, err := os.Stat(data); err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "eval language", Err: err, Hint: "--data must name the folder that has pos, ner and the others"}
	}
	if !asJSON {
		fmt.Fprintf(w, "%-10s %-16s %6s %-8s %7s %7s %9s  %s\n", "unit", "set", "n", "measure", "figure", "goal", "baseline", "how; what the baseline is")
	}
	missing := false
	for _, s := range sets {
		if err := ctx.Err(); err != nil {
			return err
		}
		row, err := s.row(ctx, data)
		if err != nil {
			return &varve.Error{Kind: varve.Invalid, Op: "eval language, " + s.file, Err: err, Hint: "the set must have the format of its folder's README"}
		}
		missing = missing || row.Missing != ""
		if asJSON {
			err = json.NewEncoder(w).Encode(row)
		} else {
			err = row.print(w)
		}
		if err != nil {
			return err
		}
	}
	if missing {
		return varve.ErrFindings
	}
	return nil
}

func (s *languageSet) row(ctx context.Context, data string) (*languageRow, error) {
	row := &languageRow{Unit: s.unit, Summary: eval.Summary{Set: eval.SetName(s.file)}, How: s.how, Goal: s.goal, Peer: s.peer}
	file := filepath.Join(data, s.file)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		file += ".gz"
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		row.Missing = s.file + " is not there"
		return row, nil
	}
	r, err := s.measure(ctx, data, file)
	if err != nil {
		return nil, err
	}
	row.Summary = r.Summary()
	row.Set = eval.SetName(s.file)
	if c, ok := r.(eval.Compared); ok {
		way, figure := c.Baseline()
		f := eval.Figure(figure)
		row.Plain, row.Baseline = way, &f
	}
	return row, nil
}

func (r *languageRow) print(w io.Writer) error {
	if r.Missing != "" {
		_, err := fmt.Fprintf(w, "%-10s %-16s not measured: %s\n", r.Unit, r.Set, r.Missing)
		return err
	}
	name, figure := r.Measure()
	baseline := "-"
	if r.Baseline != nil {
		baseline = fmt.Sprintf("%.3f", float64(*r.Baseline))
	}
	about := r.Plain
	if r.How != "" {
		about = r.How + "; " + r.Plain
	}
	if r.Peer != nil {
		about += fmt.Sprintf("; %s trained on the same had %.3f (recorded in %s)", r.Peer.Name, float64(r.Peer.Figure), r.Peer.Card)
	}
	_, err := fmt.Fprintf(w, "%-10s %-16s %6d %-8s %7.3f %7.3f %9s  %s\n", r.Unit, r.Set, r.N, name, figure, r.Goal, baseline, about)
	return err
}
