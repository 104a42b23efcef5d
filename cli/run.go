// Package cli is the command line: one file per command, each a constructor, an options struct and a run function. It only
// wires and prints; the work is in the packages.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
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
	polish(root)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	called, err := root.ExecuteContextC(ctx)
	code := varve.ExitCode(err)
	if code == varve.ExitFailed {
		fmt.Fprintf(stderr, "%s: %v\n", root.Name(), err)
		hint := varve.HintOf(err)
		if text := err.Error(); hint == "" && (strings.HasPrefix(text, "required flag") || strings.HasPrefix(text, "unknown command")) { // Cobra's own
			hint = "see '" + called.CommandPath() + " --help'"
		}
		if hint != "" {
			fmt.Fprintln(stderr, "  ", hint)
		}
	}
	return code
}

// polish gives commands the manners that Cobra lacks. Those that only hold others refuse a word that is none of them (without a word they
// print their help; Cobra prints it in both cases and calls that done). Those that want another number of arguments say how they are called.
func polish(c *cobra.Command) {
	for _, sub := range c.Commands() {
		polish(sub)
	}
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			err := check(c, args)
			if err != nil && varve.HintOf(err) == "" {
				return UsageError(c, fmt.Sprintf("%d arguments were given; it is called as: %s", len(args), c.UseLine()))
			}
			return err
		}
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
