package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve/lab/eval"
	"varve/lab/eval/pictures"
)

func newEvalPicturesCommand() *cobra.Command {
	var most int
	var wrong, kinds bool
	return evaluation{
		use:   "pictures --data DIR",
		short: "How well the same picture is found after scaling, compression and cropping",
		long: `Takes the pictures of DIR and of the folders below it (JPEG, PNG, WebP, GIF, BMP, TIFF), does to each what happens to pictures on the web,
and looks for the outcome among all of them: precision, recall, and what a lookup costs, beside hashes alone with the threshold
that is best for each. Any folder of pictures will do; same.tsv in it may list pairs of files that show one picture, with
a tab between the names: they are neither right nor wrong. With --kinds it measures how well the small classifier of 'varve pictures train' tells the
folders of DIR apart, over folds. docs/algorithms/pictures.md discusses the figures.`,
		example: `  varve-lab eval pictures --data /usr/share/backgrounds
  varve-lab eval pictures --data photos --wrong --json`,
		data: "a folder with pictures",
		flags: func(f *pflag.FlagSet) {
			f.IntVar(&most, "most", 2000, "take so many pictures at most: each is held in memory, up to 0.9 MB")
			f.BoolVar(&kinds, "kinds", false, "measure the classifier instead, with the names of the folders of DIR as labels")
			f.BoolVar(&wrong, "wrong", false, "list what was not found, and what was taken for another")
		},
		measure: func(ctx context.Context, data string) (eval.Report, error) {
			if kinds {
				return pictures.MeasureKinds(data, most)
			}
			set, err := pictures.Load(data, most)
			if err != nil {
				return nil, err
			}
			return pictures.Measure(ctx, set, wrong)
		},
	}.command()
}
