package main

import (
	"github.com/spf13/cobra"

	"varve"
	"varve/clock"
)

// newRootCommand puts all commands under one root.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "varve",
		Short: "A living web archive",
		Long: `Varve captures web sites so that a capture hangs together in time, keeps the exact
bytes in WARC, shows them again, and lets you search and understand what changed.

Exit codes of every command:
  0  done
  1  done with findings, or stopped early
  2  could not: usage, input, lock, environment

Every command takes --json for output that programs read.`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError(c, err.Error())
	})
	root.AddCommand(
		newVersionCommand(),
		newWarcCommand(),
		newCoherenceCommand(),
		newSimCommand(),
		newBenchCommand(),
		newCrawlCommand(clock.Real()),
		newDemoCommand(),
		newExperimentCommand(),
		newWaczCommand(),
		newServeCommand(),
		newUserCommand(),
		newAccessCommand(),
		newIndexCommand(),
		newImportCommand(),
		newCDXCommand(),
		newVersionsCommand(),
		newDeriveCommand(),
		newSearchCommand(),
		newSelectCommand(),
		newMediaCommand(),
		newSpamCommand(),
		newAuditCommand(),
		newTrayCommand(),
		newNoteCommand(),
		newBagCommand(),
		newDocsCommand(),
	)
	return root
}

// usageError is what a command returns when it was called wrongly.
func usageError(c *cobra.Command, msg string) error {
	return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: msg, Hint: "see '" + c.CommandPath() + " --help'"}
}

// needArgs checks the number of arguments and says in words what is missing.
func needArgs(least int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least {
			return usageError(c, "needs "+what)
		}
		return nil
	}
}
