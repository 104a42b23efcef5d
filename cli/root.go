package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"varve"
	"varve/clock"
)

// New puts all commands of the product under one root.
func New() *cobra.Command {
	root := Root("varve", "A living web archive", `Varve captures web sites so that a capture hangs together in time, keeps the exact
bytes in WARC, shows them again, and lets you search and understand what changed.`)
	for _, g := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"capture", "Capture sites, and know how well it hangs together:", []*cobra.Command{NewCrawlCommand(clock.Real()), newNodeCommand(), newDefineCommand(), newCoherenceCommand(), newMediaCommand(), newSimCommand()}},
		{"find", "Find what was there, and when:", []*cobra.Command{newIndexCommand(), newCDXCommand(), newVersionsCommand(), newSearchCommand()}},
		{"understand", "Understand and choose:", []*cobra.Command{newDeriveCommand(), newTextCommand(), newEventsCommand(), newEvolutionCommand(), newPicturesCommand(), newWebappCommand(), newKBCommand(), newEntityCommand(), newExtensionCommand(), newStatisticsCommand(), newFactsCommand(), newSelectCommand(), newSpamCommand(), newNoteCommand(), newTrayCommand()}},
		{"show", "Show it, and say who may see what:", []*cobra.Command{newServeCommand(), newUserCommand(), newAccessCommand(), newDemoCommand()}},
		{"keep", "Bring in, hand over, keep safe:", []*cobra.Command{newImportCommand(), newWaczCommand(), newBagCommand(), newAuditCommand(), newRetentionCommand(), newArchiveCommand(), newWarcCommand()}},
		{"program", "The program itself:", []*cobra.Command{newVersionCommand(), newDocsCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID("program")
	root.SetCompletionCommandGroupID("program")
	return root
}

// Root makes the root of a program's commands, with the manner that all of them have: exit codes, --json, errors that say what to do.
func Root(name, short, long string) *cobra.Command {
	root := &cobra.Command{
		Use: name, Short: short,
		Long: long + `

Exit codes of every command:
  0  done
  1  done with findings, or stopped early
  2  could not: usage, input, lock, environment

Every command takes --json for output that programs read.`,
		SilenceUsage: true, SilenceErrors: true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return UsageError(c, err.Error()) })
	return root
}

// UsageError is what a command returns when it was called wrongly.
func UsageError(c *cobra.Command, msg string) error {
	return &varve.Error{Kind: varve.Invalid, Op: c.CommandPath(), Msg: msg, Hint: "see '" + c.CommandPath() + " --help'"}
}

// nothing tells on standard error that there is nothing to list, and returns what ends a command with exit code 1.
func nothing(c *cobra.Command, format string, a ...any) error {
	fmt.Fprintf(c.ErrOrStderr(), "varve: "+format+"\n", a...)
	return varve.ErrFindings
}

// needArgs checks the number of arguments and says in words what is missing. More than the command names are too many, unless it names any number (...).
func needArgs(least int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least {
			return UsageError(c, "needs "+what)
		}
		if most := len(strings.Fields(c.Use)) - 1; len(args) > max(least, most) && !strings.Contains(c.Use, "...") {
			return UsageError(c, fmt.Sprintf("%d arguments are too many; it is called as: %s", len(args), c.UseLine()))
		}
		return nil
	}
}
