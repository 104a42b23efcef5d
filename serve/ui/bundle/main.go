// Command bundle writes the scripts and style sheets of the screens into assets/built, where they
// are embedded from: go run ./serve/ui/bundle. It needs no Node; esbuild is a Go module.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"varve/serve/ui/bundle/assets"
)

func main() {
	dir := filepath.Join("serve", "ui", "assets")
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	files, err := assets.Bundle(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(2)
	}
	for name, b := range files {
		path := filepath.Join(dir, "built", name)
		if err := os.WriteFile(path, b, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "bundle:", err)
			os.Exit(2)
		}
		fmt.Printf("%s  %d bytes\n", path, len(b))
	}
}
