package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/entity/base"
	"varve/lab/eval"
	"varve/lab/eval/linkdates"
)

func newEvalLinkdatesCommand() *cobra.Command {
	var o linkdates.Options
	return evaluation{
		use:   "linkdates --data DIR",
		short: "What the date of a text says about whom its names mean",
		long: `Makes a set of dated texts by a rule, and links its names with the day of the text, without it, and with wrong days. The rule: in speeches of the UN General Debate, "President NAME" means the one of that
last name who became president of the United States last before the speech; candidates are all persons of the base with a day of birth and that last name. 'go doc ./lab/eval/linkdates' has it whole.`,
		example: `  varve-lab eval linkdates --data ../shared/data/evolution`,
		data:    "a folder with speeches (ungdc/*.jsonl.gz)",
		flags: func(f *pflag.FlagSet) {
			f.StringVar(&o.Base, "base", filepath.Join("dist", "kb"), "the base of entities, or its folder; 'make kb' makes the small one")
			f.StringVar(&o.Officials, "officials", filepath.Join("..", "shared", "data", "kb", "us-executive.jsonl.gz"), "who was president when")
			f.BoolVar(&o.Title, "title", false, "leave the word President before the name, which is else cut")
			f.Uint64Var(&o.Seed, "seed", 1, "seed of the drawings by which intervals are made")
		},
		measure: func(ctx context.Context, data string) (eval.Report, error) {
			if st, err := os.Stat(o.Base); err == nil && st.IsDir() {
				o.Base = filepath.Join(o.Base, base.FileName)
			}
			return linkdates.Measure(ctx, data, o)
		},
	}.command()
}
