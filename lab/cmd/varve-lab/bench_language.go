package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"varve"
	"varve/lab/eval/corpus"
	"varve/lab/eval/unitspeed"
)

func newBenchLanguageCommand() *cobra.Command {
	var data, warcs string
	var rounds int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "language --data FILE",
		Short: "What each unit of language costs, beside the sentence splitter in the same run",
		Long: `Makes all units of the documents of FILE, a treebank in CoNLL-U, one after the other, and prints tokens per CPU-second, how many times that is what the sentence splitter takes, and the memory
of all of them together. With --warc PATTERN the files are derived without the default units and with them, in turns: a WARC file, or a pattern such as 'demo/collections/citizens/warc/*.warc.gz'.

Exit codes: 0 measured, 2 could not.`,
		Example: `  varve-lab bench language --data ../shared/data/pos/ewt-dev.conllu.gz
  varve-lab bench language --data ../shared/data/pos/gum-dev.conllu.gz --warc 'demo/collections/citizens/warc/*.warc.gz'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			documents, err := corpus.ReadTreebank(data)
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: cmd.CommandPath(), Err: err, Hint: "--data must name a treebank (.conllu or .conllu.gz)"}
			}
			var texts []string
			for _, d := range documents {
				texts = append(texts, d.Text)
			}
			out := struct {
				*unitspeed.Report
				Derive *unitspeed.Derived `json:"derive,omitempty"`
			}{}
			if out.Report, err = unitspeed.Measure(cmd.Context(), texts, rounds); err != nil {
				return err
			}
			if warcs != "" {
				files, err := filepath.Glob(warcs)
				if err == nil && len(files) == 0 {
					err = fmt.Errorf("there is no file %s", warcs)
				}
				if err != nil {
					return &varve.Error{Kind: varve.Invalid, Op: cmd.CommandPath(), Err: err, Hint: "--warc takes a file or a pattern in quotes"}
				}
				dir, err := os.MkdirTemp("", "varve-bench")
				if err != nil {
					return err
				}
				defer os.RemoveAll(dir)
				if out.Derive, err = unitspeed.Derive(cmd.Context(), dir, files, rounds); err != nil {
					return err
				}
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(out)
			}
			if err := out.Print(cmd.OutOrStdout()); err != nil || out.Derive == nil {
				return err
			}
			return out.Derive.Print(cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&data, "data", "", "a treebank in CoNLL-U, for its texts (required)")
	f.StringVar(&warcs, "warc", "", "WARC files that are derived with the default units and without")
	f.IntVar(&rounds, "rounds", 2, "how often everything is measured")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	_ = cmd.MarkFlagRequired("data")
	return cmd
}
