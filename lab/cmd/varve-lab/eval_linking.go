package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/entity/base"
	"varve/lab/eval"
	"varve/lab/eval/linking"
)

func newEvalLinkingCommand() *cobra.Command {
	var path string
	var given, types bool
	return evaluation{
		use:   "linking --data FILE",
		short: "How well names are linked to entities",
		long: `Links the names of documents to the entities of a base and compares with what people marked: precision, recall and F1 of mentions with their entity, coverage of the
base, number of mentions with two candidates or more and accuracy on those, F1 of NIL. FILE has a JSON document on each line: text, mentions with start and end (in
characters), and qid or title. Where the base has none of the entities that are meant, it says "not measurable" and gives no figure.`,
		example: `  varve-lab eval linking --data ../shared/data/linking/gum-wiki-dev.jsonl.gz --given-mentions
  varve-lab eval linking --data ../shared/data/linking/oke-2016-eval.jsonl.gz --base archive/entities --json`,
		data: "a file of documents with mentions (.jsonl or .jsonl.gz)",
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&path, "base", filepath.Join("dist", "kb"), "the base of entities, or its folder; 'make kb' makes the small one")
			f.BoolVar(&given, "given-mentions", false, "link the mentions that people marked instead of finding them")
			f.BoolVar(&types, "types", false, "leave out candidates that are of none of the types that a name seems to be; for the kinds of the small base")
		},
		measure: func(ctx context.Context, data string) (_ eval.Report, err error) {
			if st, err := os.Stat(path); err == nil && st.IsDir() {
				path = filepath.Join(path, base.FileName)
			}
			b, err := base.Open(path)
			if err != nil {
				return nil, fmt.Errorf("%w ('make kb' makes the small one, --base names another)", err)
			}
			defer func() { err = errors.Join(err, b.Close()) }()
			return linking.Measure(ctx, data, b, given, types)
		},
	}.command()
}
