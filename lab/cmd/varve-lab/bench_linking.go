package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"varve"
	"varve/entity/base"
	"varve/lab/eval/linkspeed"
)

func newBenchLinkingCommand() *cobra.Command {
	var data, path string
	var c linkspeed.Config
	var documents, rounds int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "linking --data FILE",
		Short: "Linking names of documents of 500 words, beside tagging alone",
		Long: `Cuts the texts of FILE into documents of 500 words and links their names with a base (--base), or with a generated one of --entities entities in which every name of the documents has --namesakes namesakes. Prints documents
per CPU-second for tags, mentions and links, and the memory.

  varve-lab bench linking --data ../shared/data/linking/gum-wiki-train.jsonl.gz --base dist/kb
  varve-lab bench linking --data ../shared/data/linking/gum-wiki-train.jsonl.gz --entities 2000000

Exit codes: 0 measured, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			texts, err := linkspeed.Documents(data, documents)
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: cmd.CommandPath(), Err: err, Hint: "--data must name a file of documents with mentions (.jsonl or .jsonl.gz)"}
			}
			file := path
			if st, err := os.Stat(path); err == nil && st.IsDir() {
				file = filepath.Join(path, base.FileName)
			}
			if path == "" {
				dir, err := os.MkdirTemp("", "varve-bench")
				if err != nil {
					return err
				}
				defer os.RemoveAll(dir)
				if file, _, err = linkspeed.Generate(cmd.Context(), dir, texts, c); err != nil {
					return err
				}
			}
			b, err := base.Open(file)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, b.Close()) }()
			r, err := linkspeed.Measure(cmd.Context(), texts, b, rounds)
			if err != nil {
				return err
			}
			if st, err := os.Stat(file); err == nil {
				r.FileMB = st.Size() >> 20
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(r)
			}
			return r.Print(cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&data, "data", "", "a file of documents with mentions (required)")
	f.StringVar(&path, "base", "", "the base of entities, or its folder (default: a generated one)")
	f.IntVar(&c.Entities, "entities", 2_000_000, "entities of the generated base")
	f.IntVar(&c.Namesakes, "namesakes", 20, "entities of each name of the documents in the generated base")
	f.IntVar(&documents, "documents", 40, "documents to link")
	f.IntVar(&rounds, "rounds", 3, "how often each is measured")
	f.BoolVar(&asJSON, "json", false, "print one JSON object")
	c.Memory = 256 << 20
	_ = cmd.MarkFlagRequired("data")
	return cmd
}
