package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/lid"
	"varve/lab/eval/maintext"
	"varve/text/lang"
)

// lidOptions are the flags of eval lid.
type lidOptions struct {
	write, model, pages string
	all                 bool
}

func newEvalLidCommand() *cobra.Command {
	var o lidOptions
	c := evaluation{
		use:   "lid --data PATH",
		short: "How well and how fast the language of a text is found",
		long: `Measures language identification on the held-out fifth of labelled lines: accuracy for sentences, word pairs and
single words, lines per second of processor time, memory, and how far its confidence can be believed. The summary of --json is
about sentences, the mean over languages.
PATH has language, kind (sentences, word-pairs, single-words) and text between tabs. With --write a new model is trained on
the other four fifths, written to a file and measured; the one that comes with the program was made so. With --all every line is
measured: for sets that no line of was trained on. docs/algorithms/language.md discusses the figures.

With --pages the main texts of real pages are tried too, against the language that they declare: the pages are those of
'varve-lab eval maintext'.`,
		example: `  varve-lab eval lid --data lid
  varve-lab eval lid --data lid --pages go-trafilatura
  varve-lab eval lid --data lid --write text/lang/model.bin`,
		data: labelledLines,
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&o.write, "write", "", "train a model and write it to this file first")
			f.StringVar(&o.model, "model", "", "measure the model in this file instead of the one that comes with the program")
			f.StringVar(&o.pages, "pages", "", "benchmark of 'eval maintext', for its real pages")
			f.BoolVar(&o.all, "all", false, "measure all lines, not only the held-out fifth")
		},
		measure: func(_ context.Context, data string) (eval.Report, error) { return evalLid(data, o) },
	}.command()
	c.MarkFlagsMutuallyExclusive("write", "model")
	c.MarkFlagsMutuallyExclusive("write", "all")
	return c
}

func evalLid(data string, o lidOptions) (eval.Report, error) {
	if o.write != "" {
		lines, err := lid.Load(data)
		if err == nil {
			err = trainLid(lines, o.write)
		}
		if err != nil {
			return nil, err
		}
		o.model = o.write
	}
	lines, err := labelled(data, o.all)
	if err != nil {
		return nil, err
	}
	x, err := lidModel(o.model)
	if err != nil {
		return nil, fmt.Errorf("--model: %w", err)
	}
	r := lid.Measure(x, lines)
	if o.pages != "" {
		pages, err := maintext.Load(o.pages)
		if err != nil {
			return nil, fmt.Errorf("--pages: %w", err)
		}
		found := lid.MeasurePages(x, pages)
		r.Pages = &found
	}
	return r, nil
}

func trainLid(lines []lid.Line, file string) error {
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("--write: %w", err)
	}
	if err := lid.Train(lines, f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func lidModel(file string) (*lang.Identifier, error) {
	if file == "" {
		return lang.Default(), nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return lang.Read(f)
}
