package main

import (
	"encoding/json"
	"os"

	"github.com/spf13/cobra"

	"varve"
	"varve/lab/eval/language"
	"varve/lab/eval/maintext"
	"varve/text/lang"
)

// languageOptions are the flags of experiment language.
type languageOptions struct {
	data, write, model, pages string
	json                      bool
}

func newExperimentLanguageCommand() *cobra.Command {
	var o languageOptions
	c := &cobra.Command{
		Use:   "language --data DIR",
		Short: "How well and how fast the language of a text is found",
		Long: `Measures language identification on the held-out fifth of labelled lines: accuracy for sentences, word pairs and
single words, lines per second of processor time, memory, and how far its confidence can be believed.
DIR holds sentences-words.tsv.gz: language, kind (sentences, word-pairs, single-words) and text between tabs.
With --write a new model is trained on the other four fifths, written to a file and measured; the one that comes with
the program was made so. docs/algorithms/language.md discusses the figures.

With --pages the main texts of real pages are tried too, against the language that they declare: the pages are those of
'varve-lab experiment maintext'.

  varve-lab experiment language --data lid
  varve-lab experiment language --data lid --pages go-trafilatura
  varve-lab experiment language --data lid --write text/lang/model.bin

Exit codes: 0 run, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runExperimentLanguage(c, o) },
	}
	f := c.Flags()
	f.StringVar(&o.data, "data", "", "folder with sentences-words.tsv.gz (required)")
	f.StringVar(&o.write, "write", "", "train a model and write it to this file first")
	f.StringVar(&o.model, "model", "", "measure the model in this file instead of the one that comes with the program")
	f.StringVar(&o.pages, "pages", "", "source folder of go-trafilatura, for its real pages")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	c.MarkFlagsMutuallyExclusive("write", "model")
	_ = c.MarkFlagRequired("data")
	return c
}

func runExperimentLanguage(c *cobra.Command, o languageOptions) error {
	fail := func(err error, hint string) error {
		return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: err.Error(), Hint: hint}
	}
	lines, err := language.Load(o.data)
	if err != nil {
		return fail(err, "--data must name a folder with sentences-words.tsv.gz")
	}
	if o.write != "" {
		if err := trainLanguage(lines, o.write); err != nil {
			return fail(err, "--write must name a file that can be written")
		}
		o.model = o.write
	}
	x, err := languageModel(o.model)
	if err != nil {
		return fail(err, "make a model with --write")
	}
	r := language.Measure(x, lines)
	if o.pages != "" {
		pages, err := maintext.Load(o.pages)
		if err != nil {
			return fail(err, "--pages must name the source folder of go-trafilatura")
		}
		found := language.MeasurePages(x, pages)
		r.Pages = &found
	}
	if o.json {
		return json.NewEncoder(c.OutOrStdout()).Encode(r)
	}
	return r.Print(c.OutOrStdout())
}

func trainLanguage(lines []language.Line, file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := language.Train(lines, f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func languageModel(file string) (*lang.Identifier, error) {
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
