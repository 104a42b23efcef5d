package main

import (
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/cli"
	"varve/lab/websim/spam"
	"varve/spam/label"
)

func newSimLabelsCommand() *cobra.Command {
	var seed uint64
	var at string
	c := &cobra.Command{
		Use:   "labels",
		Short: "Print the true labels of the hosts of preset spam",
		Long: `Prints the label file of the simulated web that 'varve-lab sim serve --preset spam' serves: which hosts are spam at an instant, and by which
generator they were made. It is the truth that a curator would have to find out; use it to try the spam commands.

  varve-lab sim serve --preset spam --seed 7 --at 540d --speed 0
  varve-lab sim labels --seed 7 --at 540d > archive/collections/web/labels/spam.jsonl

Exit codes: 0 printed, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			world, err := spam.New(spam.Small(), seed)
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: "make simulated web", Err: err}
			}
			instant, err := simInstant(at, world.Epoch())
			if err != nil {
				return cli.UsageError(c, "--at: "+err.Error())
			}
			return label.Write(c.OutOrStdout(), trueLabels(world, instant))
		},
	}
	f := c.Flags()
	f.Uint64Var(&seed, "seed", 1, "the seed of the simulated web")
	f.StringVar(&at, "at", "540d", "simulated instant: RFC 3339, or a duration after the epoch")
	return c
}

// trueLabels are the labels of all hosts that are there at an instant.
func trueLabels(world *spam.World, at time.Time) []label.Entry {
	var out []label.Entry
	for _, h := range world.Hosts() {
		bad, known := world.Label(h.Name, at)
		if !known {
			continue
		}
		e := label.Entry{Host: h.Name, Label: label.Normal, Who: "websim", When: at, Why: "made by generator " + h.Kind}
		if bad {
			e.Label = label.Spam
		}
		out = append(out, e)
	}
	return out
}
