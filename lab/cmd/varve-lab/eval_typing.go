package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/entity/base"
	"varve/entity/kind"
	"varve/lab/eval"
	"varve/lab/eval/typing"
	"varve/lab/models"
	"varve/language/lexicon"
	"varve/language/tag"
)

func newEvalTypingCommand() *cobra.Command {
	var types, path, train string
	var folds int
	return evaluation{
		use:   "typing --data FILE --map TYPES",
		short: "How well the kinds of names are found",
		long: `Types the names that people marked, and compares: the roots alone and all types; strict (all types of a name and no other), macro (mean over names), micro (all pairs of name and type) and
macro by type; by depth; with --train also names that were learned from and others apart. The baseline has a list of names and learns nothing.

FILE has a token and a BIO label on each line (several labels with commas between them), or JSON on each line: tokens with mentions (start, end, labels), or text with mentions in characters. TYPES says what its labels
mean: lines of a label, a tab, and types (- of none, ? not known); 'wordnet' and 'figer' are maps of the sets that we know, and a label that is a type needs no line. Types that begin with / are FIGER's.

The models that come with the program have learned from CrossNER, GUM, OKE, UNER and WNUT; on these their figures say nothing. With --train DIR a model is trained without FILE, with --folds N
so that no name that is measured was learned from in any set. With --base, candidates of names are left out by their types.`,
		example: `  varve-lab eval typing --data figer-gold.tsv --map ../shared/data/typing/figer-types.map
  varve-lab eval typing --data ../shared/data/ner/crossner/politics-test.tsv.gz --map wordnet --train ../shared/data --folds 3 --base dist/kb`,
		data: "a file of names with labels (.tsv, .jsonl, packed or not)",
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&types, "map", "", "what labels mean: a file, wordnet or figer (required)")
			f.StringVar(&path, "base", "", "a base of entities, or its folder: count candidates that types leave out")
			f.StringVar(&train, "train", "", "folder of data: train on it, without FILE, before measuring")
			f.IntVar(&folds, "folds", 0, "with --train: divide names into so many parts, and learn from others than those that are measured")
		},
		required: []string{"map"},
		measure: func(_ context.Context, data string) (_ eval.Report, err error) {
			m, taxonomy, err := typeMap(types)
			if err != nil {
				return nil, err
			}
			var names typing.Names
			if path != "" {
				if st, err := os.Stat(path); err == nil && st.IsDir() {
					path = filepath.Join(path, base.FileName)
				}
				b, err := base.Open(path)
				if err != nil {
					return nil, err
				}
				defer func() { err = errors.Join(err, b.Close()) }()
				names = b
			}
			if train != "" {
				return models.ValidateTypes(train, data, folds, m, taxonomy, lexicon.Default(), tag.Default(), names)
			}
			model, err := kind.Default(taxonomy)
			if err != nil {
				return nil, err
			}
			return typing.Measure(data, m, model, tag.Default(), names)
		},
	}.command()
}

// typeMap returns a map of labels, and the taxonomy of its types.
func typeMap(name string) (typing.Map, string, error) {
	for _, known := range kind.Names() {
		if name == known {
			m, err := models.Labels(name)
			return m, name, err
		}
	}
	m, err := typing.ReadMap(name)
	if err != nil {
		return nil, "", err
	}
	for _, meaning := range m {
		for _, t := range meaning.Types {
			if strings.HasPrefix(t, "/") {
				return m, kind.FIGER, nil
			}
		}
	}
	return m, kind.WordNet, nil
}
