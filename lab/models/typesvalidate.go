package models

import (
	"strings"

	"varve/entity/kind"
	"varve/lab/eval"
	"varve/lab/eval/typing"
	"varve/language/lexicon"
	"varve/language/tag"
)

// ValidateTypes measures types on a file by models that are trained anew. With folds, names are divided by their words: what is measured was never learned from under the same name, in any set; without, the
// set of the file is left out, and names that other sets have too are told apart.
func ValidateTypes(data, file string, folds int, m typing.Map, taxonomy string, x *lexicon.Lexicon, tags *tag.Model, b typing.Names) (typing.Result, error) {
	documents, err := typing.Read(file)
	if err != nil {
		return typing.Result{}, err
	}
	sets, err := ReadTypeSets(data, x, tags)
	if err != nil {
		return typing.Result{}, err
	}
	set := eval.SetName(file)
	tally := typing.NewTally(sets.Taxonomies[taxonomy], x)
	if b != nil {
		tally.Prune(b)
	}
	for k := range max(1, folds) {
		met := map[string]bool{}
		out := func(n Named) bool {
			if folds > 0 {
				return kind.Fold(n.Name, folds) == k
			}
			return n.Set == set || strings.HasSuffix(n.Set, "/"+set)
		}
		for _, n := range sets.Named {
			if !out(n) {
				met[n.Name] = true
			}
		}
		learned, err := kind.Train(sets.Taxonomies[taxonomy], sets.Examples(taxonomy, out), x, kind.DefaultOptions())
		if err != nil {
			return typing.Result{}, err
		}
		typer, plain, tagger := learned.NewTyper(), learned.Plain().NewTyper(), tags.NewTagger()
		for _, d := range documents {
			var marks []typing.Mark
			for _, mark := range d.Marks {
				if folds == 0 || kind.Fold(typing.Words(d.Sentences[mark.Sentence][mark.From:mark.To]), folds) == k {
					marks = append(marks, mark)
				}
			}
			if len(marks) > 0 {
				tally.Add(d, m, typer, plain, tagger, marks, func(name string) bool { return met[name] })
			}
		}
	}
	return tally.Result(), nil
}
