// Package cli is the command line: one file per command, each a constructor, an options struct and a run function. It only
// wires and prints; the work is in the packages.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/scan"
)

// Run runs a command with its edges handed in and returns its exit code. Ctrl-C ends it cleanly.
func Run(root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 1 && args[0] == scanWorker {
		return scan.Main(mapperOf)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	refuseUnknown(root)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	code := varve.ExitCode(err)
	if code == varve.ExitFailed {
		fmt.Fprintf(stderr, "%s: %v\n", root.Name(), err)
		if hint := varve.HintOf(err); hint != "" {
			fmt.Fprintln(stderr, "  ", hint)
		}
	}
	return code
}

// refuseUnknown makes commands that only hold others refuse a word that is none of them; without a word they print their help. Cobra
// prints the help in both cases and calls that done.
func refuseUnknown(c *cobra.Command) {
	for _, sub := range c.Commands() {
		refuseUnknown(sub)
	}
	if c.HasParent() && c.HasSubCommands() && !c.Runnable() {
		c.RunE = func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return UsageError(c, fmt.Sprintf("has no command %q", args[0]))
			}
			return c.Help()
		}
	}
}
