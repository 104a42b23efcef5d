// Command varve is the living web archive: one binary, one directory, no server needed. This
// package only wires: one file per command, each a constructor, an options struct and a run
// function; the work is in the packages.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"varve"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program with its edges handed in, so that tests can call it.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	code := varve.ExitCode(err)
	if code == varve.ExitFailed {
		fmt.Fprintln(stderr, "varve:", err)
		if hint := varve.HintOf(err); hint != "" {
			fmt.Fprintln(stderr, "  ", hint)
		}
	}
	return code
}
