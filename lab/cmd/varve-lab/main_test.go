package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"varve/cli"
	"varve/lab/simscript"
)

// The scripts in testdata/script run the real programs, and a simulated web while they run (lab/simscript).
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"varve":     func() { os.Exit(cli.Run(cli.New(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"varve-lab": func() { os.Exit(cli.Run(newCommand(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"sim": simscript.Serve},
	})
}
