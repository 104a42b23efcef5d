// Command varve is the living web archive: one binary, one directory, no server needed.
package main

import (
	"os"

	"varve/cli"
)

func main() {
	os.Exit(cli.Run(cli.New(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
